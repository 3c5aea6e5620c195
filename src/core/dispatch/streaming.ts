/**
 * Runs the calls of a message that the model is still writing (DESIGN section 5). Calls are placed in the model's order
 * as they are complete, by the same plans and the same conductors as a batch that came whole; the first that is not
 * complete may run early where its tool says what that takes.
 */
import { type Declared, mayWrite } from '../declare.ts';
import { equalJson } from '../equal.ts';
import { messageOf } from '../errors.ts';
import type { ToolCall, ToolResult } from '../model.ts';
import { PlannedDecision } from '../plan/decision.ts';
import { strategyOf } from '../plan/strategies.ts';
import type { Planner } from '../plan/strategy.ts';
import { isRecord } from '../record.ts';
import type { StreamEvent } from '../stream/streamEvent.ts';
import type { Registry } from '../tools.ts';
import type { Arrival } from './arrival.ts';
import { Arrivals } from './arrivals.ts';
import { type Conductor, createConductor } from './conductor.ts';
import { declared } from './declared.ts';
import { runBatch } from './dispatch.ts';
import { EarlyRun } from './early.ts';
import { interrupted, notRun } from './endings.ts';
import { handOut, watchForEnd } from './handOut.ts';
import { capOf, type DispatchOptions } from './options.ts';
import { NOT_DECLARED, settle } from './pipeline.ts';
import { Run } from './run.ts';
import { tellDecision, tellFindings } from './tell.ts';

export interface StreamingOptions extends DispatchOptions {
  /**
   * When calls that are unsafe, or list a write, may start: when the message has ended (the default), so that a stream
   * which breaks and is asked for again makes nothing happen twice; or as soon as they are closed.
   */
  readonly writesStart?: 'message-ended' | 'closed';
}

export interface StreamingDispatch {
  /** Takes in what the model sends. Never throws; what makes no sense breaks the stream. */
  push(event: StreamEvent): void;
  /** Cancels the batch, wherever it is. */
  abort(): void;
  /**
   * The results in request order, when the message has ended and all its calls have.
   * Rejects as `dispatch` does, and in either mode with BatchAborted when the stream breaks: nothing of it counts.
   */
  readonly results: Promise<ToolResult[]>;
}

/** Nobody knows how many calls will come, so this is the most that run at once. */
const MOST_PERMITS = 1_000;

/**
 * A dispatch whose calls come one by one.
 * @throws {RangeError} for a strategy or cap that does not exist.
 */
export function createStreamingDispatch(
  registry: Registry,
  options: StreamingOptions = {},
): StreamingDispatch {
  const stream = new Streaming(registry, options);
  const results = stream.run();
  results.catch(() => {}); // a caller that only listens to events is nobody's unhandled rejection
  return { push: (event) => stream.push(event), abort: () => stream.abort(), results };
}

class Streaming {
  readonly #run: Run;
  readonly #arrivals: Arrivals;
  readonly #calls: ToolCall[] = [];
  readonly #declarations: Declared[] = [];
  readonly #planner: Planner;
  readonly #conductor: Conductor;
  /** What the end of the run waits for beside the calls: early runs that do not count. */
  readonly #leaving: Promise<void>[] = [];
  readonly #allPlaced: Promise<void>;
  #seal = () => {};
  #placing = false;
  #starting = false;

  constructor(registry: Registry, options: StreamingOptions) {
    const strategy = strategyOf(options.strategy ?? 'sequential');
    const cap = capOf(options.maxConcurrency, strategy.defaultCap, MOST_PERMITS);
    const writesEarly = options.writesStart === 'closed';
    const calls = this.#calls;
    this.#run = new Run({ calls, registry, options, cap, lineage: undefined, runBatch, writesEarly });
    this.#planner = strategy.begin(this.#declarations);
    this.#conductor = createConductor({
      run: this.#run,
      strategy,
      placement: this.#planner.placement,
      changed: () => this.#startEarly(),
    });
    this.#arrivals = new Arrivals(registry, this);
    this.#allPlaced = new Promise((resolve) => {
      this.#seal = resolve;
    });
    this.#run.emit('batch-received', {
      strategy: strategy.name,
      permits: cap,
      onHardError: options.onHardError ?? 'abort',
      calls: [],
      streaming: true,
    });
    this.#run.emit('run-started', { waves: 0 });
  }

  async run(): Promise<ToolResult[]> {
    const run = this.#run;
    const forget = watchForEnd(run);
    run.whenStopped(() => this.#stopped());
    this.#conductor.begin();
    try {
      await this.#allPlaced;
      if (run.observed && !run.stop) tellFindings(run, this.#planner.placement);
      this.#conductor.seal();
      await this.#conductor.over;
      await Promise.all(this.#leaving);
    } catch (error) {
      this.#fail(error);
    } finally {
      forget();
      run.close();
    }
    return handOut(run);
  }

  push(event: StreamEvent): void {
    if (this.#run.stop) return; // nothing that comes now counts
    try {
      this.#arrivals.push(event);
    } catch (error) {
      this.#fail(error);
    }
  }

  abort(): void {
    this.#run.end({ how: 'cancelled', reason: 'The batch was cancelled.' });
  }

  opened({ call: { id, name } }: Arrival): void {
    const call = this.#calls.push({ id, name, input: undefined }) - 1;
    this.#run.emit('call-opened', { call, id, name });
    void this.#place(); // one before it, whose input is blank, is complete now
  }

  known({ index }: Arrival, name: string): void {
    this.#run.emit('argument-closed', { call: index, name });
    void this.#startEarly();
  }

  closed({ index, call }: Arrival): void {
    this.#run.emit('call-closed', { call: index, input: call.input });
    void this.#place();
  }

  ended(stopReason: string | undefined, cutOff: boolean): void {
    this.#run.emit('message-ended', {
      ...(stopReason !== undefined && { stopReason }),
      ...(cutOff && { cutOff }),
    });
    void this.#place();
  }

  broken(reason: string): void {
    const why = `The stream broke (${reason.replace(/\.$/, '')}), so nothing of its message counts.`;
    this.#run.end({ how: 'aborted', reason: why, discards: 'broken' });
  }

  refused(reason: string): void {
    this.#run.end({ how: 'aborted', reason, discards: 'refused' });
  }

  /** Gives every call that is complete its place. When no more can come, the plan is whole. */
  async #place(): Promise<void> {
    if (this.#placing) return;
    this.#placing = true;
    const run = this.#run;
    try {
      while (!run.stop) {
        const due = this.#arrivals.take(); // not after a stop: whoever takes a call answers for it
        if (due.length === 0) break;
        for (const arrival of due) this.#judge(arrival);
        const answers = declared(
          run,
          due.map(({ call }) => call),
        );
        const declarations = answers instanceof Promise ? await answers : answers;
        if (run.stop) this.#leave(due);
        else for (const [at, { index }] of due.entries()) this.#add(index, declarations[at] ?? NOT_DECLARED);
      }
    } catch (error) {
      this.#fail(error);
    }
    this.#placing = false;
    if (run.stop) this.#stopped();
    else if (this.#arrivals.ended && !this.#arrivals.next) this.#seal();
    else void this.#startEarly();
  }

  /** The call is complete: what began early is it, or never was. */
  #judge({ index, call, early }: Arrival): void {
    this.#calls[index] = call;
    if (!early) return;
    const difference = differenceOf(early.call.input, call);
    if (early.begun && difference === undefined) early.confirm();
    else {
      early.discard(difference ?? 'it had not begun');
      if (early.begun) this.#leaving.push(early.gone);
    }
  }

  #add(index: number, declaration: Declared): void {
    this.#declarations.push(declaration);
    const { placement, place } = this.#planner;
    const wave = place(declaration, index);
    if (this.#run.observed) {
      tellDecision(this.#run, new PlannedDecision(index, wave, placement), this.#declarations);
    }
    this.#conductor.add(index, wave);
  }

  /** Lets the first call that is not complete run, if it has what it needs and nothing is in its way. */
  async #startEarly(): Promise<void> {
    if (this.#starting || this.#placing) return;
    this.#starting = true;
    try {
      const { next } = this.#arrivals;
      const call = this.#run.stop || this.#arrivals.ended ? undefined : next?.earlyCall;
      if (next && call) {
        const answers = declared(this.#run, [call]);
        const [declaration] = answers instanceof Promise ? await answers : answers;
        if (declaration && !next.closed && !this.#run.stop && this.#mayStart(declaration)) {
          const { accesses } = declaration;
          next.early = new EarlyRun(this.#run, next.index, {
            batch: this.#run,
            accesses,
            parent: undefined,
            call,
          });
          void next.early.begin();
        }
      }
    } catch (error) {
      this.#fail(error);
    }
    this.#starting = false;
  }

  /** Whether it may run now although more of its input may come: it changes nothing, and it is its turn. */
  #mayStart(declaration: Declared): boolean {
    if (declaration.refusal !== undefined || mayWrite(declaration)) return false;
    return this.#conductor.isFree(declaration, this.#planner.waveFor(declaration));
  }

  /** The run has stopped: what has no place yet will have none. */
  #stopped(): void {
    if (this.#placing) return; // it comes back here
    this.#leave(this.#arrivals.takeRest());
    this.#seal();
  }

  #leave(arrivals: readonly Arrival[]): void {
    for (const { index, call, early } of arrivals) {
      const { stop } = this.#run;
      early?.discard('the batch stopped');
      if (!early?.begun || !stop) settle(this.#run, index, call, notRun(stop), 0);
      else {
        this.#leaving.push(early.gone.then(() => settle(this.#run, index, call, interrupted(stop), 0)));
      }
    }
  }

  #fail(error: unknown): void {
    this.#run.end({
      how: 'aborted',
      reason: `The dispatcher failed: ${messageOf(error)}`,
      cause: error,
    });
  }
}

/** Why a run with this input does not count for the call; undefined where it does. */
function differenceOf(began: unknown, { input, inputError }: ToolCall): string | undefined {
  if (inputError !== undefined) return 'its input turned out not to be usable';
  if (equalJson(began, input)) return undefined;
  const before = isRecord(began) ? began : {};
  const after = isRecord(input) ? input : {};
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !equalJson(before[name], after[name]),
  );
  return `it began without knowing the whole input: ${names.slice(0, 5).join(', ')} came later`;
}
