/** The levels of a conflict graph, told as waves: a level starts with its first call and ends with its last. */
import type { Run } from './run.ts';

export class Levels {
  readonly #run: Run;
  /** For each level, its calls that are not over. */
  readonly #left: number[] = [];
  readonly #started = new Set<number>();
  #sealed = false;

  constructor(run: Run) {
    this.#run = run;
  }

  /** One more call in this level. */
  add(wave: number): void {
    this.#left[wave] = (this.#left[wave] ?? 0) + 1;
  }

  /** A call of this level starts. */
  started(wave: number): void {
    if (this.#started.has(wave)) return;
    this.#started.add(wave);
    this.#run.emit('wave-started', { wave });
  }

  /** A call of this level is over. */
  ended(wave: number): void {
    this.#left[wave] = (this.#left[wave] ?? 0) - 1;
    this.#tell(wave);
  }

  /** No more calls come: levels without calls under way have ended. */
  seal(): void {
    this.#sealed = true;
    for (const wave of this.#started) this.#tell(wave);
  }

  #tell(wave: number): void {
    if (this.#sealed && this.#left[wave] === 0) this.#run.emit('wave-ended', { wave });
  }
}
