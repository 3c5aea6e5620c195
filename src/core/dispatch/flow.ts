/**
 * Runs calls along the graph of their conflicts, with no barrier between waves (DESIGN section 3, `dataflow`): a call
 * is ready when those it waits for have ended, and of the ready ones that with the longest remaining chain goes first.
 */
import type { Declared } from '../declare.ts';
import { createConflictGraph } from '../plan/graph.ts';
import { createLiveAccesses, type LiveAccesses } from '../plan/liveAccesses.ts';
import type { Placement } from '../plan/strategy.ts';
import type { Conductor, Score } from './conductor.ts';
import { Levels } from './levels.ts';
import type { Rank } from './permits.ts';
import { type Course, NOT_DECLARED, Turn } from './pipeline.ts';
import type { Run } from './run.ts';

/** A call or a join that has ended, or has not. */
interface Node {
  /** How many of the nodes that it waits for have not ended. */
  open: number;
  ended: boolean;
  /** Those that wait for it: most have none. */
  dependents: number[] | undefined;
}

const NONE: readonly number[] = [];

/** A call's place among those that wait for a permit; its weight is known when all calls are. */
class CallRank implements Rank {
  readonly order: number;
  readonly #weightOf: (call: number) => number;

  constructor(order: number, weightOf: (call: number) => number) {
    this.order = order;
    this.#weightOf = weightOf;
  }

  get weight(): number {
    return this.#weightOf(this.order);
  }
}

export class Flow implements Conductor {
  readonly over: Promise<void>;
  readonly #run: Run;
  readonly #placement: Placement;
  readonly #graph = createConflictGraph();
  readonly #nodes: Node[] = [];
  readonly #nodeOf: number[] = [];
  readonly #waveOf: number[] = [];
  readonly #levels: Levels;
  readonly #course: Course;
  /** For each node, the longest chain of calls that starts with it: known when all calls are. */
  #chains: Int32Array | undefined;
  /** Calls that wait for no other call any more. */
  #ready: number[] = [];
  /** Those among them that wait for the end of the message. */
  #held: number[] = [];
  /** Of calls that have not ended; only where a call may ask to start early. */
  readonly #live: LiveAccesses | undefined;
  #left = 0;
  #begun = false;
  #sealed = false;
  #busy = false;
  #done = () => {};

  constructor({ run, placement, changed }: Score) {
    this.#run = run;
    this.#placement = placement;
    this.#levels = new Levels(run);
    this.#live = changed && createLiveAccesses();
    let failed: (error: unknown) => void = () => {};
    this.over = new Promise((resolve, reject) => {
      this.#done = resolve;
      failed = reject;
    });
    const ended = (call: number) => {
      this.#callEnded(call);
      changed?.();
    };
    const over = (call: number) => {
      this.#levels.ended(this.#waveOf[call] ?? 0);
      this.#left--;
      this.#finish();
    };
    this.#course = { ended, over, failed };
  }

  add(call: number, wave: number): void {
    this.#left++;
    this.#waveOf[call] = wave;
    this.#levels.add(wave);
    const { accesses } = this.#declared(call);
    this.#nodeOf[call] = this.#graph.add(accesses);
    this.#live?.add(accesses);
    while (this.#nodes.length < this.#graph.waits.length) this.#take(this.#nodes.length);
    this.#start();
  }

  begin(): void {
    this.#begun = true;
    this.#start();
    this.#finish();
  }

  seal(): void {
    this.#sealed = true;
    this.#chains = chainsOf(this.#graph.waits, this.#graph.calls);
    this.#run.permits.resort(); // those in line have ranks now
    this.#levels.seal();
    this.#ready = this.#ready.concat(this.#held);
    this.#held = [];
    this.#start();
    this.#finish();
  }

  isFree({ accesses }: Declared): boolean {
    return !this.#live?.conflict(accesses);
  }

  /** Takes in a new node of the graph, a call or a join. */
  #take(node: number): void {
    const own: Node = { open: 0, ended: false, dependents: undefined };
    this.#nodes.push(own);
    for (const other of this.#graph.waits[node] ?? []) {
      const before = this.#nodes[other];
      if (!before || before.ended) continue;
      if (before.dependents) before.dependents.push(node);
      else before.dependents = [node];
      own.open++;
    }
    if (own.open === 0) this.#free(node);
  }

  /** Nothing is in the node's way: a call is ready, a join has ended. */
  #free(node: number): void {
    const call = this.#graph.calls[node];
    if (call !== undefined) this.#ready.push(call);
    else this.#nodeEnded(node);
  }

  #callEnded(call: number): void {
    this.#live?.remove(this.#declared(call).accesses);
    this.#nodeEnded(this.#nodeOf[call] ?? -1);
    this.#start();
  }

  /** Whoever waits only for this may go; joins pass it on at once. */
  #nodeEnded(first: number): void {
    const ended = [first];
    for (let next = ended.pop(); next !== undefined; next = ended.pop()) {
      const node = this.#nodes[next];
      if (!node) continue;
      node.ended = true;
      for (const at of node.dependents ?? NONE) {
        const dependent = this.#nodes[at];
        if (!dependent || --dependent.open > 0) continue;
        if (this.#graph.calls[at] === undefined) ended.push(at);
        else this.#free(at);
      }
    }
  }

  /**
   * Lines up the calls that became ready together: announced in request order, started by rank. A call that ends at
   * once (refused, say) makes others ready in the midst of this; they are next, not deeper.
   */
  #start(): void {
    if (!this.#begun || this.#busy) return;
    this.#busy = true;
    while (this.#ready.length > 0) {
      const due: number[] = [];
      for (const call of this.#ready.splice(0).sort((a, b) => a - b)) {
        if (!this.#sealed && this.#run.waitsForMessage(this.#declared(call))) this.#held.push(call);
        else due.push(call);
      }
      for (const call of due) {
        const wave = this.#waveOf[call] ?? 0;
        this.#levels.started(wave);
        this.#run.emit('call-queued', { call, wave });
      }
      for (const call of due.sort((a, b) => this.#weight(b) - this.#weight(a) || a - b))
        new Turn(
          this.#run,
          call,
          this.#declared(call),
          this.#course,
          new CallRank(call, this.#weight),
        ).begin();
    }
    this.#busy = false;
  }

  readonly #weight = (call: number): number => this.#chains?.[this.#nodeOf[call] ?? -1] ?? 0;

  #finish(): void {
    if (this.#begun && this.#sealed && this.#left === 0) this.#done();
  }

  #declared(call: number): Declared {
    return this.#placement.declarations[call] ?? NOT_DECLARED;
  }
}

/** For each node, the longest chain of calls that starts with it. Nodes stand after those that they wait for. */
function chainsOf(waits: readonly (readonly number[])[], calls: readonly (number | undefined)[]): Int32Array {
  const chains = new Int32Array(waits.length);
  for (let node = waits.length - 1; node >= 0; node--) {
    if (calls[node] !== undefined) chains[node] = (chains[node] ?? 0) + 1;
    for (const other of waits[node] ?? []) chains[other] = Math.max(chains[other] ?? 0, chains[node] ?? 0);
  }
  return chains;
}
