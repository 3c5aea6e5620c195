/** Everything there is to say about a plan before it runs: a new finding is one file beside this and one line here. */
import { type Barrier, crossedBarrier } from './crossedBarrier.ts';
import { declarationFailed } from './declarationFailed.ts';
import { disorders } from './disorders.ts';
import type { Finding, FindingId, PlacedCall } from './finding.ts';
import { lostUpdate } from './lostUpdate.ts';
import { staleRead } from './staleRead.ts';

/** At most this many findings of one kind, and calls of one: nobody reads more, and planning stays quick. */
const MOST = 100;

/** The findings of these calls as they are placed, by the calls they are about. Bounded in number and in work. */
export function findingsOfPlan(calls: readonly PlacedCall[]): readonly Finding[] {
  const found: Finding[] = [];
  const left = new Map<FindingId, number>();
  const add = (finding: Finding | undefined) => {
    if (!finding) return false;
    const room = left.get(finding.id) ?? MOST;
    left.set(finding.id, room - 1);
    if (room > 0) found.push(finding);
    return true;
  };

  for (const index of calls.keys()) add(declarationFailed(calls, index));
  const told = new Map<number, Set<number>>();
  for (const disorder of disorders(calls)) {
    if (!add(staleRead(calls, disorder)) && !add(lostUpdate(calls, disorder))) continue;
    const laters = told.get(disorder.earlier) ?? new Set();
    told.set(disorder.earlier, laters.add(disorder.later));
  }
  for (const barrier of crossedBarriers(calls, told)) add(crossedBarrier(calls, barrier));
  return found.sort((a, b) => (a.calls[0] ?? 0) - (b.calls[0] ?? 0) || compare(a.id, b.id));
}

/** The first unsafe calls that later safe ones are planned before, leaving out the pairs that were told already. */
function crossedBarriers(
  calls: readonly PlacedCall[],
  told: ReadonlyMap<number, ReadonlySet<number>>,
): readonly Barrier[] {
  const crossed: Barrier[] = [];
  const open: (Barrier & { readonly wave: number; readonly told: ReadonlySet<number> | undefined })[] = [];
  for (const [index, { wave, safe, refused }] of calls.entries()) {
    if (!safe) {
      if (!refused && crossed.length < MOST)
        open.push({ unsafe: index, wave, told: told.get(index), crossing: [], total: 0 });
      continue;
    }
    // Unsafe calls stand by ascending wave: the last ones are crossed first.
    for (let at = open.length - 1; at >= 0 && at >= open.length - MOST; at--) {
      const barrier = open[at];
      if (!barrier || barrier.wave <= wave) break;
      if (barrier.told?.has(index)) continue;
      if (barrier.total === 0) crossed.push(barrier);
      if (barrier.total++ < MOST) barrier.crossing.push(index);
    }
  }
  return crossed;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
