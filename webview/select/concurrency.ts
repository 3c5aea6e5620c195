/** How many permits were held and how many calls waited for one, over time. */
import type { ViewState } from '../../src/core/state.ts';
import { laneBars, waitIntervals } from './lanes.ts';
import { perState } from './perState.ts';

/** A stretch of time in which nothing changed. */
export interface ConcurrencyInterval {
  readonly from: number;
  readonly to: number;
  readonly held: number;
  readonly free: number;
  readonly waiting: number;
  /** The calls that held a permit, by permit; at most the first 100. */
  readonly who: readonly number[];
}

const WHO = 100;

interface Change {
  readonly at: number;
  readonly permit?: number;
  readonly call?: number;
  readonly waiting?: number;
}

const intervals = perState((state): readonly ConcurrencyInterval[] => {
  if (state.startedAt === undefined) return [];
  const list: ConcurrencyInterval[] = [];
  const held: (number | undefined)[] = Array.from({ length: state.permits }, () => undefined);
  let count = 0;
  let waiting = 0;
  let since = state.startedAt;
  const until = (at: number) => {
    if (at <= since) return;
    const who = firstHolders(held, count);
    list.push({ from: since, to: at, held: count, free: state.permits - count, waiting, who });
    since = at;
  };
  for (const change of changes(state)) {
    until(change.at);
    waiting += change.waiting ?? 0;
    if (change.permit === undefined) continue;
    count += (change.call === undefined ? 0 : 1) - (held[change.permit] === undefined ? 0 : 1);
    held[change.permit] = change.call;
  }
  until(state.endedAt ?? state.t);
  if (state.endedAt === undefined)
    list.push({
      from: since,
      to: since,
      held: count,
      free: state.permits - count,
      waiting,
      who: firstHolders(held, count),
    });
  return list;
});

/**
 * The run as stretches of unchanged concurrency, in order, without gaps. While the run goes on the last one holds what
 * is true now and reaches to *now*, however short that is.
 */
export function concurrencyIntervals(state: ViewState, now: number): readonly ConcurrencyInterval[] {
  const list = intervals(state);
  const last = list.at(-1);
  if (!last || state.endedAt !== undefined || now <= last.to) return list;
  return [...list.slice(0, -1), { ...last, to: now }];
}

/** Takes and returns of permits, and begins and ends of waits, in time; at one moment each permit's in their order. */
function changes(state: ViewState): Change[] {
  const list: Change[] = [];
  for (const { call, permit, from, returnedAt } of laneBars(state, state.t)) {
    list.push({ at: from, permit, call });
    if (returnedAt !== undefined) list.push({ at: returnedAt, permit });
  }
  const waits = waitIntervals(state, state.t).flatMap((wait): Change[] => [
    { at: wait.from, waiting: 1 },
    ...(wait.open ? [] : [{ at: wait.to, waiting: -1 }]),
  ]);
  // Array.sort is stable: a call of no duration takes its permit before it gives it back.
  return [...list, ...waits].sort((a, b) => a.at - b.at);
}

function firstHolders(held: readonly (number | undefined)[], count: number): readonly number[] {
  const who: number[] = [];
  for (const call of held) {
    if (who.length >= Math.min(count, WHO)) break;
    if (call !== undefined) who.push(call);
  }
  return who;
}
