/** What the lanes draw: which call held which permit, when, who waited for one, and when the waves began. */
import { ranUntil } from '../../src/core/ran.ts';
import type { CallRow, CallStatus, ViewState } from '../../src/core/state.ts';
import { rowsOf } from '../../src/core/table.ts';
import type { LookName } from '../glyphs.ts';
import { perState } from './perState.ts';

/** A call on the lane of its permit. */
export interface LaneBar {
  readonly call: number;
  readonly permit: number;
  readonly wave: number | undefined;
  readonly safe: boolean;
  /** Milliseconds since the run began; `to` is *now* while the bar is open. */
  readonly from: number;
  readonly to: number;
  /** The call's status; or that this run began early, and is not the call yet, or never was. */
  readonly look: Exclude<LookName, 'waiting' | 'gate'>;
  /** Not ended yet. */
  readonly open: boolean;
  /** When the permit was given back. */
  readonly returnedAt: number | undefined;
}

/** A call that had to wait for a permit. */
export interface WaitInterval {
  readonly call: number;
  readonly from: number;
  readonly to: number;
  /** Still waiting. */
  readonly open: boolean;
}

/** A wave on the time axis. */
export interface WaveRule {
  readonly wave: number;
  readonly from: number;
  readonly to: number;
  readonly open: boolean;
  readonly closed: boolean;
  readonly size: number;
}

/** A call that ended without ever holding a permit. */
export interface Unplaced {
  readonly call: number;
  readonly status: CallStatus;
  /** When it ended; undefined for calls that never started. */
  readonly at: number | undefined;
}

const bars = perState((state): readonly LaneBar[] => {
  const list: LaneBar[] = [];
  for (const row of callsOf(state)) {
    const discarded = discardedBar(row);
    if (discarded) list.push(discarded);
    const from = row.permitTakenAt ?? row.startedAt;
    if (row.permit === undefined || from === undefined) continue;
    const until = ranUntil(row);
    list.push({
      call: row.index,
      permit: row.permit,
      wave: row.decision?.wave,
      safe: row.declared?.safe ?? row.speculation !== undefined,
      from,
      to: until ?? from,
      look: earlyLook(row) ?? row.status,
      open: until === undefined,
      returnedAt: row.permitReturnedAt,
    });
  }
  return list.sort((a, b) => a.permit - b.permit || a.from - b.from || a.to - b.to || a.call - b.call);
});

/** A run that is not the call yet. */
function earlyLook({ speculation, endedAt, status }: CallRow): 'early' | 'held' | undefined {
  if (endedAt !== undefined || status === 'never-started') return undefined;
  if (speculation?.state === 'held') return 'held';
  return speculation?.state === 'running' ? 'early' : undefined;
}

/** A run that began early and was thrown away: drawn beside that of the call. */
function discardedBar({ index, decision, speculation }: CallRow): LaneBar | undefined {
  const { state, permit, startedAt, endedAt } = speculation ?? {};
  if (state !== 'discarded' || permit === undefined || startedAt === undefined) return undefined;
  return {
    call: index,
    permit,
    wave: decision?.wave,
    safe: true, // or it had not begun early
    from: startedAt,
    to: endedAt ?? startedAt,
    look: 'discarded',
    open: false,
    returnedAt: endedAt,
  };
}

/** Every call that holds or held a permit, by permit, then by time. */
export function laneBars(state: ViewState, now: number): readonly LaneBar[] {
  const list = bars(state);
  return state.holders.some((call) => call !== undefined) ? list.map((bar) => upTo(bar, now)) : list;
}

const waits = perState((state): readonly WaitInterval[] => {
  const list: WaitInterval[] = [];
  const freedBefore = previousReturns(state);
  const full = state.holders.every((call) => call !== undefined);
  const lastReturn = latestReturn(state);
  for (const row of callsOf(state)) {
    if (row.queuedAt === undefined) continue;
    const until = row.permitTakenAt ?? row.endedAt;
    const stillWaits = full || lastReturn > row.queuedAt;
    if (until === undefined ? stillWaits : hadToWait(row, freedBefore.get(row.index)))
      list.push({
        call: row.index,
        from: row.queuedAt,
        to: until ?? row.queuedAt,
        open: until === undefined,
      });
  }
  return list.sort((a, b) => a.from - b.from || a.call - b.call);
});

/**
 * Every call that waits or waited for a permit, in the order in which the waits began. A call that found a free
 * permit did not wait, however long it took to take it.
 */
export function waitIntervals(state: ViewState, now: number): readonly WaitInterval[] {
  const list = waits(state);
  return list.some((wait) => wait.open) ? list.map((wait) => upTo(wait, now)) : list;
}

/** A call waited when the permit that it took was still held by another when it queued, or when it never got one. */
function hadToWait(row: CallRow, freed: number | undefined): boolean {
  if (row.permitTakenAt === undefined) return row.status === 'cancelled';
  return (
    freed !== undefined &&
    row.queuedAt !== undefined &&
    freed >= row.queuedAt &&
    row.permitTakenAt > row.queuedAt
  );
}

/** When a permit was last given back: a call that queued before and has none is waiting, even if one is free just now. */
function latestReturn(state: ViewState): number {
  let latest = Number.NEGATIVE_INFINITY;
  for (const row of callsOf(state)) latest = Math.max(latest, row.permitReturnedAt ?? latest);
  return latest;
}

/** For each call, when the call before it on the same permit gave that permit back. */
function previousReturns(state: ViewState): Map<number, number> {
  const freed = new Map<number, number>();
  let previous: LaneBar | undefined;
  for (const bar of bars(state)) {
    if (previous?.permit === bar.permit && bar.look !== 'discarded')
      freed.set(bar.call, previous.returnedAt ?? previous.to);
    previous = bar;
  }
  return freed;
}

const rules = perState((state): readonly WaveRule[] => {
  const list: WaveRule[] = [];
  for (const wave of rowsOf(state.waves)) {
    if (wave.startedAt === undefined) continue;
    const to = wave.endedAt ?? state.endedAt;
    list.push({
      wave: wave.index,
      from: wave.startedAt,
      to: to ?? wave.startedAt,
      open: to === undefined,
      closed: wave.closed,
      size: wave.calls.size,
    });
  }
  return list;
});

/** The waves that have started, in order. */
export function waveRules(state: ViewState, now: number): readonly WaveRule[] {
  const list = rules(state);
  return list.some((rule) => rule.open) ? list.map((rule) => upTo(rule, now)) : list;
}

/** Calls that ended without holding a permit: refused before they ran, cancelled while waiting, or never started. */
export const unplacedCalls = perState((state): readonly Unplaced[] => {
  const list: Unplaced[] = [];
  for (const row of callsOf(state)) {
    if (row.permit !== undefined) continue;
    if (row.endedAt !== undefined || row.status === 'never-started')
      list.push({ call: row.index, status: row.status, at: row.endedAt });
  }
  return list;
});

/** How many lanes are drawn: as many as can ever be held at once, at least as many as were. */
export const laneCount = perState((state): number => {
  let largest = 0;
  for (const wave of rowsOf(state.waves)) largest = Math.max(largest, wave.calls.size);
  let used = 0;
  for (const bar of bars(state)) used = Math.max(used, bar.permit + 1);
  return Math.max(used, Math.min(state.permits, largest));
});

/** All calls; a plain list is faster to walk than a generator, and these walks are made for every new state. */
const callsOf = perState((state): readonly CallRow[] => state.calls.chunks.flat());

function upTo<T extends { readonly open: boolean; readonly from: number }>(item: T, now: number): T {
  return item.open ? { ...item, to: Math.max(item.from, now) } : item;
}
