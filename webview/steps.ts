/** Where the cursor can go: the places in a log that steps, waves and errors lead to. */
import type { AnyEvent } from '../src/core/reduce.ts';

/** The cursor just after the next (or the last earlier) event that starts a wave; the log's end or start otherwise. */
export function waveStep(events: readonly AnyEvent[], cursor: number, direction: -1 | 1): number {
  for (let n = cursor + direction; n > 0 && n <= events.length; n += direction) {
    if (events[n - 1]?.type === 'wave-started') return n;
  }
  return direction === 1 ? events.length : 0;
}

/** A cursor that lies within the log. */
export function clampCursor(cursor: number, length: number): number {
  return Number.isFinite(cursor) ? Math.max(0, Math.min(length, Math.round(cursor))) : 0;
}

/** How far PageUp and PageDown go. */
export function bigStep(length: number): number {
  return Math.max(10, Math.round(length / 20));
}
