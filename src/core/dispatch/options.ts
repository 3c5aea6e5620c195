/** What a caller may ask of a run. */
import type { Clock } from '../clock.ts';
import type { WavesEvent } from '../events.ts';
import type { HardErrorMode, StrategyName } from '../model.ts';
import type { Gate } from './gate.ts';
import type { Hooks } from './hooks.ts';
import type { LoopCheck } from './loops.ts';

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
  /** Aborting it ends the grace period at once: the caller has stopped waiting. */
  readonly stopWaiting?: AbortSignal;
  /** Limit of one call in milliseconds, where its tool has none of its own. Default: none. */
  readonly timeoutMs?: number;
  /** Limit of the whole run in milliseconds; over it, the batch stops as for a hard error. Default: none. */
  readonly runTimeoutMs?: number;
  /** What is done before and after every call, nested ones included. */
  readonly hooks?: Hooks;
  /** The gate shared with other batches whose calls must not collide with these. Default: one of its own. */
  readonly gate?: Gate;
  /** The session's loop check. Default: none, since one batch is no session. */
  readonly loopCheck?: LoopCheck;
  /**
   * The resolving step before planning: the one key of a declared resource, however it is spelled (DESIGN section 2).
   * Asked once for each different resource, all at once. Where it rejects, the calls that named it are unsafe.
   */
  resolve?(resource: string): Promise<string> | string;
  onEvent?(event: WavesEvent): void;
  readonly clock?: Clock;
  /** Where faults go that change nothing: a subscriber that throws, a second answer. Default `console.error`. */
  log?(message: string, cause?: unknown): void;
}

/** What a tool may ask of a batch that it dispatches itself; all else is as in the batch that it runs in. */
export type NestedOptions = Pick<
  DispatchOptions,
  'strategy' | 'onHardError' | 'signal' | 'timeoutMs' | 'runTimeoutMs' | 'onEvent'
>;

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
