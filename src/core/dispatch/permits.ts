/**
 * The permits of a run: at most N held, first come first served (DESIGN section 4, rule R6), unless a waiter has more
 * weight (`dataflow`: the longest remaining chain first). A permit has a number, the lane it is drawn in; the lowest
 * free one is given.
 */
import { createHeap } from '../heap.ts';

/** Who goes first among those that wait: the one with more weight, then the lower order. */
export interface Rank {
  readonly weight: number;
  readonly order: number;
}

/** Somebody in line for a permit. */
export interface Waiter {
  /** Without one: first come, first served, behind all that have one. */
  readonly rank?: Rank | undefined;
  /** Takes the permit, or says that it does not want one any more: then the next waiter is asked. */
  grant(permit: number): boolean;
}

export interface Permits {
  /** How many there are in all: permits are numbered from 0 up to this. */
  readonly count: number;
  /** A permit at once, if one is free; nobody waits then. */
  tryTake(): number | undefined;
  /** Lines up for a permit. */
  wait(waiter: Waiter): void;
  /** The weights of those in line have changed. */
  resort(): void;
  /** @throws {Error} when the permit is not held: it is returned exactly once. */
  giveBack(permit: number): void;
}

/** Waiters for permits, the first by rank in front. */
interface Line {
  join(waiter: Waiter): void;
  resort(): void;
  /** Whether somebody took it. */
  hand(permit: number): boolean;
}

/** `count` permits, numbered from 0. */
export function createPermits(count: number): Permits {
  const held: boolean[] = []; // by permit number, as far as permits were ever given: there may be endless many
  const line = createLine();
  let free = count;
  let lowest = 0;
  return {
    count,
    tryTake() {
      if (free === 0) return undefined;
      while (held[lowest]) lowest++;
      const permit = lowest++;
      held[permit] = true;
      free--;
      return permit;
    },
    wait: line.join,
    resort: line.resort,
    giveBack(permit) {
      if (!held[permit]) throw new Error(`Permit ${permit} is not held; a permit is returned exactly once.`);
      if (line.hand(permit)) return; // handed on: it was never free
      held[permit] = false;
      lowest = Math.min(lowest, permit);
      free++;
    },
  };
}

/**
 * The permits for the batch that a running call dispatches: its own permit, which it lends while it waits, and whatever
 * else is free where it got that (DESIGN section 4: no cap can deadlock). `rank` is the call's own, under which its
 * children wait among the others there.
 */
export function lendPermit(lent: number, from: Permits, rank?: Rank): Permits {
  const line = createLine();
  let free = true;
  return {
    count: from.count,
    tryTake() {
      if (!free) return from.tryTake();
      free = false;
      return lent;
    },
    wait(waiter) {
      line.join(waiter);
      from.wait({ rank, grant: (permit) => line.hand(permit) });
    },
    resort: line.resort,
    giveBack(permit) {
      if (permit !== lent) return from.giveBack(permit);
      if (free) throw new Error(`Permit ${permit} is not held; a permit is returned exactly once.`);
      if (!line.hand(permit)) free = true; // whoever took it may have given it back by now
    },
  };
}

function createLine(): Line {
  const ranked = createHeap<{ readonly rank: Rank; readonly waiter: Waiter }>(({ rank: a }, { rank: b }) =>
    a.weight === b.weight ? a.order < b.order : a.weight > b.weight,
  );
  const others: Waiter[] = [];
  let first = 0;

  function next(): Waiter | undefined {
    const best = ranked.pop()?.waiter;
    if (best) return best;
    const waiter = others[first++];
    if (first >= others.length) {
      others.length = 0; // the line is empty: those before were served
      first = 0;
    }
    return waiter;
  }

  return {
    join(waiter) {
      if (waiter.rank) ranked.push({ rank: waiter.rank, waiter });
      else others.push(waiter);
    },
    resort: ranked.resort,
    hand(permit) {
      for (let waiter = next(); waiter; waiter = next()) if (waiter.grant(permit)) return true;
      return false;
    },
  };
}
