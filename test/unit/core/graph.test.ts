import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Access, EVERYTHING } from '../../../src/core/model.ts';
import { createAccessIndex } from '../../../src/core/plan/accessIndex.ts';
import { type ConflictGraph, createConflictGraph } from '../../../src/core/plan/graph.ts';
import { createLiveAccesses } from '../../../src/core/plan/liveAccesses.ts';
import { conflict, covers, firstConflict } from '../../../src/core/resources.ts';

const read = (resource: string): Access => ({ resource, mode: 'read' });
const write = (resource: string): Access => ({ resource, mode: 'write' });

type Graph = Pick<ConflictGraph, 'waits' | 'calls'>;

function graphOf(calls: readonly (readonly Access[])[]): Graph {
  const graph = createConflictGraph();
  for (const accesses of calls) graph.add(accesses);
  return graph;
}

describe('resources', () => {
  test.each([
    ['file:///w/src', 'file:///w/src/a.ts', true],
    ['file:///w', 'file:///w/src/a.ts', true],
    ['/w/app', '/w/app-evil', false],
    ['/w/app', '/w/app/', true],
    ['/w//app', '/w/app/x', true],
    ['/w', 'w', false],
    ['file:///w', 'memfs:///w/a', false],
    [EVERYTHING, 'anything', true],
    ['file:///w/a', 'file:///w', false],
    ['file:src/a.ts', 'file:src/a.ts', true],
    ['file:src', 'file:src/a.ts', true],
  ])('%s lies over %s: %s', (over, under, expected) => {
    expect(covers(over, under)).toBe(expected);
  });

  test('conflict: one is the other or lies over it, and at least one writes', () => {
    expect(conflict(read('/w'), read('/w/a'))).toBe(false);
    expect(conflict(read('/w'), write('/w/a'))).toBe(true);
    expect(conflict(write('/w'), read('/w/a'))).toBe(true);
    expect(conflict(write('/w/a'), write('/w/b'))).toBe(false);
    expect(firstConflict([read('/x'), read('/w')], [write('/w/a')])).toEqual([read('/w'), write('/w/a')]);
  });
});

describe('the graph of conflicts', () => {
  test('an unsafe call waits for all before it, and all after it wait for it', () => {
    const graph = graphOf([[read('/a')], [write('/b')], [write(EVERYTHING)], [read('/a')], []]);
    expect(reached(graph, 2)).toEqual([0, 1]);
    expect(reached(graph, 3)).toEqual([0, 1, 2]);
    expect(reached(graph, 4)).toEqual([]);
  });

  test('equals the all-pairs form on random batches: who waits, through whom, and nobody else', () => {
    const access = fc.record({
      resource: fc.oneof(
        fc
          .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 })
          .map((path) => `/${path.join('/')}`),
        fc.constant(EVERYTHING),
      ),
      mode: fc.constantFrom('read' as const, 'write' as const),
    });
    fc.assert(
      fc.property(fc.array(fc.array(access, { maxLength: 3 }), { maxLength: 25 }), (calls) => {
        const graph = graphOf(calls);
        const naive: Graph = {
          calls: [...calls.keys()],
          waits: calls.map((own, call) =>
            calls.flatMap((other, index) => (index < call && firstConflict(own, other) ? [index] : [])),
          ),
        };
        const index = createAccessIndex();
        for (const own of calls) index.add(own);
        for (let call = 0; call < calls.length; call++) {
          expect(index.conflictsBefore(call, Number.POSITIVE_INFINITY)).toEqual(naive.waits[call]);
          expect(index.conflictsBefore(call, 3)).toEqual(naive.waits[call]!.slice(0, 3));
          expect(reached(graph, call)).toEqual(reached(naive, call));
          for (const direct of expanded(graph, call)) expect(naive.waits[call]).toContain(direct);
        }
      }),
      { numRuns: 3000 },
    );
  });

  test('every node stands after those it waits for, the calls among them in their own order', () => {
    const access = fc.record({
      resource: fc.constantFrom('/a', '/a/b', '/a/b/c', '/a/d', '/e', EVERYTHING),
      mode: fc.constantFrom('read' as const, 'write' as const),
    });
    fc.assert(
      fc.property(fc.array(fc.array(access, { maxLength: 2 }), { maxLength: 30 }), (calls) => {
        const graph = graphOf(calls);
        expect(graph.calls).toHaveLength(graph.waits.length);
        expect(graph.calls.filter((call) => call !== undefined)).toEqual([...calls.keys()]);
        for (const [node, list] of graph.waits.entries()) {
          if (graph.calls[node] !== undefined) expect(new Set(list).size).toBe(list.length);
          for (const other of list) expect(other).toBeLessThan(node);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test.each<[string, Access[][], number[][]]>([
    ['a reader is waited for itself', [[read('/a')], [write('/a')]], [[], [0]]],
    ['one that reads twice is waited for once', [[read('/a'), read('/a')], [write('/a')]], [[], [0]]],
    [
      'a writer stands for those who read before it',
      [[read('/a')], [write('/a')], [read('/a')], [write('/a')]],
      [[], [0], [1], [1, 2]],
    ],
    [
      'one that reads and writes stands for those who read before it',
      [[read('/a'), write('/a')], [read('/a')], [write('/a')]],
      [[], [0], [0, 1]],
    ],
    [
      'the last writer stands for all before it',
      [[read('/a')], [write('/a')], [write('/a')]],
      [[], [0], [1]],
    ],
    [
      'the last writer stands for its own reading too',
      [[read('/a')], [read('/a'), write('/a')], [write('/a')]],
      [[], [0], [1]],
    ],
    ['a writer below is waited for itself', [[write('/a/x')], [read('/a')]], [[], [0]]],
    [
      'a file written twice is waited for once',
      [[write('/a/x')], [write('/a/x')], [read('/a')]],
      [[], [0], [1]],
    ],
    [
      'a writer of the folder stands for those below it',
      [[write('/a/x')], [read('/a')], [write('/a')], [read('/a')]],
      [[], [0], [0, 1], [2]],
    ],
    [
      'a writer of the folder stands for what it read below',
      [[read('/a/x')], [read('/a/x'), write('/a')], [write('/a')]],
      [[], [0], [1]],
    ],
  ])('is no larger than it must be: %s', (_name, accesses, waits) => {
    expect(graphOf(accesses).waits).toEqual(waits);
  });

  test('many readers are waited for through one point, which all share who wait for them', () => {
    const { waits, calls } = graphOf([[read('/w')], [read('/w')], [write('/w/x')], [write('/w/y')]]);
    expect(calls).toEqual([0, 1, undefined, 2, 3]);
    expect(waits).toEqual([[], [], [0, 1], [2], [2]]);
  });

  test('a search of a folder waits for the last edit of each file in it, whatever was asked before', () => {
    const graph = graphOf([
      [write('/w/a'), write('/w/a/x'), write('/w/a/y')],
      [write('/w/a/x')],
      [read('/w')],
      [read('/w/a')],
    ]);
    expect(reached(graph, 2)).toEqual([0, 1]);
    expect(reached(graph, 3)).toEqual([0, 1]);
  });

  const deep = (index: number) => `/w/${'d/'.repeat(10)}${index}`;
  test.each<[string, (index: number, n: number) => Access[]]>([
    [
      'edits of many files, searches of their folder, edits of one file',
      (i) => [[write(`/w/${i}`)], [read('/w')], [write('/w/x')]][i % 3]!,
    ],
    ['many reads, then many writes', (i, n) => [i < n / 2 ? read('/w/a') : write('/w/a')]],
    ['many edits, then many searches', (i, n) => [i < n / 2 ? write(`/w/${i}`) : read('/w')]],
    ['many searches, then many edits', (i, n) => [i < n / 2 ? read('/w') : write(`/w/${i}`)]],
    ['reads and writes in turn', (i) => [i % 2 ? read('/w/a') : write('/w/a')]],
    [
      'folders written between deep files',
      (i) => [i % 5 === 0 ? write(`/w/${'d/'.repeat(i % 11)}`) : read(deep(i))],
    ],
    [
      'unsafe calls among searches',
      (i) => [i % 4 === 0 ? write(EVERYTHING) : read(i % 3 ? '/w' : deep(i % 7))],
    ],
    [
      'calls with several accesses',
      (i) => [read('/w'), read(deep(i % 9)), write(`/v/${i % 13}`), write(deep(i))],
    ],
  ])('its size grows with the accesses, not with the pairs: %s', (_name, make) => {
    const edges = (n: number) =>
      graphOf([...Array(n)].map((_, index) => make(index, n))).waits.reduce(
        (sum, { length }) => sum + length,
        0,
      );
    expect(edges(4000) / Math.max(1, edges(2000))).toBeLessThan(2.1);
  });
});

describe('what is touched now', () => {
  test('conflicts as comparing with every call that is there, while calls come and go', () => {
    const access = fc.record({
      resource: fc.constantFrom('/a', '/a/b', '/a/b/c', '/a/d', '/e', EVERYTHING),
      mode: fc.constantFrom('read' as const, 'write' as const),
    });
    const accesses = fc.array(access, { maxLength: 3 });
    fc.assert(
      fc.property(fc.array(fc.tuple(accesses, accesses, fc.boolean()), { maxLength: 20 }), (steps) => {
        const live = createLiveAccesses();
        const there: (readonly Access[])[] = [];
        for (const [added, asked, leaves] of steps) {
          live.add(added);
          there.push(added);
          if (leaves) live.remove(there.shift()!);
          expect(live.conflict(asked)).toBe(there.some((one) => firstConflict(one, asked) !== undefined));
        }
      }),
      { numRuns: 1000 },
    );
  });
});

/** All calls that end before this one may start. */
function reached({ waits, calls }: Graph, call: number): number[] {
  const seen = new Set<number>();
  const visit = (node: number) => {
    for (const next of waits[node]!) {
      if (!seen.has(next)) {
        seen.add(next);
        visit(next);
      }
    }
  };
  visit(calls.indexOf(call));
  return [...seen].flatMap((node) => calls[node] ?? []).sort((a, b) => a - b);
}

/** The calls it waits for itself, joins taken apart. */
function expanded({ waits, calls }: Graph, call: number): number[] {
  const behind = (node: number): number[] => waits[node]!.flatMap((next) => calls[next] ?? behind(next));
  return behind(calls.indexOf(call));
}
