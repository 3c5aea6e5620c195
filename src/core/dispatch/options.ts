/** What a caller may ask of a run. */
import type { Clock } from '../clock.ts';
import type { WavesEvent } from '../events.ts';
import type { HardErrorMode, StrategyName } from '../model.ts';

export interface DispatchOptions {
  /** Default `sequential`: only the tools' declarations make anything else safe. */
  readonly strategy?: StrategyName;
  /** Clamped to 1 … number of calls. Default: the strategy's own (`batches` 10, `first-fit` 8). */
  readonly maxConcurrency?: number;
  /** Default `abort`. */
  readonly onHardError?: HardErrorMode;
  /** Aborting it cancels the batch. */
  readonly signal?: AbortSignal;
  /** How long running calls may take to settle once the batch stops. Milliseconds, default 2,000. */
  readonly graceMs?: number;
  /** Limit of one call in milliseconds, where its tool has none of its own. Default: none. */
  readonly timeoutMs?: number;
  onEvent?(event: WavesEvent): void;
  readonly clock?: Clock;
  /** Where faults go that change nothing: a subscriber that throws, a second answer. Default `console.error`. */
  log?(message: string, cause?: unknown): void;
}

export const DEFAULT_GRACE_MS = 2_000;

/**
 * The number of permits: `clamp(maxConcurrency, 1, number of calls)`.
 * @throws {RangeError} for what is no number.
 */
export function capOf(maxConcurrency: number | undefined, standard: number, calls: number): number {
  const wanted = maxConcurrency ?? standard;
  if (typeof wanted !== 'number' || Number.isNaN(wanted)) {
    throw new RangeError(`maxConcurrency must be a number, not ${String(wanted)}.`);
  }
  return Math.max(1, Math.min(Math.floor(wanted), calls));
}
