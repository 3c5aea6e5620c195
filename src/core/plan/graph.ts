/**
 * Who waits for whom under `dataflow`, in time linear in the accesses times their depth.
 *
 * Resources form a tree. Every call that reads or writes leaves its mark on the places it touches; a later call finds
 * there whom it conflicts with. Listing every conflicting pair would be quadratic (a thousand searches of a folder
 * after a thousand edits in it), so groups of calls are waited for through joins: points in the graph that stand for
 * "all of these have ended", made once and shared. Nodes are numbered as they are made, so each comes after those that
 * it waits for.
 */
import type { Access, AccessMode } from '../model.ts';
import { createResourceTree } from './resourceTree.ts';

/** Grows call by call, in the model's order. */
export interface ConflictGraph {
  /** For each node, a call or a join: the nodes it waits for. */
  readonly waits: readonly (readonly number[])[];
  /** For each node: its call; undefined for a join. */
  readonly calls: readonly (number | undefined)[];
  /** Adds the next call, and the joins that it needs before it. Its node. */
  add(accesses: readonly Access[]): number;
}

type Join = (nodes: readonly number[]) => number;

/** Less than any node. */
const NOBODY = -1;
const NO_WAITS: readonly number[] = [];

/** Calls that read the same resource since somebody last asked for them: who asked stands for those before. */
class Readers {
  /** The latest of them. */
  last = NOBODY;
  #joined = NOBODY;
  #since: number[] = [];

  /** Whoever read before `write` is waited for by it, and so need not be waited for any more. */
  add(node: number, write: number): void {
    if (this.last === node) return;
    if (this.last <= write) this.#since = [];
    this.last = node;
    this.#since.push(node);
  }

  /** The one node that stands for all of them. Asked for by a write, which whoever reads here later waits for. */
  node(join: Join): number {
    if (this.#since.length === 0) return this.#joined;
    this.#joined = this.#since.length === 1 ? this.last : join(this.#since);
    this.#since = [];
    return this.#joined;
  }
}

/** What was read, or written, below a place: joined already, and the places right under it where there is news. */
class Below {
  joined = NOBODY;
  /** The node of the latest call that was joined. */
  last = NOBODY;
  news: Place[] = [];
}

/** A resource that was touched, and what has to be waited for there. Most are touched once: groups are made late. */
class Place {
  readonly parent: Place | undefined;
  /** Who wrote this very resource last, and who read it. */
  writer = NOBODY;
  readers: Readers | undefined = undefined;
  readsBelow: Below | undefined = undefined;
  writesBelow: Below | undefined = undefined;
  /** Whether this stands in the news of its parent; then that stands in those of its own parent, and so on. */
  readIsNews = false;
  writeIsNews = false;

  constructor(parent: Place | undefined) {
    this.parent = parent;
  }

  /** The last write of this resource or one that it lies under. */
  latestWrite(): number {
    let latest = NOBODY;
    for (let place: Place | undefined = this; place; place = place.parent)
      if (place.writer > latest) latest = place.writer;
    return latest;
  }

  below(mode: AccessMode): Below | undefined {
    return mode === 'write' ? this.writesBelow : this.readsBelow;
  }
}

/** A graph without calls. */
export function createConflictGraph(): ConflictGraph {
  const placeOf = createResourceTree((parent: Place | undefined) => new Place(parent));
  const waits: (readonly number[])[] = [];
  const calls: (number | undefined)[] = [];
  /** For each node, the last question that it was an answer to: a set a question would cost more. */
  const foundBy: number[] = [];
  let question = 0;
  let found: number[] | undefined;
  let size = 0;

  const push = (nodes: readonly number[], call: number | undefined) => {
    calls.push(call);
    foundBy.push(0);
    return waits.push(nodes) - 1;
  };
  const join = (nodes: readonly number[]) => push(nodes, undefined);
  const waitFor = (node: number) => {
    if (node === NOBODY || foundBy[node] === question) return;
    foundBy[node] = question;
    if (found) found.push(node);
    else found = [node];
  };

  return {
    waits,
    calls,
    add(accesses) {
      found = undefined;
      question++;
      // First all questions, then all marks: a call does not wait for itself.
      for (const { resource, mode } of accesses) ask(placeOf(resource), mode, waitFor, join);
      const node = push(found ?? NO_WAITS, size++);
      for (const { resource, mode } of accesses) mark(placeOf(resource), mode, node);
      return node;
    },
  };
}

/** Finds whom an access waits for. The last write over it stands for all before that conflict with that write. */
function ask(own: Place, mode: AccessMode, waitFor: (node: number) => void, join: Join): void {
  const latest = own.latestWrite();
  waitFor(latest);
  waitFor(joinedBelow(own, 'write', latest, join));
  if (mode === 'read') return;
  waitFor(joinedBelow(own, 'read', latest, join));
  for (let place: Place | undefined = own; place; place = place.parent) {
    if (place.readers && place.readers.last > latest) waitFor(place.readers.node(join));
  }
}

/** The one node for all that was read, or written, below a place after its latest write. */
function joinedBelow(top: Place, mode: AccessMode, latest: number, join: Join): number {
  const group = top.below(mode);
  if (!group) return NOBODY;
  if (group.news.length > 0) {
    // Lower places keep what they tell in joins of their own, for those who ask there later: so the lowest first.
    const told = [top];
    for (const place of told) for (const child of place.below(mode)?.news ?? []) told.push(child);
    for (let place = told.pop(); place; place = told.pop()) joinNews(place, mode, latest, join);
  }
  return group.last > latest ? group.joined : NOBODY;
}

function joinNews(place: Place, mode: AccessMode, latest: number, join: Join): void {
  const group = place.below(mode);
  if (!group || group.news.length === 0) return;
  const nodes: number[] = [];
  let last = NOBODY;
  const add = (node: number, latestCall: number) => {
    nodes.push(node);
    if (latestCall > last) last = latestCall;
  };
  // What was joined before is waited for by whoever asked for it then, and that by all the news since.
  for (const child of group.news) {
    if (mode === 'write') {
      child.writeIsNews = false;
      if (child.writer > latest) add(child.writer, child.writer);
    } else {
      child.readIsNews = false;
      if (child.readers && child.readers.last > latest) add(child.readers.node(join), child.readers.last);
    }
    const lower = child.below(mode);
    if (lower && lower.last > latest) add(lower.joined, lower.last);
  }
  group.joined = nodes.length > 1 ? join(nodes) : (nodes[0] ?? NOBODY);
  group.last = last;
  group.news = [];
}

/** Leaves the access for later calls to find: where it is, and as news all the way up, as far as that is new. */
function mark(own: Place, mode: AccessMode, node: number): void {
  if (mode === 'write') {
    own.writer = node;
    for (let place = own; place.parent && !place.writeIsNews; place = place.parent) {
      place.writeIsNews = true;
      place.parent.writesBelow ??= new Below();
      place.parent.writesBelow.news.push(place);
    }
  } else {
    own.readers ??= new Readers();
    own.readers.add(node, own.writer);
    for (let place = own; place.parent && !place.readIsNews; place = place.parent) {
      place.readIsNews = true;
      place.parent.readsBelow ??= new Below();
      place.parent.readsBelow.news.push(place);
    }
  }
}
