import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Access, EVERYTHING } from '../../../src/core/model.ts';
import { createAccessIndex } from '../../../src/core/plan/accessIndex.ts';
import { conflictGraph, type Graph } from '../../../src/core/plan/graph.ts';
import { conflict, covers, firstConflict } from '../../../src/core/resources.ts';

const read = (resource: string): Access => ({ resource, mode: 'read' });
const write = (resource: string): Access => ({ resource, mode: 'write' });

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
    const graph = conflictGraph([[read('/a')], [write('/b')], [write(EVERYTHING)], [read('/a')], []]);
    expect(reached(graph, 2)).toEqual([0, 1]);
    expect(reached(graph, 3)).toEqual([0, 1, 2]);
    expect(graph.waits[4]).toEqual([]);
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
        const graph = conflictGraph(calls);
        const naive: Graph = {
          calls: calls.length,
          order: [],
          waits: calls.map((own, call) =>
            calls.flatMap((other, index) => (index < call && firstConflict(own, other) ? [index] : [])),
          ),
        };
        const index = createAccessIndex(calls);
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

  test('its size grows with the accesses, not with the pairs', () => {
    const edges = (n: number) => {
      const calls = [...Array(n)].flatMap((_, index) => [
        [write(`/w/${index}`)],
        [read('/w')],
        [write('/w/shared')],
      ]);
      return conflictGraph(calls).waits.reduce((sum, waits) => sum + waits.length, 0);
    };
    expect(edges(2000) / edges(1000)).toBeLessThan(2.1);
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
  visit(call);
  return [...seen].filter((node) => node < calls).sort((a, b) => a - b);
}

/** The calls it waits for itself, joins taken apart. */
function expanded({ waits, calls }: Graph, node: number): number[] {
  return waits[node]!.flatMap((next) =>
    next < calls ? [next] : expanded({ waits, calls, order: [] }, next),
  );
}
