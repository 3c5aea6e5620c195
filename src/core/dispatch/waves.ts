/** One wave after the other; a wave ends when all its calls have ended (DESIGN section 3, rule R7). */
import type { Declared } from '../declare.ts';
import type { Placement, WaveRules } from '../plan/strategy.ts';
import type { Conductor, Score } from './conductor.ts';
import { notRun } from './endings.ts';
import { type Course, NOT_DECLARED, settle, Turn } from './pipeline.ts';
import type { Run } from './run.ts';

export class Waves implements Conductor {
  readonly over: Promise<void>;
  readonly #run: Run;
  readonly #placement: Placement;
  readonly #rules: WaveRules;
  readonly #course: Course;
  #done = () => {};
  /** The wave that runs, or ran last. */
  #wave = -1;
  #running = false;
  /** Its calls that are not over yet. */
  #left = 0;
  /** Those among them that wait for the end of the message. */
  #held: number[] = [];
  #begun = false;
  #sealed = false;
  #busy = false;

  constructor({ run, placement, changed }: Score, rules: WaveRules) {
    this.#run = run;
    this.#placement = placement;
    this.#rules = rules;
    let failed: (error: unknown) => void = () => {};
    this.over = new Promise((resolve, reject) => {
      this.#done = resolve;
      failed = reject;
    });
    const over = () => {
      this.#left--;
      this.#go();
      changed?.();
    };
    this.#course = { over, failed };
  }

  add(call: number, wave: number): void {
    if (this.#running && wave === this.#wave) this.#take([call]);
    this.#go();
  }

  begin(): void {
    this.#begun = true;
    this.#go();
  }

  seal(): void {
    this.#sealed = true;
    this.#lineUp(this.#held.splice(0));
    this.#go();
  }

  isFree(_declared: Declared, wave: number): boolean {
    if (this.#running && wave === this.#wave) return true;
    return this.#left === 0 && wave === this.#wave + 1 && this.#rules.startsEarly(wave);
  }

  /** As far as it goes now. A wave that ends at once makes the next one due in the midst of this: it is next, not deeper. */
  #go(): void {
    if (!this.#begun || this.#busy) return;
    this.#busy = true;
    while (this.#ended() && this.#next()) {}
    this.#busy = false;
  }

  /** Whether nothing runs, and nothing more can join what ran. */
  #ended(): boolean {
    if (!this.#running) return true;
    if (this.#left > 0) return false;
    if (!this.#sealed && !this.#rules.isFull(this.#wave, this.#placement)) return false;
    this.#running = false;
    this.#run.emit('wave-ended', { wave: this.#wave });
    return true;
  }

  /** Starts the next wave, if there is one and it may start. */
  #next(): boolean {
    const members = this.#placement.waves[this.#wave + 1];
    if (!members) {
      if (this.#sealed) this.#done();
      return false;
    }
    if (!this.#sealed && !this.#mayStart(this.#wave + 1, members)) return false;
    this.#wave++;
    if (this.#run.stop) for (const call of members) this.#skip(call);
    else {
      this.#running = true;
      this.#run.emit('wave-started', { wave: this.#wave });
      this.#take(members);
    }
    return true;
  }

  #mayStart(wave: number, members: readonly number[]): boolean {
    return this.#rules.startsEarly(wave) && !members.every((call) => this.#waits(call));
  }

  #waits(call: number): boolean {
    return !this.#sealed && this.#run.waitsForMessage(this.#declared(call));
  }

  /** These calls of the wave that runs may start, or wait for the end of the message. */
  #take(calls: readonly number[]): void {
    this.#left += calls.length;
    const due: number[] = [];
    for (const call of calls) (this.#waits(call) ? this.#held : due).push(call);
    this.#lineUp(due);
  }

  #lineUp(calls: readonly number[]): void {
    const wave = this.#wave;
    if (this.#run.observed) for (const call of calls) this.#run.emit('call-queued', { call, wave });
    for (const call of calls) new Turn(this.#run, call, this.#declared(call), this.#course).begin();
  }

  #skip(index: number): void {
    const call = this.#run.calls[index];
    if (call) settle(this.#run, index, call, notRun(this.#run.stop), 0);
  }

  #declared(call: number): Declared {
    return this.#placement.declarations[call] ?? NOT_DECLARED;
  }
}
