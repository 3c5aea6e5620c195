/**
 * A call that runs before its input is complete (DESIGN section 5). What comes of it is held until the call is closed:
 * if its input is then the one that this began with, the run counts; else it is aborted and never was.
 */
import type { ToolCall } from '../model.ts';
import type { Ending } from './endings.ts';
import { Execution } from './execute.ts';
import type { Visitor } from './gate.ts';
import { askBefore } from './hooks.ts';
import type { Waiter } from './permits.ts';
import { type Course, conclude, type Job, looped, runWithPermit } from './pipeline.ts';
import type { Run } from './run.ts';

/** How it ended, and how long the tool ran. */
interface Held {
  readonly ending: Ending;
  readonly ranMs: number | undefined;
}

export class EarlyRun implements Waiter, Job {
  /** Nothing of it runs any more. */
  readonly gone: Promise<void>;
  /** With the arguments that it began with. */
  readonly call: ToolCall;
  readonly #run: Run;
  readonly #index: number;
  readonly #visitor: Visitor;
  #execution: Execution | undefined;
  #verdict: 'confirmed' | 'discarded' | undefined;
  #held: Held | undefined;
  #startedAt: number | undefined;
  #endedAt: number | undefined;
  /** The call as it was closed, and who is to be told of its end. */
  #adopted: { readonly call: ToolCall; readonly course: Course } | undefined;
  /** It was adopted before it ended. */
  #countsHere = false;
  #isGone = () => {};
  #failed: (error: unknown) => void = () => {};

  constructor(run: Run, index: number, visitor: Visitor) {
    this.#run = run;
    this.#index = index;
    this.#visitor = visitor;
    this.call = visitor.call;
    this.gone = new Promise((resolve, reject) => {
      this.#isGone = resolve;
      this.#failed = reject;
    });
    this.gone.catch(() => {}); // whoever waits for it hears of it
  }

  /** It holds or held a permit: whoever closes the call must confirm or discard it. */
  get begun(): boolean {
    return this.#execution !== undefined;
  }

  /** It was confirmed. */
  get counts(): boolean {
    return this.#verdict === 'confirmed';
  }

  get dropped(): boolean {
    return this.#verdict === 'discarded';
  }

  /** Asks the before-hook, and lines up for a permit. A call that must not run now is not run early, no more. */
  async begin(): Promise<void> {
    const { options, permits, waiting } = this.#run;
    const { hooks } = options;
    if (hooks?.before && (await askBefore(this.#run, this.#index, this.call, hooks)).how !== 'go') return;
    if (this.#verdict || this.#run.stop) return;
    const permit = permits.tryTake();
    if (permit !== undefined) this.#hold(permit);
    else {
      waiting.add(this);
      permits.wait(this);
    }
  }

  grant(permit: number): boolean {
    if (this.#run.stop || !this.#run.waiting.delete(this)) return false;
    this.#hold(permit);
    return true;
  }

  withdraw(): void {
    this.#run.waiting.delete(this);
  }

  started(): void {
    this.#startedAt = this.#run.clock.now();
  }

  conclude(ending: Ending, ranMs: number | undefined): Promise<void> | undefined {
    this.#endedAt = this.#run.clock.now();
    const held = { ending, ranMs };
    this.#held = held;
    if (!this.#adopted) return undefined;
    this.#countsHere = true;
    return this.#count(this.#adopted.call, held);
  }

  left(): void {
    if (this.#countsHere) this.#adopted?.course.ended?.(this.#index);
  }

  /** The call is closed, and its input is the one that this began with. */
  confirm(): void {
    this.#verdict = 'confirmed';
    this.#run.early.set(this.#index, this);
    this.#run.emit('speculation-confirmed', { call: this.#index, wonMs: this.#ranMs() });
  }

  /** What came of it does not count. One that has not begun is simply not begun any more. */
  discard(reason: string): void {
    this.#verdict = 'discarded';
    this.withdraw();
    if (!this.#execution) return;
    this.#run.early.set(this.#index, this);
    this.#run.emit('speculation-discarded', { call: this.#index, wastedMs: this.#ranMs(), reason });
    this.#execution.abandon(reason);
  }

  /** Its turn has come: from here on it is the call. */
  adopt(call: ToolCall, course: Course): void {
    this.#run.early.delete(this.#index);
    this.#adopted = { call, course };
    const held = this.#held;
    if (!held) {
      this.gone.then(() => course.over(this.#index), course.failed);
      return;
    }
    const count = async () => {
      await this.#count(call, held);
      course.ended?.(this.#index);
      await this.gone;
      course.over(this.#index);
    };
    count().catch(course.failed);
  }

  #hold(permit: number): void {
    const run = this.#run;
    const index = this.#index;
    this.#execution = new Execution(run, index, this.call, {
      visitor: this.#visitor,
      permit,
      rank: undefined,
    });
    run.emit('speculation-started', { call: index, input: this.call.input });
    runWithPermit(run, index, this.#visitor, permit, this.#execution, this).then(this.#isGone, this.#failed);
  }

  #count(call: ToolCall, { ending, ranMs }: Held): Promise<void> | undefined {
    return conclude(this.#run, this.#index, call, looped(this.#run, call) ?? ending, ranMs);
  }

  /** How long the tool has run by now. */
  #ranMs(): number {
    if (this.#startedAt === undefined) return 0;
    return Math.round(((this.#endedAt ?? this.#run.clock.now()) - this.#startedAt) * 1000) / 1000;
  }
}
