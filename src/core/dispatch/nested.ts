/**
 * The batches that a running call dispatches itself (DESIGN section 4): in the same pool of permits, to which the call
 * lends its own, at the same gate, under the same hooks. They end with the call.
 */
import { BatchAborted } from '../errors.ts';
import type { ToolCall, ToolResult } from '../model.ts';
import type { Registry } from '../tools.ts';
import type { Visitor } from './gate.ts';
import type { DispatchOptions, NestedOptions } from './options.ts';
import { lendPermit, type Permits, type Rank } from './permits.ts';
import type { Run } from './run.ts';

/** Where a nested batch comes from. */
export interface Lineage {
  /** The running call that dispatched it. */
  readonly parent: Visitor;
  readonly permits: Permits;
  /** Aborted when that call is over. */
  readonly signal: AbortSignal;
}

export type RunBatch = (
  batch: readonly ToolCall[],
  registry: Registry,
  options: DispatchOptions,
  lineage?: Lineage,
) => Promise<ToolResult[]>;

/** What a running call holds. */
export interface Held {
  readonly visitor: Visitor;
  readonly permit: number;
  readonly rank: Rank | undefined;
}

/** The nested batches of one running call. */
export class NestedBatches {
  readonly #run: Run;
  readonly #lineage: Lineage;
  readonly #controller = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(run: Run, { visitor, permit, rank }: Held) {
    this.#run = run;
    const { signal } = this.#controller;
    this.#lineage = { parent: visitor, permits: lendPermit(permit, run.permits, rank), signal };
  }

  async dispatch(calls: readonly ToolCall[], own: NestedOptions = {}): Promise<ToolResult[]> {
    const { parent, signal } = this.#lineage;
    if (signal.aborted) {
      throw new BatchAborted(`${parent.call.name} is over, so it can dispatch no more.`, 'cancelled');
    }
    const running = this.#run.runBatch(calls, this.#run.registry, this.#options(own), this.#lineage);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** The call is over: so are its batches, and no new one begins. */
  end(): void {
    this.#controller.abort();
  }

  /** Resolves when no batch runs any more: only then is the lent permit free. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  #options(own: NestedOptions): DispatchOptions {
    const { options, gate } = this.#run;
    const { strategy, onHardError, signal, onEvent, runTimeoutMs } = own;
    const { graceMs, stopWaiting, hooks, clock, loopCheck } = options;
    const timeoutMs = own.timeoutMs ?? options.timeoutMs;
    const inherited = strategy ?? options.strategy;
    return {
      gate,
      log: (message, cause) => this.#run.log(message, cause),
      ...(options.resolve && { resolve: options.resolve.bind(options) }),
      ...(inherited !== undefined && { strategy: inherited }),
      ...(onHardError !== undefined && { onHardError }),
      ...(signal && { signal }),
      ...(onEvent && { onEvent }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(runTimeoutMs !== undefined && { runTimeoutMs }),
      ...(graceMs !== undefined && { graceMs }),
      ...(stopWaiting && { stopWaiting }),
      ...(hooks && { hooks }),
      ...(clock && { clock }),
      ...(loopCheck && { loopCheck }),
    };
  }
}
