import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts'],
    // Threads start faster than processes, and nothing here needs a process of its own. The count follows the machine.
    pool: 'threads',
    // A limit for what hangs, not for what is slow: the machine may have other work.
    testTimeout: 120_000,
  },
});
