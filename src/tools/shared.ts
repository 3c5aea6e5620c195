/** Lets calls that run at the same time share one answer; a later call asks again. */
export function createShared<T>(): (key: string, ask: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  return (key, ask) => {
    const asked = running.get(key) ?? ask().finally(() => running.delete(key));
    running.set(key, asked);
    return asked;
  };
}
