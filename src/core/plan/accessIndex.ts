/** Finds the earlier calls that a call conflicts with: built when somebody first asks, linear in the accesses. */
import type { Access } from '../model.ts';
import { createResourceTree } from './resourceTree.ts';

/** Calls by what they touched, ascending: this very resource, and it or anything below. */
class Place {
  readonly parent: Place | undefined;
  readonly touched: number[] = [];
  readonly wrote: number[] = [];
  readonly touchedUnder: number[] = [];
  readonly wroteUnder: number[] = [];

  constructor(parent: Place | undefined) {
    this.parent = parent;
  }
}

export interface AccessIndex {
  /** How many calls it knows. */
  readonly size: number;
  /** Takes in the next call's accesses. */
  add(accesses: readonly Access[]): void;
  /** The first `limit` calls before `call` whose accesses conflict with its own, ascending. */
  conflictsBefore(call: number, limit: number): number[];
}

/** An empty index. */
export function createAccessIndex(): AccessIndex {
  const placeOf = createResourceTree((parent: Place | undefined) => new Place(parent));
  const calls: (readonly Access[])[] = [];
  return {
    get size() {
      return calls.length;
    },
    add(accesses) {
      const call = calls.push(accesses) - 1;
      for (const { resource, mode } of accesses) {
        const own = placeOf(resource);
        push(own.touched, call);
        if (mode === 'write') push(own.wrote, call);
        for (let place: Place | undefined = own; place; place = place.parent) {
          push(place.touchedUnder, call);
          if (mode === 'write') push(place.wroteUnder, call);
        }
      }
    },
    conflictsBefore(call, limit) {
      const found = new Set<number>();
      const take = (list: readonly number[]) => {
        // The first `limit` of all lists together are among the first `limit` of each.
        for (let at = 0; at < limit; at++) {
          const other = list[at];
          if (other === undefined || other >= call) break;
          found.add(other);
        }
      };
      for (const { resource, mode } of calls[call] ?? []) {
        const own = placeOf(resource);
        take(mode === 'write' ? own.touchedUnder : own.wroteUnder);
        for (let place = own.parent; place; place = place.parent) {
          take(mode === 'write' ? place.touched : place.wrote);
        }
      }
      return [...found].sort((a, b) => a - b).slice(0, limit);
    },
  };
}

function push(calls: number[], call: number): void {
  if (calls.at(-1) !== call) calls.push(call);
}
