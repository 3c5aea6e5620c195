/** Rejections that nobody handled, for tests that must leave none. */
import { afterEach, beforeEach } from 'vitest';

/** Watches in every test of the file; the list is that of the test at hand. */
export function watchRejections(): readonly unknown[] {
  const unhandled: unknown[] = [];
  const onRejection = (reason: unknown) => void unhandled.push(reason);
  beforeEach(() => {
    unhandled.length = 0;
    process.on('unhandledRejection', onRejection);
  });
  afterEach(() => void process.off('unhandledRejection', onRejection));
  return unhandled;
}

/** One turn of the event loop: unhandled rejections are told after it. */
export const turn = () => new Promise((resolve) => setImmediate(resolve));
