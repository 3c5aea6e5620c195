/**
 * The permits of a run: at most N held, first come first served (DESIGN section 4, rule R6). A permit has a number,
 * the lane it is drawn in; the lowest free one is given. Waiters are let go together when the run stops, so that
 * no call needs a listener of its own.
 */

/** What a waiter gets: a permit's number, or undefined when the run stopped first. */
type Granted = number | undefined;

export interface Permits {
  /** A permit at once, if one is free and nobody waits. */
  tryTake(): number | undefined;
  /** A permit when it is this waiter's turn, or undefined when the run stopped before. */
  take(): Promise<Granted>;
  /** @throws {Error} when the permit is not held: it is returned exactly once. */
  giveBack(permit: number): void;
  /** Lets all waiters go with nothing, and every later one. */
  stop(): void;
  readonly free: number;
}

/** `count` permits, numbered from 0. */
export function createPermits(count: number): Permits {
  const held = new Array<boolean>(count).fill(false);
  let free = count;
  let lowest = 0;
  let stopped = false;
  let waiting: ((granted: Granted) => void)[] = [];
  let head = 0;

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
    take() {
      const permit = tryTake();
      if (permit !== undefined || stopped) return Promise.resolve(permit);
      return new Promise((resolve) => waiting.push(resolve));
    },
    giveBack(permit) {
      if (!held[permit]) throw new Error(`Permit ${permit} is not held; a permit is returned exactly once.`);
      const next = stopped ? undefined : waiting[head];
      if (next) {
        head++;
        if (head > 1024 && head * 2 > waiting.length) [waiting, head] = [waiting.slice(head), 0];
        next(permit); // handed on: it was never free
        return;
      }
      held[permit] = false;
      lowest = Math.min(lowest, permit);
      free++;
    },
    stop() {
      stopped = true;
      const letGo = waiting.slice(head);
      [waiting, head] = [[], 0];
      for (const resolve of letGo) resolve(undefined);
    },
    get free() {
      return free;
    },
  };
}
