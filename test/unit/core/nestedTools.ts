/** Tools that dispatch batches of their own, for the tests of nesting. */
import type { VirtualClock } from '../../../src/core/clock.ts';
import type { ToolResult } from '../../../src/core/model.ts';
import type { Tool } from '../../../src/core/tools.ts';
import { calls, nap, tool } from './helpers.ts';

/** What a nested batch came to, as one text. */
export function texts(results: readonly ToolResult[]): string {
  return results.map(({ content }) => String(content)).join(', ');
}

/** A tool for each name that dispatches the calls listed for it, and `Leaf`, which answers with its path after 10 ms. */
export function nestedTools(clock: VirtualClock, children: Record<string, readonly string[]>): Tool[] {
  const parents = Object.entries(children).map(([name, list]) =>
    tool(name, { run: async (_input, { dispatch }) => texts(await dispatch(calls(...list))) }),
  );
  const leaf = tool('Leaf', {
    run: ({ path }, { signal }) => nap(clock, 10, signal).then(() => `Leaf ${path}`),
  });
  return [...parents, leaf];
}
