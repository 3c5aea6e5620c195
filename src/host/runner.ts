import { type Clock, systemClock } from '../core/clock.ts';
import { BatchAborted, messageOf } from '../core/errors.ts';
import type { WavesEvent } from '../core/events.ts';
import type { HardErrorMode, StrategyName, ToolCall, ToolResult } from '../core/model.ts';
import type { Registry } from '../core/tools.ts';
import type { Batch, Batches } from './batches.ts';
import { Emitter } from './emitter.ts';

/** How long running calls may take to settle once a batch stops, unless the user stops waiting. */
const GRACE_MS = 5_000;

export interface RunRequest {
  readonly calls: readonly ToolCall[];
  readonly registry: Registry;
  readonly strategy: StrategyName;
  /** Absent: the strategy's own. */
  readonly maxConcurrency?: number;
  readonly onHardError: HardErrorMode;
  readonly signal?: AbortSignal;
  /** Sentences that a person should know about this run. */
  readonly notes: readonly string[];
  /** Told as soon as there is something to show. */
  started?(batch: Batch): void;
}

export interface RunOutcome {
  readonly batch: Batch;
  readonly results?: readonly ToolResult[];
  /** Why no result is handed out. */
  readonly aborted?: string;
}

/** A second batch while one runs. */
export class RunnerBusy extends Error {
  readonly code = 'RUNNER_BUSY';
  override readonly name = 'RunnerBusy';
}

/** Where faults go that change nothing. */
export interface RunLog {
  info(message: string): void;
  warn(message: string): void;
}

interface Running {
  readonly controller: AbortController;
  readonly hurry: () => void;
  batch: Batch | undefined;
  cancelling: boolean;
}

/** Runs one batch at a time and keeps its log in `Batches`. Whether anybody looks makes no difference to a run. */
export class Runner {
  /** Every event of every run, after it was logged. */
  readonly events: Emitter<{ readonly batch: Batch; readonly event: WavesEvent }>;
  /** A run began or ended. */
  readonly changes: Emitter<boolean>;
  readonly #batches: Batches;
  readonly #log: RunLog;
  #running: Running | undefined;

  constructor(batches: Batches, log: RunLog) {
    this.#batches = batches;
    this.#log = log;
    const fault = (error: unknown) => log.warn(`A listener failed: ${messageOf(error)}`);
    this.events = new Emitter(fault);
    this.changes = new Emitter(fault);
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** The batch that runs now. */
  get batch(): Batch | undefined {
    return this.#running?.batch;
  }

  /** @throws {RunnerBusy} while another batch runs. */
  assertIdle(): void {
    if (!this.#running) return;
    const title = this.#running.batch?.title ?? 'another batch';
    throw new RunnerBusy(
      `Waves runs one batch at a time, and ${title} is still running. Wait for its end, or cancel it.`,
    );
  }

  /**
   * Runs a batch to its end.
   * @throws {RunnerBusy} while another one runs.
   * @throws {BatchRefused} when its ids make it unusable; nothing ran.
   */
  async run(request: RunRequest): Promise<RunOutcome> {
    this.assertIdle();
    const { clock, watch, hurry } = clockWithGrace();
    const running: Running = {
      controller: new AbortController(),
      hurry,
      batch: undefined,
      cancelling: false,
    };
    this.#running = running;
    this.changes.fire(true);
    const cancel = () => running.controller.abort(request.signal?.reason);
    request.signal?.addEventListener('abort', cancel);
    if (request.signal?.aborted) cancel();
    try {
      const { dispatch } = await import('../core/dispatch/dispatch.ts');
      const results = await dispatch(request.calls, request.registry, {
        strategy: request.strategy,
        ...(request.maxConcurrency !== undefined && { maxConcurrency: request.maxConcurrency }),
        onHardError: request.onHardError,
        signal: running.controller.signal,
        graceMs: GRACE_MS,
        clock,
        log: (message) => this.#log.warn(message),
        onEvent: (event) => {
          watch(event);
          this.#take(running, request, event);
        },
      });
      return this.#outcome(running, { results });
    } catch (error) {
      if (!(error instanceof BatchAborted)) throw error;
      return this.#outcome(running, { aborted: error.message });
    } finally {
      request.signal?.removeEventListener('abort', cancel);
      this.#running = undefined;
      if (running.batch) this.#batches.end(running.batch);
      this.changes.fire(false);
    }
  }

  /** Cancels the running batch; asked again, stops waiting for calls that do not settle. False when nothing runs. */
  cancel(reason = 'cancelled by the user'): boolean {
    const running = this.#running;
    if (!running) return false;
    if (running.cancelling) return this.stopWaiting();
    running.cancelling = true;
    running.controller.abort(new Error(reason));
    return true;
  }

  /** Ends the grace period that a stopping batch gives its running calls. False when there is none. */
  stopWaiting(): boolean {
    this.#running?.hurry();
    return this.#running !== undefined;
  }

  #take(running: Running, request: RunRequest, event: WavesEvent): void {
    if (!running.batch) {
      running.batch = this.#batches.begin(request.notes);
      this.#log.info(`${running.batch.title}: ${request.calls.length} calls, ${request.strategy}.`);
      request.started?.(running.batch);
    }
    this.#batches.append(running.batch, event);
    this.events.fire({ batch: running.batch, event });
    if (event.type === 'run-ended')
      this.#log.info(`${running.batch.title}: ${event.how}, ${event.softErrors} soft errors, ${event.t} ms.`);
    if (event.type === 'run-aborted') this.#log.warn(`${running.batch.title}: ${event.how}. ${event.reason}`);
  }

  #outcome(running: Running, how: Omit<RunOutcome, 'batch'>): RunOutcome {
    if (!running.batch) throw new Error('The dispatcher ended without an event.');
    return { batch: running.batch, ...how };
  }
}

/**
 * The system's clock, with a way to end the grace period of a stopping run at once. The dispatcher says
 * "cancel requested" and then sets the timer of the grace period: that one is remembered.
 */
function clockWithGrace(): { clock: Clock; watch(event: WavesEvent): void; hurry(): void } {
  let stopping = false;
  let endGrace: (() => void) | undefined;
  return {
    clock: {
      now: () => systemClock.now(),
      after(ms, run) {
        if (stopping) endGrace ??= run;
        return systemClock.after(ms, run);
      },
    },
    watch(event) {
      if (event.type === 'cancel-requested') stopping = true;
    },
    hurry: () => endGrace?.(),
  };
}
