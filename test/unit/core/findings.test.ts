import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findings } from '../../../src/core/findings/findings.ts';
import { findingsOfPlan } from '../../../src/core/findings/fromPlan.ts';
import type { StrategyName } from '../../../src/core/model.ts';
import { reduceAll } from '../../../src/core/reduce.ts';
import { conflict } from '../../../src/core/resources.ts';
import type { Scenario, ScenarioTool } from '../../../src/core/scenario.ts';
import { simulate } from '../../../src/core/simulate.ts';
import { ofType } from './helpers.ts';

const file = (mode: 'read' | 'write') => [{ resource: 'file:{path}', mode }];
const tools: Record<string, ScenarioTool> = {
  Read: { safe: true, accesses: file('read') },
  KeyedRead: { safe: true, key: 'file:{path}', accesses: file('read') },
  Edit: { safe: true, key: 'file:{path}' },
  UnsafeEdit: { accesses: file('write') },
  Shell: {},
  Broken: { safe: true, key: '{nothing}' },
};

async function found(strategy: StrategyName, ...calls: string[]) {
  const scenario: Scenario = {
    tools,
    calls: calls.map((text) => {
      const [tool = '', path = 'x'] = text.split(' ');
      return { tool, input: { path } };
    }),
  };
  const simulation = await simulate(scenario, { strategy });
  const emitted = ofType(simulation.events, 'finding-made').map(
    ({ type: _type, seq: _seq, t: _t, ...finding }) => finding,
  );
  expect(findings(reduceAll(simulation.events))).toEqual(emitted);
  expect(simulation.findings).toEqual(emitted);
  return emitted.map(({ id, calls: about }) => `${id} ${about.map((call) => call + 1).join(' ')}`);
}

describe('W1, a stale read', () => {
  test('the published price of first-fit: the second read of a file is planned before its edit', async () => {
    expect(await found('first-fit', 'Read a', 'UnsafeEdit a', 'Read a')).toEqual(['W1 2 3']);
  });
  test('together with the edit', async () => {
    expect(await found('first-fit', 'Edit a', 'Read a')).toEqual(['W1 1 2']);
    expect(await found('batches', 'Edit a', 'Read a')).toEqual(['W1 1 2']);
  });
  test('near misses: another file, a read that was asked for first, an order that is kept', async () => {
    expect(await found('first-fit', 'Edit a', 'Read b')).toEqual([]);
    expect(await found('first-fit', 'Read a', 'UnsafeEdit a')).toEqual([]);
    expect(await found('dataflow', 'Read a', 'UnsafeEdit a', 'Read a')).toEqual([]);
    expect(await found('sequential', 'Edit a', 'Read a')).toEqual([]);
    expect(await found('first-fit', 'Edit a', 'KeyedRead a')).toEqual([]);
  });
});

describe('W4, a lost update', () => {
  test('two edits of one file together', async () => {
    expect(await found('batches', 'Edit a', 'Edit a')).toEqual(['W4 1 2']);
  });
  test('a write against the order', async () => {
    expect(await found('first-fit', 'Edit b', 'UnsafeEdit a', 'Edit a')).toEqual(['W4 2 3']);
  });
  test('near misses: a read before its write, a key that keeps them apart, or they write different files', async () => {
    expect(await found('first-fit', 'Edit a', 'Edit a')).toEqual([]);
    expect(await found('batches', 'Edit a', 'Edit b')).toEqual([]);
    expect(await found('batches', 'Read a', 'Edit a')).toEqual([]);
  });
});

describe('W5, a crossed barrier', () => {
  test('one finding an unsafe call, with all that crossed it', async () => {
    expect(await found('first-fit', 'Read a', 'Shell', 'Read b', 'Edit c')).toEqual(['W5 2 3 4']);
  });
  test('near misses: batches, and an unsafe call that never ran', async () => {
    expect(await found('batches', 'Read a', 'Shell', 'Read b')).toEqual([]);
    expect(await found('first-fit', 'Shell', 'Read b')).toEqual([]);
  });
});

test('W8, a declaration failed, once a call', async () => {
  expect(await found('first-fit', 'Broken a', 'Read b')).toEqual(['W8 1']);
});

test('the worked example of the panel page under first-fit: its swaps are findings, and dataflow has none', async () => {
  const nine = ['Read a', 'Read src', 'Edit a', 'Edit b', 'Edit a', 'Shell', 'Read a', 'Edit b', 'Read docs'];
  expect(await found('first-fit', ...nine)).toEqual(['W1 3 7', 'W1 5 7', 'W5 6 7 8 9']);
  expect(await found('dataflow', ...nine)).toEqual([]);
});

test('thousands of findings stay bounded', async () => {
  const many = Array.from({ length: 2000 }, (_, index) => (index % 2 === 0 ? 'Edit a' : 'Read a'));
  const all = await found('first-fit', ...many);
  expect(all.length).toBeLessThanOrEqual(400);
});

test('a crossed barrier lists a hundred calls and counts them all', async () => {
  const reads = Array.from({ length: 150 }, (_, index) => `Read ${index}`);
  const simulation = await simulate(
    {
      tools,
      calls: ['Read x', 'Shell x', ...reads].map((text) => ({
        tool: text.split(' ')[0]!,
        input: { path: text.split(' ')[1] },
      })),
    },
    { strategy: 'first-fit' },
  );
  const [finding, ...others] = simulation.findings;
  expect(others).toEqual([]);
  expect(finding!.calls).toHaveLength(101);
  expect(finding!.text).toContain('#3, #4, #5, #6 and 146 more are planned before #2 Shell');
});

test('W1 and W4 are exactly the conflicting pairs that stand against the order, wherever a plan puts the calls', () => {
  const access = fc.record({
    resource: fc.constantFrom('/a', '/a/b', '/a/b/c', '/a/d', '/e'),
    mode: fc.constantFrom('read' as const, 'write' as const),
  });
  const placed = fc.record({
    name: fc.constant('T'),
    wave: fc.nat(6),
    safe: fc.constant(true),
    accesses: fc.array(access, { maxLength: 2 }),
  });
  fc.assert(
    fc.property(fc.array(placed, { maxLength: 12 }), (calls) => {
      const expected = calls.flatMap((later, index) =>
        calls.slice(0, index).flatMap((earlier, at) => {
          const modes = earlier.accesses.flatMap((first) =>
            later.accesses.flatMap((second) =>
              conflict(first, second) ? [`${first.mode} ${second.mode}`] : [],
            ),
          );
          if (earlier.wave < later.wave || modes.length === 0) return [];
          // Of several conflicts the first with a read by the later call counts, else the first of all.
          const mode = modes.find((pair) => pair.endsWith('read')) ?? modes[0];
          if (mode === 'read write') return [];
          return [`${mode === 'write read' ? 'W1' : 'W4'} ${at} ${index}`];
        }),
      );
      const told = findingsOfPlan(calls).map(({ id, calls: about }) => [id, ...about].join(' '));
      expect([...told].sort()).toEqual([...expected].sort());
    }),
    { numRuns: 2000 },
  );
});
