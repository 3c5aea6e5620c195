/** Finds the earlier calls that a call conflicts with: built once, when somebody first asks, linear in the accesses. */
import type { Access } from '../model.ts';
import { segmentsOf } from '../resources.ts';

/** Calls by what they touched, ascending: this very resource, and it or anything below. */
class Entry {
  readonly children = new Map<string, Entry>();
  readonly touched: number[] = [];
  readonly wrote: number[] = [];
  readonly touchedUnder: number[] = [];
  readonly wroteUnder: number[] = [];
}

export interface AccessIndex {
  /** The first `limit` calls before `call` whose accesses conflict with its own, ascending. */
  conflictsBefore(call: number, limit: number): number[];
}

/** An index of these calls' accesses, one list a call. */
export function createAccessIndex(accesses: readonly (readonly Access[])[]): AccessIndex {
  const root = new Entry();
  const paths = new Map<string, Entry[]>();
  const pathOf = (resource: string) => {
    const path = paths.get(resource) ?? entriesOf(root, resource);
    paths.set(resource, path);
    return path;
  };
  for (const [call, list] of accesses.entries()) {
    for (const { resource, mode } of list) {
      const path = pathOf(resource);
      for (const entry of path) {
        push(entry.touchedUnder, call);
        if (mode === 'write') push(entry.wroteUnder, call);
      }
      const own = path.at(-1);
      if (own) push(own.touched, call);
      if (own && mode === 'write') push(own.wrote, call);
    }
  }
  return {
    conflictsBefore(call, limit) {
      const found = new Set<number>();
      const take = (calls: readonly number[]) => {
        // The first `limit` of all lists together are among the first `limit` of each.
        for (let at = 0; at < calls.length && at < limit; at++) {
          const other = calls[at] ?? call;
          if (other >= call) break;
          found.add(other);
        }
      };
      for (const { resource, mode } of accesses[call] ?? []) {
        const path = pathOf(resource);
        for (const [depth, entry] of path.entries()) {
          if (depth < path.length - 1) take(mode === 'write' ? entry.touched : entry.wrote);
          else take(mode === 'write' ? entry.touchedUnder : entry.wroteUnder);
        }
      }
      const sorted = [...found].sort((a, b) => a - b);
      return sorted.length > limit ? sorted.slice(0, limit) : sorted;
    },
  };
}

/** The entries from the top to the resource itself, made where they are not there yet. */
function entriesOf(root: Entry, resource: string): Entry[] {
  const path = [root];
  let entry = root;
  for (const segment of segmentsOf(resource)) {
    const child: Entry = entry.children.get(segment) ?? new Entry();
    entry.children.set(segment, child);
    path.push(child);
    entry = child;
  }
  return path;
}

function push(calls: number[], call: number): void {
  if (calls.at(-1) !== call) calls.push(call);
}
