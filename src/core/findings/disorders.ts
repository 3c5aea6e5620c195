/** Pairs of calls that a plan puts against the model's order although they conflict. */
import { type Access, EVERYTHING } from '../model.ts';
import { createAccessIndex } from '../plan/accessIndex.ts';
import { createHighestWaves } from '../plan/highestWaves.ts';
import { conflict } from '../resources.ts';
import type { Disorder, PlacedCall } from './finding.ts';

/** At most this many conflicts are looked at, of one call and in all. */
const CONFLICTS = { ofOne: 100, inAll: 2_000 };

/**
 * Pairs whose resources are named by both: an unsafe call that may write everything is a barrier, and W5's. Most calls
 * of most plans are in order, which the highest waves tell; only for the others are the earlier calls looked up.
 */
export function* disorders(calls: readonly PlacedCall[]): Generator<Disorder> {
  const highest = createHighestWaves();
  const index = createAccessIndex();
  let seen = 0;
  for (const [later, { wave, accesses }] of calls.entries()) {
    let disordered = false;
    for (const access of accesses) {
      if (access.resource !== EVERYTHING && highest.against(access) >= wave) disordered = true;
    }
    if (disordered) {
      for (const next of calls.slice(index.size, later + 1)) index.add(named(next.accesses));
      for (const earlier of index.conflictsBefore(later, CONFLICTS.ofOne)) {
        if (++seen > CONFLICTS.inAll) return;
        const other = calls[earlier];
        const pair = other && other.wave >= wave && firstPair(named(other.accesses), named(accesses));
        if (pair) yield { earlier, later, ...pair };
      }
    }
    for (const access of accesses) if (access.resource !== EVERYTHING) highest.mark(access, wave);
  }
}

function named(accesses: readonly Access[]): readonly Access[] {
  return accesses.filter(({ resource }) => resource !== EVERYTHING);
}

/** The conflict that says most: a write against a read before two writes. */
function firstPair(
  a: readonly Access[],
  b: readonly Access[],
): Pick<Disorder, 'first' | 'second'> | undefined {
  let best: Pick<Disorder, 'first' | 'second'> | undefined;
  for (const first of a) {
    for (const second of b) {
      if (!conflict(first, second)) continue;
      if (second.mode === 'read') return { first, second };
      best ??= { first, second };
    }
  }
  return best;
}
