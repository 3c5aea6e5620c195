/** What is touched now, by calls that have not ended: tells in one look whether one more would conflict with them. */
import type { Access } from '../model.ts';
import { createResourceTree } from './resourceTree.ts';

/** How many accesses there are of this very resource, and of it or anything below. */
class Place {
  readonly parent: Place | undefined;
  touched = 0;
  wrote = 0;
  touchedUnder = 0;
  wroteUnder = 0;

  constructor(parent: Place | undefined) {
    this.parent = parent;
  }
}

export interface LiveAccesses {
  add(accesses: readonly Access[]): void;
  /** The call that made these accesses has ended. */
  remove(accesses: readonly Access[]): void;
  /** Whether any that is there conflicts with one of these. Linear in these and their depth. */
  conflict(accesses: readonly Access[]): boolean;
}

export function createLiveAccesses(): LiveAccesses {
  const placeOf = createResourceTree((parent: Place | undefined) => new Place(parent));
  const count = ({ resource, mode }: Access, by: 1 | -1) => {
    const own = placeOf(resource);
    own.touched += by;
    if (mode === 'write') own.wrote += by;
    for (let place: Place | undefined = own; place; place = place.parent) {
      place.touchedUnder += by;
      if (mode === 'write') place.wroteUnder += by;
    }
  };
  return {
    add(accesses) {
      for (const access of accesses) count(access, 1);
    },
    remove(accesses) {
      for (const access of accesses) count(access, -1);
    },
    conflict: (accesses) =>
      accesses.some(({ resource, mode }) => {
        const own = placeOf(resource);
        if ((mode === 'write' ? own.touchedUnder : own.wroteUnder) > 0) return true;
        for (let place = own.parent; place; place = place.parent)
          if ((mode === 'write' ? place.touched : place.wrote) > 0) return true;
        return false;
      }),
  };
}
