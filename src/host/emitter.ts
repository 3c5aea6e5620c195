/** Something that can be given back: a listener, a timer, a part of the editor. */
export interface Subscription {
  dispose(): void;
}

/** An event with a countable number of listeners. A listener that throws is told to `onFault` and hurts nobody. */
export class Emitter<T> {
  readonly #listeners = new Set<{ readonly hear: (value: T) => void }>();
  readonly #onFault: (error: unknown) => void;

  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  /** How many listen now. */
  get size(): number {
    return this.#listeners.size;
  }

  /** Calls `hear` with every later value, until disposed. */
  on(hear: (value: T) => void): Subscription {
    const listener = { hear };
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  fire(value: T): void {
    for (const { hear } of [...this.#listeners]) {
      try {
        hear(value);
      } catch (error) {
        this.#onFault(error);
      }
    }
  }
}
