/** What the calls of one run share: the event log, slots, permits, and the one way in which a run stops. */
import { whenAborted } from '../abort.ts';
import { type Clock, systemClock } from '../clock.ts';
import { type Declared, mayWrite } from '../declare.ts';
import { messageOf } from '../errors.ts';
import type { EventBodies, EventType, WavesEvent } from '../events.ts';
import type { ToolCall, ToolResult } from '../model.ts';
import type { Registry } from '../tools.ts';
import type { EarlyRun } from './early.ts';
import { createGate, type Gate } from './gate.ts';
import { ResultRow } from './loops.ts';
import type { Lineage, RunBatch } from './nested.ts';
import { DEFAULT_GRACE_MS, type DispatchOptions } from './options.ts';
import { createPermits, type Permits } from './permits.ts';
import { createSlots, type Slots } from './slots.ts';

/** Why a run stops before its end. */
export interface Stop {
  readonly how: 'aborted' | 'cancelled';
  readonly reason: string;
  /** The call that caused it. */
  readonly by?: number;
  /** The run's limit in milliseconds, when that is what stopped it. */
  readonly limitMs?: number;
  readonly cause?: unknown;
  /** Whatever the mode, no result is handed out: the stream broke, or its ids make the batch unusable. */
  readonly discards?: 'broken' | 'refused';
}

/** What a run is made from. */
export interface RunParts {
  readonly calls: readonly ToolCall[];
  readonly registry: Registry;
  readonly options: DispatchOptions;
  readonly cap: number;
  /** Where the batch comes from, when a running call dispatched it. */
  readonly lineage: Lineage | undefined;
  /** Runs a batch that a call of this run dispatches. */
  readonly runBatch: RunBatch;
  /** Of a streamed batch: whether what may write starts as soon as it is closed. */
  readonly writesEarly?: boolean;
}

export class Run {
  readonly calls: readonly ToolCall[];
  readonly registry: Registry;
  readonly options: DispatchOptions;
  readonly lineage: Lineage | undefined;
  readonly runBatch: RunBatch;
  readonly #writesEarly: boolean;
  readonly clock: Clock;
  readonly permits: Permits;
  readonly gate: Gate;
  readonly slots: Slots;
  /** The calls that wait for a permit: let go together when the run stops, so that none needs a listener. */
  readonly waiting = new Set<{ withdraw(): void }>();
  /** Calls that began before they were closed, until their turn comes. */
  readonly early = new Map<number, EarlyRun>();
  /** Results in request order, for the session's loop check. */
  readonly row: ResultRow | undefined;
  /** Aborted when the run stops. */
  readonly signal: AbortSignal;
  /** Resolves when the run has stopped and the grace period is over. */
  readonly graceOver: Promise<void>;
  stop: Stop | undefined;
  softErrors = 0;
  readonly #controller = new AbortController();
  readonly #onStop = new Set<() => void>();
  readonly #began: number;
  #endGrace = () => {};
  #cancelGrace = () => {};
  readonly #onHandOut: (() => void)[] = [];
  #seq = 0;
  #completions = 0;

  constructor({ calls, registry, options, cap, lineage, runBatch, writesEarly = false }: RunParts) {
    this.calls = calls;
    this.registry = registry;
    this.options = options;
    this.lineage = lineage;
    this.runBatch = runBatch;
    this.#writesEarly = writesEarly;
    this.clock = options.clock ?? systemClock;
    this.permits = lineage?.permits ?? createPermits(cap);
    this.gate = options.gate ?? createGate();
    this.slots = createSlots(calls);
    this.row = options.loopCheck && new ResultRow(calls, options.loopCheck);
    this.signal = this.#controller.signal;
    this.graceOver = new Promise((resolve) => {
      this.#endGrace = resolve;
    });
    this.#began = this.clock.now();
  }

  /** Whether anybody listens: nothing is built for nobody. */
  get observed(): boolean {
    return this.options.onEvent !== undefined;
  }

  /**
   * Whether a call waits until the model's message has ended. A stream may break, and the model is asked again: what
   * only reads may run twice then, what writes must not
   * (https://github.com/anthropics/anthropic-sdk-python/issues/1749).
   */
  waitsForMessage(declared: Declared): boolean {
    return !this.#writesEarly && mayWrite(declared);
  }

  /** Whether results still count: after an abort none is handed out, so no slot is filled. */
  get handsOut(): boolean {
    return !this.stop || (this.options.onHardError === 'answer-all' && !this.stop.discards);
  }

  emit<T extends EventType>(type: T, body: EventBodies[T]): void {
    if (!this.options.onEvent) return;
    const t = Math.round((this.clock.now() - this.#began) * 1000) / 1000;
    const event = { type, seq: this.#seq++, t, ...body } as unknown as WavesEvent; // body is that of this type
    try {
      this.options.onEvent(event);
    } catch (error) {
      this.log(`A subscriber threw on event ${event.seq} (${type}): ${messageOf(error)}`, error);
    }
  }

  log(message: string, cause?: unknown): void {
    try {
      if (this.options.log) this.options.log(message, cause);
      else console.error(message, cause);
    } catch (error) {
      console.error(message, cause, error); // a closed channel, say: nothing of the run depends on it
    }
  }

  /** Ends the run early: nothing new starts, running calls get the abort signal and the grace period. Once. */
  end(stop: Stop): void {
    if (this.stop) return;
    this.stop = stop;
    const { reason, by } = stop;
    this.emit('cancel-requested', { reason, ...(by !== undefined && { by }) });
    this.#startGrace();
    this.#controller.abort(new Error(reason));
    for (const tell of this.#onStop) tell();
    this.#onStop.clear();
    // Not at once: the call that stops the run has its own end to tell first.
    queueMicrotask(() => {
      const waiting = [...this.waiting];
      this.waiting.clear();
      for (const turn of waiting) turn.withdraw();
    });
  }

  /** Calls `tell` when the run stops, at once if it has, until the returned function is called. */
  whenStopped(tell: () => void): () => void {
    if (this.stop) {
      tell();
      return () => {};
    }
    this.#onStop.add(tell);
    return () => this.#onStop.delete(tell);
  }

  /** Nothing of the run is left: no timer, no listener. */
  close(): void {
    this.#cancelGrace();
  }

  nextCompletion(): number {
    return ++this.#completions;
  }

  /** Puts a result into its slot; the dispatcher stamps id and name, whatever the tool returned. */
  fill(index: number, result: ToolResult, onHandOut?: readonly (() => void)[]): void {
    const filled = this.slots.fill(index, result);
    if (filled) {
      this.emit('slot-filled', { call: index, isError: result.isError });
      if (onHandOut) this.#onHandOut.push(...onHandOut);
    } else this.log(`Call #${index + 1} (${result.name}) answered twice; the first answer stands.`);
  }

  /** All results, in request order: tools that wait for theirs to be handed out are told. */
  results(): ToolResult[] {
    for (const then of this.#onHandOut.splice(0)) {
      try {
        then();
      } catch (error) {
        this.log(`A tool threw when its answer was handed out: ${messageOf(error)}`, error);
      }
    }
    return this.slots.results();
  }

  #startGrace(): void {
    const { graceMs = DEFAULT_GRACE_MS, stopWaiting } = this.options;
    if (stopWaiting?.aborted) {
      this.#endGrace();
      return;
    }
    const forgetTimer = this.clock.after(graceMs, this.#endGrace);
    const forgetSignal = stopWaiting && whenAborted(stopWaiting, this.#endGrace);
    this.#cancelGrace = () => {
      forgetTimer();
      forgetSignal?.();
    };
  }
}
