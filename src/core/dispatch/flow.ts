/**
 * Runs calls along the graph of their conflicts, with no barrier between waves (DESIGN section 3, `dataflow`): a call
 * is ready when those it waits for have ended, and of the ready ones that with the longest remaining chain goes first.
 */
import type { Declared } from '../declare.ts';
import type { Graph } from '../plan/graph.ts';
import type { Placement } from '../plan/strategy.ts';
import { NOT_DECLARED, Turn } from './pipeline.ts';
import type { Run } from './run.ts';

/** Resolves when all calls have ended; after a stop those that had not started never do. */
export function runFlow(
  run: Run,
  { waves, decisions }: Placement,
  graph: Graph,
  declarations: readonly Declared[],
): Promise<void> {
  const { waits, calls } = graph;
  const dependents = dependentsOf(graph);
  const chains = chainsOf(graph);
  const open = waits.map((list) => list.length);
  const level = levels(run, waves);

  return new Promise((resolve, failed) => {
    let left = calls;
    if (left === 0) resolve();
    const ready: number[] = [];
    let starting = false;

    const weight = (call: number) => chains[call] ?? 0;
    const over = (call: number) => {
      level.ended(decisions[call]?.wave ?? 0);
      if (--left === 0) resolve();
    };
    /** Whoever waits only for this may go; joins pass it on at once. */
    const ended = (node: number) => {
      const done = [node];
      for (let next = done.pop(); next !== undefined; next = done.pop()) {
        for (const dependent of dependents[next] ?? []) {
          open[dependent] = (open[dependent] ?? 0) - 1;
          if (open[dependent] !== 0) continue;
          if (dependent < calls) ready.push(dependent);
          else done.push(dependent);
        }
      }
      start();
    };
    const course = { over, ended, failed };
    /**
     * Lines up the calls that became ready together: announced in request order, started by rank. A call that ends
     * at once (refused, say) makes others ready in the midst of this; they are next, not deeper.
     */
    const start = () => {
      if (starting) return;
      starting = true;
      while (ready.length > 0) {
        const together = ready.splice(0).sort((a, b) => a - b);
        for (const call of together) {
          const wave = decisions[call]?.wave ?? 0;
          level.started(wave);
          run.emit('call-queued', { call, wave });
        }
        for (const call of together.sort((a, b) => weight(b) - weight(a) || a - b)) {
          const rank = { weight: weight(call), order: call };
          new Turn(run, call, declarations[call] ?? NOT_DECLARED, course, rank).begin();
        }
      }
      starting = false;
    };
    for (const call of declarations.keys()) if (open[call] === 0) ready.push(call);
    start();
  });
}

function dependentsOf({ waits }: Graph): readonly (readonly number[])[] {
  const dependents: number[][] = waits.map(() => []);
  for (const [node, list] of waits.entries()) for (const other of list) dependents[other]?.push(node);
  return dependents;
}

/** The longest chain of calls that starts with this one. */
function chainsOf({ waits, calls, order }: Graph): Int32Array {
  const chains = new Int32Array(waits.length);
  for (let at = order.length - 1; at >= 0; at--) {
    const node = order[at] ?? 0;
    if (node < calls) chains[node] = (chains[node] ?? 0) + 1;
    for (const other of waits[node] ?? []) chains[other] = Math.max(chains[other] ?? 0, chains[node] ?? 0);
  }
  return chains;
}

/** A level starts with its first call and ends with its last. */
function levels(run: Run, waves: Placement['waves']) {
  const left = waves.map((wave) => wave.length);
  const seen = new Set<number>();
  return {
    started(wave: number) {
      if (seen.has(wave)) return;
      seen.add(wave);
      run.emit('wave-started', { wave });
    },
    ended(wave: number) {
      left[wave] = (left[wave] ?? 0) - 1;
      if (left[wave] === 0) run.emit('wave-ended', { wave });
    },
  };
}
