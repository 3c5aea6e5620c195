/** Asks the calls' tools, and then for the one key of each resource (DESIGN section 2): the steps before planning. */
import { type Declared, declare } from '../declare.ts';
import type { ToolCall } from '../model.ts';
import { resolveKeys } from '../resolve.ts';
import type { Run } from './run.ts';

/** What the calls' tools declare, each resource by its one key where the caller can tell it. */
export function declared(
  run: Run,
  calls: readonly ToolCall[],
): readonly Declared[] | Promise<readonly Declared[]> {
  const declarations = calls.map((call) => declare(call, run.registry));
  const { resolve } = run.options;
  if (!resolve || run.stop) return declarations; // after a stop nothing is asked any more
  return new Promise((done, failed) => {
    const forget = run.whenStopped(() => done(declarations)); // nothing will run
    resolveKeys(declarations, (resource) => resolve(resource))
      .then(done, failed)
      .finally(forget);
  });
}
