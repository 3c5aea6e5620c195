/** The run of one call, raced against the end of the batch and the call's time limit (DESIGN section 4). */
import type { ToolCall, ToolResult } from '../model.ts';
import type { Tool, ToolContext, ToolOutput } from '../tools.ts';
import { answered, type Ending, failure, interrupted, thrown, timedOut } from './endings.ts';
import { type Held, NestedBatches } from './nested.ts';
import { DEFAULT_GRACE_MS, type NestedOptions } from './options.ts';
import type { Run } from './run.ts';

/** A call between its start and its end: what its tool may use, and the one ending that counts. */
export class Execution {
  readonly #run: Run;
  readonly #index: number;
  readonly #call: ToolCall;
  readonly #held: Held;
  #controller: AbortController | undefined;
  #abortReason: unknown;
  #nested: NestedBatches | undefined;
  #onHandOut: (() => void)[] | undefined;
  #ended = false;
  #end = (_ending: Ending) => {};
  #forgetGrace = () => {};

  constructor(run: Run, index: number, call: ToolCall, held: Held) {
    this.#run = run;
    this.#index = index;
    this.#call = call;
    this.#held = held;
  }

  /** Runs the tool. The first ending counts: its answer, its limit, or the end of the grace period. Never rejects. */
  run(tool: Tool): Promise<Ending> {
    const run = this.#run;
    const limit = tool.timeoutMs ?? run.options.timeoutMs;
    return new Promise((resolve) => {
      let forgetTimer = () => {};
      const end = (ending: Ending) => {
        if (this.#ended) {
          const who = `Call #${this.#index + 1} (${this.#call.name})`;
          return run.log(`${who} answered after its end; the answer is dropped.`);
        }
        this.#ended = true;
        forgetTimer();
        forgetStop();
        this.#forgetGrace();
        this.#nested?.end();
        resolve(ending);
      };
      this.#end = end;
      const forgetStop = run.whenStopped(() => {
        this.#abort(run.signal.reason);
        void run.graceOver.then(() => {
          if (run.stop && !this.#ended)
            end(interrupted(run.stop, 'it did not end within the grace period and may still be running'));
        });
      });
      if (limit !== undefined) {
        forgetTimer = run.clock.after(limit, () => {
          const ending = timedOut(limit);
          end(ending);
          this.#abort(new Error(ending.error));
        });
      }
      invoke(tool, this.#call.input as Record<string, unknown>, this.#context()).then(
        (output) => {
          const stopped = 'it ended all the same, so its effects may have happened';
          end(run.stop ? interrupted(run.stop, stopped) : this.#toHandOut(answered(output)));
        },
        (error: unknown) => end(run.stop ? interrupted(run.stop) : thrown(error)),
      );
    });
  }

  /** Nobody wants the answer any more: tells the tool, and gives it the grace period to settle. */
  abandon(reason: string): void {
    if (this.#ended) return;
    this.#abort(new Error(reason));
    const { clock, options } = this.#run;
    this.#forgetGrace = clock.after(options.graceMs ?? DEFAULT_GRACE_MS, () =>
      this.#end(failure('cancelled', reason)),
    );
  }

  /** The batches that the call dispatched and that still run, if any: they hold its permit. */
  get lent(): Promise<void> | undefined {
    return this.#nested?.settled();
  }

  /** An object of its own properties, since tools that wrap others spread it. */
  #context(): ToolContext {
    const signal = () => this.#signal();
    return {
      get signal() {
        return signal();
      },
      dispatch: (calls, options) => {
        const answers = this.#dispatch(calls, options);
        answers.catch(() => {}); // a tool that does not wait for them is nobody's unhandled rejection
        return answers;
      },
      report: ({ resource, mode }) => {
        if (!this.#ended) this.#run.emit('access-observed', { call: this.#index, resource, mode });
      },
      progress: (message) => {
        if (!this.#ended) this.#run.emit('call-progress', { call: this.#index, message });
      },
      whenHandedOut: (then) => {
        if (this.#ended) return;
        this.#onHandOut ??= [];
        this.#onHandOut.push(then);
      },
    };
  }

  /** One a call, made when the tool asks: many listeners on a shared signal make some runtimes warn of a leak. */
  #signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#abortReason !== undefined) this.#controller.abort(this.#abortReason);
    return this.#controller.signal;
  }

  async #dispatch(calls: readonly ToolCall[], options?: NestedOptions): Promise<ToolResult[]> {
    this.#nested ??= new NestedBatches(this.#run, this.#held);
    if (this.#ended || this.#run.stop) this.#nested.end();
    else {
      const message = `Runs a batch of its own: ${calls.length} ${calls.length === 1 ? 'call' : 'calls'}.`;
      this.#run.emit('call-progress', { call: this.#index, message });
    }
    return this.#nested.dispatch(calls, options);
  }

  #toHandOut(ending: Ending): Ending {
    return this.#onHandOut ? { ...ending, onHandOut: this.#onHandOut } : ending;
  }

  #abort(reason: unknown): void {
    this.#abortReason = reason;
    this.#controller?.abort(reason);
    this.#nested?.end();
  }
}

/** A throw before the first await is a rejection like any other. */
async function invoke(tool: Tool, input: Record<string, unknown>, context: ToolContext): Promise<ToolOutput> {
  return tool.run(input, context);
}
