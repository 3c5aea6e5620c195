/** Time as something passed in: the real clock, or a virtual one that jumps from timer to timer. */
import { createHeap } from './heap.ts';

export interface Clock {
  /** Milliseconds, monotonic, from any origin. */
  now(): number;
  /** Calls `run` once after `ms` milliseconds, unless the returned function is called before. */
  after(ms: number, run: () => void): () => void;
}

/** Runtimes fire a timer of more than 24.8 days, infinity included, at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** The clock on the wall. What is due later than a timer can wait, is due never. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    if (ms > LONGEST_MS) return () => {};
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  cancelled: boolean;
}

export interface VirtualClock extends Clock {
  /**
   * Fires timers in order of time, then of setting, each after everything that the one before set off has come to
   * rest, until `done` has settled. What runs on this clock may wait for it and for microtasks only.
   * @throws {Error} when nothing is left to fire and `done` has not settled.
   */
  runUntil<T>(done: Promise<T>): Promise<T>;
}

/** A clock at 0 that costs no time. */
export function createVirtualClock(): VirtualClock {
  const timers = createHeap<Timer>((a, b) => a.at < b.at || (a.at === b.at && a.order < b.order));
  let now = 0;
  let order = 0;
  return {
    now: () => now,
    after(ms, run) {
      const timer: Timer = { at: now + Math.max(0, ms), order: order++, run, cancelled: false };
      timers.push(timer);
      return () => {
        timer.cancelled = true;
      };
    },
    async runUntil(done) {
      let settled = false;
      const mark = () => {
        settled = true;
      };
      done.then(mark, mark);
      const rest = createRest();
      try {
        for (;;) {
          await rest.next();
          if (settled) return await done;
          const timer = timers.pop();
          if (!timer) throw new Error('The virtual clock has no timer left, and what it runs has not ended.');
          if (timer.cancelled) continue;
          now = timer.at;
          timer.run();
        }
      } finally {
        rest.close();
      }
    },
  };
}

/** A turn of the event loop, after which every pending microtask has run. A message is quicker than a timer. */
function createRest() {
  const { port1, port2 } = new MessageChannel();
  let resume = () => {};
  port1.addEventListener('message', () => resume());
  port1.start();
  return {
    next: () =>
      new Promise<void>((resolve) => {
        resume = resolve;
        port2.postMessage(null);
      }),
    close() {
      port1.close();
    },
  };
}
