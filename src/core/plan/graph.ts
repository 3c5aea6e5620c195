/**
 * Who waits for whom under `dataflow`, in time linear in the accesses times their depth.
 *
 * Resources form a tree. Every call that reads or writes leaves its mark on the nodes it touches; a later call finds
 * there whom it conflicts with. Listing every conflicting pair would be quadratic (a thousand searches of a folder
 * after a thousand edits in it), so groups of calls are waited for through joins: points in the graph that stand for
 * "all of these have ended", made once and shared. Calls are the nodes 0 … n-1, joins follow.
 */
import type { Access } from '../model.ts';
import { segmentsOf } from '../resources.ts';

export interface Graph {
  /** For each node, calls first, then joins: the nodes it waits for, ascending. */
  readonly waits: readonly (readonly number[])[];
  readonly calls: number;
  /** All nodes, each after those it waits for. */
  readonly order: readonly number[];
}

/** A group of nodes that is waited for as one: those joined already, and those that came since. */
class Group {
  #joined: number | undefined;
  #since: number[] = [];

  add(node: number): void {
    if (this.#since.at(-1) !== node) this.#since.push(node);
  }

  clear(): void {
    this.#joined = undefined;
    this.#since = [];
  }

  /** The one node that stands for all of them; undefined when there are none. */
  node(joins: (waits: readonly number[]) => number): number | undefined {
    if (this.#since.length === 0) return this.#joined;
    const all = this.#joined === undefined ? this.#since : [this.#joined, ...this.#since];
    this.#joined = all.length === 1 ? all[0] : joins(all);
    this.#since = [];
    return this.#joined;
  }
}

/** A resource that was touched, and what has to be waited for there. */
class Place {
  children: Map<string, Place> | undefined;
  /** Who wrote this very resource last. */
  writer: number | undefined;
  /** Who read this very resource since. */
  readonly readers = new Group();
  /** Who wrote, and who touched at all, below this resource since it was last written. */
  readonly writesBelow = new Group();
  readonly touchesBelow = new Group();

  child(segment: string): Place {
    this.children ??= new Map();
    const known = this.children.get(segment);
    if (known) return known;
    const made = new Place();
    this.children.set(segment, made);
    return made;
  }
}

/** The graph of these calls' accesses, one list a call, in the model's order. */
export function conflictGraph(accesses: readonly (readonly Access[])[]): Graph {
  const root = new Place();
  const waits: number[][] = accesses.map(() => []);
  const order: number[] = [];
  const join = (nodes: readonly number[]) => {
    const node = waits.push([...nodes]) - 1;
    order.push(node);
    return node;
  };
  const paths = new Map<string, readonly string[]>();

  for (const [call, list] of accesses.entries()) {
    const found = new Set<number>();
    const visits = list.map(({ resource, mode }) => {
      const path = paths.get(resource) ?? segmentsOf(resource);
      paths.set(resource, path);
      return { places: walk(root, path), write: mode === 'write' };
    });
    // First all questions, then all marks: a call does not wait for itself.
    for (const { places, write } of visits) ask(places, write, found, join);
    for (const { places, write } of visits) mark(places, write, call);
    order.push(call);
    const own = waits[call];
    if (own) for (const node of [...found].sort((a, b) => a - b)) own.push(node);
  }
  return { waits, calls: accesses.length, order };
}

/** The places from the top to the resource itself. */
function walk(root: Place, path: readonly string[]): Place[] {
  const places = [root];
  let place = root;
  for (const segment of path) {
    place = place.child(segment);
    places.push(place);
  }
  return places;
}

function ask(
  places: readonly Place[],
  write: boolean,
  found: Set<number>,
  join: (nodes: readonly number[]) => number,
): void {
  const add = (node: number | undefined) => {
    if (node !== undefined) found.add(node);
  };
  for (const place of places) {
    add(place.writer);
    if (write) add(place.readers.node(join));
  }
  const own = places.at(-1);
  add(write ? own?.touchesBelow.node(join) : own?.writesBelow.node(join));
}

function mark(places: readonly Place[], write: boolean, call: number): void {
  const own = places.length - 1;
  for (const [depth, place] of places.entries()) {
    if (depth < own) {
      place.touchesBelow.add(call);
      if (write) place.writesBelow.add(call);
    } else if (write) {
      // Whoever conflicts with what was here before conflicts with this write, which waits for all of it.
      place.writer = call;
      place.readers.clear();
      place.writesBelow.clear();
      place.touchesBelow.clear();
      place.children = undefined;
    } else place.readers.add(call);
  }
}
