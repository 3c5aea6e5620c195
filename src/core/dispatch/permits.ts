/**
 * The permits of a run: at most N held, first come first served (DESIGN section 4, rule R6), unless a waiter has more
 * weight (`dataflow`: the longest remaining chain first). A permit has a number, the lane it is drawn in; the lowest
 * free one is given. Waiters are let go together when the run stops, so that no call needs a listener of its own.
 */
import { createHeap } from '../heap.ts';

/** What a waiter gets: a permit's number, or undefined when the run stopped first. */
type Granted = number | undefined;

/** Who goes first among those that wait: the one with more weight, then the lower order. */
export interface Rank {
  readonly weight: number;
  readonly order: number;
}

export interface Permits {
  /** A permit at once, if one is free and nobody waits. */
  tryTake(): number | undefined;
  /** A permit when it is this waiter's turn, or undefined when the run stopped before. */
  take(rank?: Rank): Promise<Granted>;
  /** @throws {Error} when the permit is not held: it is returned exactly once. */
  giveBack(permit: number): void;
  /** Lets all waiters go with nothing, and every later one. */
  stop(): void;
  readonly free: number;
}

interface Waiter extends Rank {
  readonly resolve: (granted: Granted) => void;
}

/** `count` permits, numbered from 0. */
export function createPermits(count: number): Permits {
  const held = new Array<boolean>(count).fill(false);
  let free = count;
  let lowest = 0;
  let stopped = false;
  let arrivals = 0;
  const waiting = createHeap<Waiter>(
    (a, b) => a.weight > b.weight || (a.weight === b.weight && a.order < b.order),
  );

  function tryTake(): number | undefined {
    if (free === 0 || stopped) return undefined;
    while (held[lowest]) lowest++;
    const permit = lowest++;
    held[permit] = true;
    free--;
    return permit;
  }

  return {
    tryTake,
    take(rank) {
      const permit = tryTake();
      if (permit !== undefined || stopped) return Promise.resolve(permit);
      return new Promise((resolve) =>
        waiting.push({ ...(rank ?? { weight: 0, order: arrivals++ }), resolve }),
      );
    },
    giveBack(permit) {
      if (!held[permit]) throw new Error(`Permit ${permit} is not held; a permit is returned exactly once.`);
      const next = waiting.pop();
      if (next) {
        next.resolve(permit); // handed on: it was never free
        return;
      }
      held[permit] = false;
      lowest = Math.min(lowest, permit);
      free++;
    },
    stop() {
      stopped = true;
      for (let waiter = waiting.pop(); waiter; waiter = waiting.pop()) waiter.resolve(undefined);
    },
    get free() {
      return free;
    },
  };
}
