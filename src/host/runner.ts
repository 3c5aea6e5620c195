import { whenAborted } from '../core/abort.ts';
import { createGate } from '../core/dispatch/gate.ts';
import type { LoopCheck } from '../core/dispatch/loops.ts';
import type { DispatchOptions } from '../core/dispatch/options.ts';
import { BatchAborted, messageOf } from '../core/errors.ts';
import type { WavesEvent } from '../core/events.ts';
import type { HardErrorMode, StrategyName, ToolCall, ToolResult } from '../core/model.ts';
import type { StreamEvent } from '../core/stream/streamEvent.ts';
import type { Registry } from '../core/tools.ts';
import type { Batch, Batches } from './batches.ts';
import { Emitter } from './emitter.ts';

/** How long running calls may take to settle once a batch stops, unless the user stops waiting. */
const GRACE_MS = 5_000;

/** The calls of a message: all there, or still streaming in. */
export type Calls = readonly ToolCall[] | AsyncIterable<StreamEvent>;

export interface RunRequest {
  readonly calls: Calls;
  readonly registry: Registry;
  readonly strategy: StrategyName;
  /** Absent: the strategy's own. */
  readonly maxConcurrency?: number;
  readonly onHardError: HardErrorMode;
  readonly signal?: AbortSignal;
  /** The one key of a declared resource. Absent: resources are compared as they were declared. */
  resolve?(resource: string): Promise<string>;
  /** The session's loop check. */
  readonly loopCheck?: LoopCheck;
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

/** Where faults go that change nothing. */
export interface RunLog {
  info(message: string): void;
  warn(message: string): void;
}

interface Running {
  readonly controller: AbortController;
  readonly stopWaiting: AbortController;
  batch: Batch | undefined;
}

/**
 * Runs batches and keeps their logs in `Batches`. Several may run at a time: one gate keeps calls that conflict apart,
 * whatever batch they are of (DESIGN section 4). Whether anybody looks makes no difference to a run.
 */
export class Runner {
  /** Every event of every run, after it was logged. */
  readonly events: Emitter<{ readonly batch: Batch; readonly event: WavesEvent }>;
  /** How many batches run, whenever that has changed. */
  readonly changes: Emitter<number>;
  readonly #batches: Batches;
  readonly #log: RunLog;
  /** In the order in which they began. */
  readonly #running = new Set<Running>();
  readonly #gate = createGate();

  constructor(batches: Batches, log: RunLog) {
    this.#batches = batches;
    this.#log = log;
    const fault = (error: unknown) => log.warn(`A listener failed: ${messageOf(error)}`);
    this.events = new Emitter(fault);
    this.changes = new Emitter(fault);
  }

  /**
   * Runs a batch to its end.
   * @throws {BatchRefused} when its ids make it unusable; of a batch that was all there nothing ran.
   */
  async run(request: RunRequest): Promise<RunOutcome> {
    const running: Running = {
      controller: new AbortController(),
      stopWaiting: new AbortController(),
      batch: undefined,
    };
    this.#running.add(running);
    this.changes.fire(this.#running.size);
    const { signal, resolve, loopCheck } = request;
    const cancel = () => running.controller.abort(signal?.reason);
    const forget = signal && whenAborted(signal, cancel);
    if (signal?.aborted) cancel();
    try {
      const results = await run(request.calls, request.registry, {
        strategy: request.strategy,
        ...(request.maxConcurrency !== undefined && { maxConcurrency: request.maxConcurrency }),
        onHardError: request.onHardError,
        signal: running.controller.signal,
        graceMs: GRACE_MS,
        stopWaiting: running.stopWaiting.signal,
        gate: this.#gate,
        ...(resolve && { resolve }),
        ...(loopCheck && { loopCheck }),
        log: (message) => this.#log.warn(message),
        onEvent: (event) => this.#take(running, request, event),
      });
      return this.#outcome(running, { results });
    } catch (error) {
      if (!(error instanceof BatchAborted)) throw error;
      return this.#outcome(running, { aborted: error.message });
    } finally {
      forget?.();
      this.#running.delete(running);
      if (running.batch) this.#batches.end(running.batch);
      this.changes.fire(this.#running.size);
    }
  }

  /**
   * Cancels this batch, or without one the batch that began last; asked again, stops waiting for calls that do not
   * settle. False when it does not run.
   */
  cancel(batch?: Batch, reason = 'cancelled by the user'): boolean {
    const running = this.#find(batch);
    if (!running) return false;
    if (running.controller.signal.aborted) running.stopWaiting.abort();
    else running.controller.abort(new Error(reason));
    return true;
  }

  /** Cancels every batch that runs. */
  cancelAll(reason: string): void {
    for (const { controller } of this.#running) controller.abort(new Error(reason));
  }

  /** Ends the grace period that a stopping batch gives its running calls. False when it does not run. */
  stopWaiting(batch?: Batch): boolean {
    const running = this.#find(batch);
    running?.stopWaiting.abort();
    return running !== undefined;
  }

  #find(batch: Batch | undefined): Running | undefined {
    const all = [...this.#running];
    return batch ? all.find((one) => one.batch === batch) : all.at(-1);
  }

  #take(running: Running, request: RunRequest, event: WavesEvent): void {
    if (!running.batch) {
      running.batch = this.#batches.begin(request.notes);
      const calls = isStream(request.calls) ? 'a stream' : `${request.calls.length} calls`;
      this.#log.info(`${running.batch.title}: ${calls}, ${request.strategy}.`);
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

function isStream(calls: Calls): calls is AsyncIterable<StreamEvent> {
  return Symbol.asyncIterator in calls;
}

/** Nothing of the dispatcher is loaded before the first batch, and of streaming before the first stream. */
async function run(calls: Calls, registry: Registry, options: DispatchOptions): Promise<ToolResult[]> {
  if (isStream(calls)) {
    const { dispatchStream } = await import('../core/dispatch/dispatchStream.ts');
    return dispatchStream(calls, registry, options);
  }
  const { dispatch } = await import('../core/dispatch/dispatch.ts');
  return dispatch(calls, registry, options);
}
