/** How long each event stays on screen while a log is played (PANEL section 6). Pure: time is passed in. */
import type { AnyEvent } from '../src/core/reduce.ts';

export const SPEEDS = [0.25, 0.5, 1, 2, 4] as const;

/** Seconds that one decision stays, at speed 1. */
const DECISION = 1.2;
/** Seconds that any other event stays at least, at any speed. */
const LEAST = 0.2;
/** Seconds that the whole log takes when it is fitted. */
const FITTED = 10;
/** A page that was away for long goes on from where it was. */
export const LONGEST_TICK = 0.25;

/** When each event is shown: `starts[n]` is the second at which the first n events have happened. */
export interface Schedule {
  readonly starts: Float64Array;
  readonly seconds: number;
}

/** The schedule of a log at a speed, or fitted into ten seconds. */
export function scheduleOf(events: readonly AnyEvent[], speed: number, fit: boolean): Schedule {
  const starts = new Float64Array(events.length + 1);
  for (let n = 0; n < events.length; n++) {
    starts[n + 1] = (starts[n] ?? 0) + dwell(events[n - 1], events[n], fit ? 1 : speed);
  }
  const seconds = starts[events.length] ?? 0;
  if (!fit || seconds === 0) return { starts, seconds };
  return { starts: starts.map((start) => (start * FITTED) / seconds), seconds: FITTED };
}

/** How many events have happened after `second` seconds of playing. */
export function cursorAt(schedule: Schedule, second: number): number {
  const { starts } = schedule;
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= second) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The run's time at a second of playing: between two events it moves evenly from one's time to the other's. */
export function timeAt(schedule: Schedule, events: readonly AnyEvent[], second: number): number {
  const cursor = cursorAt(schedule, second);
  const from = events[cursor - 1]?.t ?? 0;
  const to = events[cursor]?.t ?? from;
  const start = schedule.starts[cursor] ?? 0;
  const end = schedule.starts[cursor + 1] ?? start;
  if (end <= start) return from;
  return from + Math.max(0, to - from) * Math.min(1, (second - start) / (end - start));
}

/** The next slower or faster speed. */
export function nextSpeed(speed: number, direction: -1 | 1): number {
  const index = SPEEDS.findIndex((one) => one >= speed);
  const at = index === -1 ? SPEEDS.length - 1 : index;
  return SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at + direction))] ?? speed;
}

/** Seconds between an event and the one after it. */
function dwell(shown: AnyEvent | undefined, next: AnyEvent | undefined, speed: number): number {
  if (shown?.type === 'decision-made') return DECISION / speed;
  const recorded = Math.max(0, (next?.t ?? 0) - (shown?.t ?? 0)) / 1000;
  return Math.max(LEAST, recorded / speed);
}
