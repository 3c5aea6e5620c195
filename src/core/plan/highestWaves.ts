/** The highest waves of calls by what they touched: tells in one look whether an earlier call stands in the way. */
import type { Access } from '../model.ts';
import { createResourceTree } from './resourceTree.ts';

/** Less than any wave. */
const NONE = -1;

/** The highest waves so far whose calls touched, and wrote: this very resource, and it or anything below. */
class Place {
  readonly parent: Place | undefined;
  touched = NONE;
  wrote = NONE;
  touchedUnder = NONE;
  wroteUnder = NONE;

  constructor(parent: Place | undefined) {
    this.parent = parent;
  }
}

export interface HighestWaves {
  /** The highest wave of a call marked so far that conflicts with this access; -1 when none does. */
  against(access: Access): number;
  /** A call in this wave makes this access. */
  mark(access: Access, wave: number): void;
}

/** Nothing is marked yet. Each look and each mark takes time linear in the resource's depth. */
export function createHighestWaves(): HighestWaves {
  const placeOf = createResourceTree((parent: Place | undefined) => new Place(parent));
  return {
    against({ resource, mode }) {
      const own = placeOf(resource);
      let highest = mode === 'write' ? own.touchedUnder : own.wroteUnder;
      for (let place = own.parent; place; place = place.parent) {
        const wave = mode === 'write' ? place.touched : place.wrote;
        if (wave > highest) highest = wave;
      }
      return highest;
    },
    mark({ resource, mode }, wave) {
      const own = placeOf(resource);
      if (wave > own.touched) own.touched = wave;
      if (mode === 'write' && wave > own.wrote) own.wrote = wave;
      for (let place: Place | undefined = own; place; place = place.parent) {
        if (wave > place.touchedUnder) place.touchedUnder = wave;
        if (mode === 'write' && wave > place.wroteUnder) place.wroteUnder = wave;
      }
    },
  };
}
