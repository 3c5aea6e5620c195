/** Calls that come while the model still writes its message, and what early runs of them won and wasted. */
import type { CallRow, ViewState } from '../../src/core/state.ts';
import { rowAt, rowsOf } from '../../src/core/table.ts';
import { count, duration, moment } from '../format.ts';
import { perState } from './perState.ts';

/** When a call came in. `to` is *now* while it still does. */
export interface ArrivalSpan {
  readonly call: number;
  readonly from: number;
  readonly to: number;
  readonly open: boolean;
}

const spans = perState((state): readonly ArrivalSpan[] => {
  if (!state.message) return [];
  const ended = state.message.endedAt ?? state.endedAt;
  return [...rowsOf(state.calls)].flatMap(({ index, arrival }): ArrivalSpan[] => {
    if (!arrival) return [];
    const to = arrival.closedAt ?? ended;
    return [{ call: index, from: arrival.openedAt, to: to ?? arrival.openedAt, open: to === undefined }];
  });
});

/** The arrival of every call of a stream, in order. */
export function arrivalSpans(state: ViewState, now: number): readonly ArrivalSpan[] {
  const list = spans(state);
  return list.some((span) => span.open)
    ? list.map((span) => (span.open ? { ...span, to: Math.max(span.from, now) } : span))
    : list;
}

const SHOWN = 60;

/** The calls that have no place in the plan yet, in request order; at most the first sixty. */
export const unplannedCalls = perState((state): readonly number[] => {
  const calls: number[] = [];
  if (!state.message || state.endedAt !== undefined) return calls;
  // Calls are placed in the model's order, so those without a place are the last.
  for (let index = state.decided; index < state.calls.size && calls.length < SHOWN; index++) {
    const row = rowAt(state.calls, index);
    if (row && !row.decision && row.endedAt === undefined && row.status !== 'never-started')
      calls.push(index);
  }
  return calls;
});

/** "message arriving, 1 call not complete", "message cut off"; empty of a batch, and of a message that has ended. */
export const messageWords = perState(({ message, calls }: ViewState): string => {
  if (message?.cutOff) return 'message cut off';
  if (message?.state !== 'arriving') return '';
  if (calls.size === 0) return 'message arriving, no call yet';
  let open = 0;
  for (const { arrival } of rowsOf(calls)) if (arrival && arrival.closedAt === undefined) open++;
  const detail = open === 0 ? `${count(calls.size, 'call')} so far` : `${count(open, 'call')} not complete`;
  return `message arriving, ${detail}`;
});

/** "3 early starts, 240 ms won, 80 ms wasted"; empty where there was none. */
export const earlySum = perState((state): string => {
  let starts = 0;
  let won = 0;
  let wasted = 0;
  for (const { speculation } of rowsOf(state.calls)) {
    if (!speculation) continue;
    starts++;
    won += speculation.wonMs ?? 0;
    wasted += speculation.wastedMs ?? 0;
  }
  if (starts === 0) return '';
  const parts = [count(starts, 'early start')];
  if (won > 0) parts.push(`${duration(won)} won`);
  if (wasted > 0) parts.push(`${duration(wasted)} wasted`);
  return parts.join(', ');
});

/** When the call came in, in words; undefined where it was there from the beginning. */
export function arrivalText({ arrival }: CallRow, total: number): string | undefined {
  if (!arrival) return undefined;
  const from = `from ${moment(arrival.openedAt, total)}`;
  const known = arrival.known.length === 0 ? '' : `; known early: ${arrival.known.join(', ')}`;
  return arrival.closedAt === undefined
    ? `${from}, not complete${known}`
    : `${from} to ${moment(arrival.closedAt, total)}${known}`;
}

/** What became of the run that began early, in words; undefined where there was none. */
export function earlyText({ speculation, arrival }: CallRow, total: number): string | undefined {
  if (!speculation) return undefined;
  const { state, startedAt, wonMs = 0, wastedMs = 0, reason = '' } = speculation;
  switch (state) {
    case 'running':
      return 'runs before its input is complete';
    case 'held':
      return 'has ended before its input is complete, which must turn out to be the same';
    case 'confirmed':
      return `confirmed: its input is the one that it began with; ${duration(wonMs)} won`;
    case 'discarded': {
      const began = startedAt === undefined ? '' : `began at ${moment(startedAt, total)}, `;
      const again = arrival?.closedAt === undefined ? '' : '; it ran again with the whole input';
      return `${began}discarded: ${reason}; ${duration(wastedMs)} wasted${again}`;
    }
  }
}

/** The same in a cell of the table. */
export function earlyWords({ speculation }: CallRow): string {
  if (!speculation) return '–';
  const { state, wonMs = 0, wastedMs = 0 } = speculation;
  if (state === 'confirmed') return `confirmed, ${duration(wonMs)} won`;
  if (state === 'discarded') return `discarded, ${duration(wastedMs)} wasted`;
  return state === 'held' ? 'not confirmed yet' : 'running';
}
