/** Everything there is to say about a plan before it runs: a new finding is one file beside this and one line here. */
import { EVERYTHING } from '../model.ts';
import { createAccessIndex } from '../plan/accessIndex.ts';
import { conflict } from '../resources.ts';
import { crossedBarrier } from './crossedBarrier.ts';
import { declarationFailed } from './declarationFailed.ts';
import type { Disorder, Finding, FindingId, PlacedCall } from './finding.ts';
import { lostUpdate } from './lostUpdate.ts';
import { staleRead } from './staleRead.ts';

/** At most this many findings of one kind: nobody reads more, and planning stays quick. */
const MOST = 100;
/** At most this many conflicts are looked at, of one call and in all. */
const CONFLICTS = { ofOne: 100, inAll: 2_000 };

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
  const pairs = new Set<string>();
  for (const disorder of disorders(calls)) {
    if (add(staleRead(calls, disorder)) || add(lostUpdate(calls, disorder)))
      pairs.add(pairOf(disorder.earlier, disorder.later));
  }
  for (const [unsafe, crossing] of crossings(calls)) {
    const others = crossing.filter((later) => !pairs.has(pairOf(unsafe, later)));
    if (others.length > 0) add(crossedBarrier(calls, unsafe, others));
  }
  return found.sort((a, b) => (a.calls[0] ?? 0) - (b.calls[0] ?? 0) || compare(a.id, b.id));
}

/** Pairs whose resources are named by both: an unsafe call that may write everything is a barrier, and W5's. */
function* disorders(calls: readonly PlacedCall[]): Generator<Disorder> {
  const named = calls.map(({ accesses }) => accesses.filter(({ resource }) => resource !== EVERYTHING));
  const index = createAccessIndex(named);
  let highest = -1;
  let seen = 0;
  for (const [later, call] of calls.entries()) {
    if (call.wave <= highest && seen < CONFLICTS.inAll) {
      for (const earlier of index.conflictsBefore(later, CONFLICTS.ofOne)) {
        seen++;
        if ((calls[earlier]?.wave ?? -1) < call.wave) continue;
        const pair = firstPair(named[earlier] ?? [], named[later] ?? []);
        if (pair) yield { earlier, later, ...pair };
      }
    }
    highest = Math.max(highest, call.wave);
  }
}

/** The conflict that says most: a write against a read before two writes. */
function firstPair(
  a: PlacedCall['accesses'],
  b: PlacedCall['accesses'],
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

/** For each unsafe call the later safe ones that are planned in an earlier wave. */
function crossings(calls: readonly PlacedCall[]): Map<number, number[]> {
  const crossed = new Map<number, number[]>();
  const open: number[] = []; // unsafe calls so far, by ascending wave
  for (const [index, { wave, safe, refused }] of calls.entries()) {
    if (!safe) {
      if (!refused) open.push(index);
      continue;
    }
    for (let at = open.length - 1; at >= 0 && at >= open.length - MOST; at--) {
      const unsafe = open[at] ?? 0;
      if ((calls[unsafe]?.wave ?? 0) <= wave) break;
      const known = crossed.get(unsafe);
      if (known) known.push(index);
      else crossed.set(unsafe, [index]);
    }
  }
  return crossed;
}

function pairOf(earlier: number, later: number): string {
  return `${earlier} ${later}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
