/** What the calls of one run share: the event log, slots, permits, and the one way in which a run stops. */
import { type Clock, systemClock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import type { EventBodies, EventType, WavesEvent } from '../events.ts';
import type { ToolCall, ToolResult } from '../model.ts';
import type { Registry } from '../tools.ts';
import { DEFAULT_GRACE_MS, type DispatchOptions } from './options.ts';
import { createPermits, type Permits } from './permits.ts';
import { createSlots, type Slots } from './slots.ts';

/** Why a run stops before its end. */
export interface Stop {
  readonly how: 'aborted' | 'cancelled';
  readonly reason: string;
  readonly by?: number;
  readonly cause?: unknown;
}

export class Run {
  readonly calls: readonly ToolCall[];
  readonly registry: Registry;
  readonly options: DispatchOptions;
  readonly clock: Clock;
  readonly permits: Permits;
  readonly slots: Slots;
  /** Aborted when the run stops; a call without a limit of its own gets this very signal. */
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
  #seq = 0;
  #completions = 0;

  constructor(calls: readonly ToolCall[], registry: Registry, options: DispatchOptions, cap: number) {
    this.calls = calls;
    this.registry = registry;
    this.options = options;
    this.clock = options.clock ?? systemClock;
    this.permits = createPermits(cap);
    this.slots = createSlots(calls);
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
    if (this.options.log) this.options.log(message, cause);
    else console.error(message, cause);
  }

  /** Ends the run early: nothing new starts, running calls get the abort signal and the grace period. Once. */
  end(stop: Stop): void {
    if (this.stop) return;
    this.stop = stop;
    const { reason, by } = stop;
    this.emit('cancel-requested', { reason, ...(by !== undefined && { by }) });
    this.#cancelGrace = this.clock.after(this.options.graceMs ?? DEFAULT_GRACE_MS, this.#endGrace);
    this.#controller.abort(new Error(reason));
    for (const tell of this.#onStop) tell();
    this.permits.stop();
  }

  /** Calls `tell` when the run stops, until the returned function is called. */
  whenStopped(tell: () => void): () => void {
    this.#onStop.add(tell);
    return () => this.#onStop.delete(tell);
  }

  /** Nothing of the run is left: no timer. */
  close(): void {
    this.#cancelGrace();
  }

  nextCompletion(): number {
    return ++this.#completions;
  }

  /** Puts a result into its slot; the dispatcher stamps id and name, whatever the tool returned. */
  fill(index: number, call: ToolCall, result: Omit<ToolResult, 'toolCallId' | 'name'>): void {
    const filled = this.slots.fill(index, { toolCallId: call.id, name: call.name, ...result });
    if (filled) this.emit('slot-filled', { call: index, isError: result.isError });
    else this.log(`Call #${index + 1} (${call.name}) answered twice; the first answer stands.`);
  }
}
