/** Pairs of calls that a plan puts against the model's order although they conflict. */
import { type Access, EVERYTHING } from '../model.ts';
import { type AccessIndex, createAccessIndex } from '../plan/accessIndex.ts';
import { createResourceTree } from '../plan/resourceTree.ts';
import { conflict } from '../resources.ts';
import type { Disorder, PlacedCall } from './finding.ts';

/** At most this many conflicts are looked at, of one call and in all. */
const CONFLICTS = { ofOne: 100, inAll: 2_000 };

/** The highest waves so far whose calls touched, and wrote: this very resource, and it or anything below. */
class Place {
  readonly parent: Place | undefined;
  touched = -1;
  wrote = -1;
  touchedUnder = -1;
  wroteUnder = -1;

  constructor(parent: Place | undefined) {
    this.parent = parent;
  }
}

/**
 * Pairs whose resources are named by both: an unsafe call that may write everything is a barrier, and W5's. Most calls
 * of most plans are in order, which the highest waves tell; only for the others are the earlier calls looked up.
 */
export function* disorders(calls: readonly PlacedCall[]): Generator<Disorder> {
  const placeOf = createResourceTree((parent: Place | undefined) => new Place(parent));
  let index: AccessIndex | undefined;
  let seen = 0;
  for (const [later, { wave, accesses }] of calls.entries()) {
    let disordered = false;
    for (const access of accesses) {
      if (access.resource !== EVERYTHING && highestWave(placeOf(access.resource), access.mode) >= wave)
        disordered = true;
    }
    if (disordered) {
      index ??= createAccessIndex(calls.map((call) => named(call.accesses)));
      for (const earlier of index.conflictsBefore(later, CONFLICTS.ofOne)) {
        if (++seen > CONFLICTS.inAll) return;
        const other = calls[earlier];
        const pair = other && other.wave >= wave && firstPair(named(other.accesses), named(accesses));
        if (pair) yield { earlier, later, ...pair };
      }
    }
    for (const { resource, mode } of accesses)
      if (resource !== EVERYTHING) mark(placeOf(resource), mode, wave);
  }
}

/** The highest wave of an earlier call that conflicts with this access. */
function highestWave(own: Place, mode: Access['mode']): number {
  let highest = mode === 'write' ? own.touchedUnder : own.wroteUnder;
  for (let place = own.parent; place; place = place.parent) {
    const wave = mode === 'write' ? place.touched : place.wrote;
    if (wave > highest) highest = wave;
  }
  return highest;
}

function mark(own: Place, mode: Access['mode'], wave: number): void {
  own.touched = Math.max(own.touched, wave);
  if (mode === 'write') own.wrote = Math.max(own.wrote, wave);
  for (let place: Place | undefined = own; place; place = place.parent) {
    place.touchedUnder = Math.max(place.touchedUnder, wave);
    if (mode === 'write') place.wroteUnder = Math.max(place.wroteUnder, wave);
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
