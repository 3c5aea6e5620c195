/**
 * `dataflow` (DESIGN section 3): keep the model's order wherever two calls conflict, and nowhere else. A call waits
 * for the earlier calls whose accesses conflict with its own; its waves, for the picture, are the levels of that graph.
 */
import type { Declared } from '../declare.ts';
import { EVERYTHING } from '../model.ts';
import { firstConflict } from '../resources.ts';
import { createAccessIndex } from './accessIndex.ts';
import { type Explainer, type PlannedDecision, shown } from './decision.ts';
import { createHighestWaves } from './highestWaves.ts';
import { Placement, type Strategy } from './strategy.ts';

export const dataflow: Strategy = {
  name: 'dataflow',
  defaultCap: 8,
  begin(declarations) {
    const waves: number[][] = [];
    const highest = createHighestWaves();
    const waveFor = ({ accesses }: Declared) => {
      let level = 0;
      for (const access of accesses) level = Math.max(level, highest.against(access) + 1);
      return level;
    };
    return {
      placement: new Placement(declarations, waves, explain(declarations)),
      place(declared, call) {
        const level = waveFor(declared);
        for (const access of declared.accesses) highest.mark(access, level);
        const members = waves[level];
        if (members) members.push(call);
        else waves.push([call]); // one more than the highest so far
        return level;
      },
      waveFor,
    };
  },
};

/** How many of the earlier calls a sentence names. */
const NAMED = 5;

function explain(declarations: readonly Declared[]): Explainer {
  const index = createAccessIndex();
  function waitsFor({ call }: PlannedDecision, limit: number): number[] {
    for (let next = index.size; next < declarations.length; next++)
      index.add(declarations[next]?.accesses ?? []);
    return index.conflictsBefore(call, limit);
  }

  return {
    rule: () => 'R14',
    waitsFor,
    reason(decision) {
      const waits = waitsFor(decision, NAMED + 1);
      if (waits.length === 0) return 'Conflicts with no earlier call: starts at once.';
      const named = waits.slice(0, NAMED).map((other) => {
        const [theirs, ours] = firstConflict(declarations[other]?.accesses ?? [], decision.accesses) ?? [];
        const over = [theirs?.resource, ours?.resource].find((resource) => resource !== EVERYTHING);
        return `#${shown(other)} over ${over ?? 'everything'}`;
      });
      return `Waits for ${named.join(', ')}${waits.length > NAMED ? ' and more' : ''}.`;
    },
    rejectedCount: () => 0,
    rejected: () => [],
    closed: () => false,
  };
}
