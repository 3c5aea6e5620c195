/** Lets one task at a time work on each key, first come first served. */
export interface Locks {
  run<T>(key: string, task: () => Promise<T>): Promise<T>;
}

/** Locks that forget a key as soon as nobody waits for it. */
export function createLocks(): Locks {
  const last = new Map<string, Promise<unknown>>();
  return {
    async run(key, task) {
      const before = last.get(key) ?? Promise.resolve();
      const mine = before.then(task, task);
      const settled = mine.catch(() => {});
      last.set(key, settled);
      try {
        return await mine;
      } finally {
        if (last.get(key) === settled) last.delete(key);
      }
    },
  };
}
