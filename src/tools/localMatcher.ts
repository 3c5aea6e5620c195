import type { Matcher } from './ports.ts';
import { compile, searchLines } from './regex.ts';

/** Matches in the calling thread, without a limit: for tests, and for places that have no threads. */
export function createLocalMatcher(): Matcher {
  return {
    async start(pattern, flags) {
      const regex = compile(pattern, flags);
      return {
        lines: async (text, limits) => searchLines(text, regex, limits),
        test: async (strings) => strings.map((one) => regex.test(one)),
        [Symbol.asyncDispose]: async () => {},
      };
    },
  };
}
