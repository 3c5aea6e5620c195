/** Batches that a running call dispatches itself: whose permits they use, what they may touch, when they end. */
import { describe, expect, test } from 'vitest';
import type { VirtualClock } from '../../../src/core/clock.ts';
import { BatchAborted, BatchRefused } from '../../../src/core/errors.ts';
import type { WavesEvent } from '../../../src/core/events.ts';
import type { ToolCall, ToolResult } from '../../../src/core/model.ts';
import { STRATEGY_NAMES } from '../../../src/core/plan/strategies.ts';
import type { Tool } from '../../../src/core/tools.ts';
import { calls, dispatched, nap, ofType, permitsOf, tool } from './helpers.ts';
import { nestedTools, texts } from './nestedTools.ts';

describe('case 6: as many parents as permits, each dispatching two children', () => {
  const cases = STRATEGY_NAMES.flatMap((strategy) =>
    [1, 3].flatMap((limit) => [false, true].map((conflict) => ({ strategy, limit, conflict }))),
  );
  test.each(cases)(
    'case 6: $strategy, limit $limit, children in conflict: $conflict; all finish and no more leaves run than that',
    async ({ strategy, limit, conflict }) => {
      let running = 0;
      let most = 0;
      const leaf = (clock: VirtualClock): Tool =>
        tool('Leaf', {
          accesses: () => (conflict ? [{ resource: 'file:x', mode: 'write' }] : []),
          async run({ path }) {
            most = Math.max(most, ++running);
            await nap(clock, 10);
            running--;
            return `leaf ${path}`;
          },
        });
      const { results, endedAt } = await dispatched(
        calls(...Array.from({ length: limit }, (_, n) => `Parent(${n})`)),
        (clock) => [
          tool('Parent', {
            async run({ path }, { dispatch }) {
              return texts(await dispatch(calls(`Leaf(${path}1)`, `Leaf(${path}2)`)));
            },
          }),
          leaf(clock),
        ],
        { strategy, maxConcurrency: limit },
      );
      expect(results.map(({ content }) => content)).toEqual(
        Array.from({ length: limit }, (_, n) => `leaf ${n}1, leaf ${n}2`),
      );
      expect(most).toBeLessThanOrEqual(limit);
      if (strategy !== 'sequential' && !conflict) expect(most).toBe(limit);
      if (conflict) expect(most).toBe(1);
      expect(endedAt).toBeLessThanOrEqual(10 * 2 * limit);
    },
  );

  test.each(STRATEGY_NAMES)('case 6: %s, three levels deep under one permit', async (strategy) => {
    const { results, events } = await dispatched(
      calls('Top(1)', 'Top(2)'),
      (clock) =>
        nestedTools(clock, {
          Top: ['Mid(a)', 'Mid(b)'],
          Mid: ['Low(x)', 'Low(y)'],
          Low: ['Leaf(0)', 'Leaf(1)'],
        }),
      { strategy, maxConcurrency: 1 },
    );
    const low = 'Leaf 0, Leaf 1';
    const mid = `${low}, ${low}`;
    expect(results.map(({ content }) => content)).toEqual([`${mid}, ${mid}`, `${mid}, ${mid}`]);
    expect(permitsOf(events)).toEqual({ most: 1, heldAtEnd: 0 });
  });
});

test('children use whatever permits of the pool are free, under the numbers that they have there', async () => {
  const nested: WavesEvent[] = [];
  const { events, endedAt } = await dispatched(
    calls('Parent', 'Quick', 'Quick'),
    (clock) => [
      tool('Quick', { run: () => nap(clock, 5).then(() => '') }),
      tool('Slow', { run: () => nap(clock, 100).then(() => '') }),
      tool('Parent', {
        async run(_input, { dispatch }) {
          await dispatch(calls('Slow', 'Slow', 'Slow', 'Slow'), { onEvent: (event) => nested.push(event) });
          return '';
        },
      }),
    ],
    { strategy: 'batches', maxConcurrency: 3 },
  );
  expect(ofType(nested, 'batch-received')[0]!.permits).toBe(3);
  // Its own at once, the two others when the quick calls are done, and again its own.
  expect(ofType(nested, 'permit-taken').map(({ permit, t }) => [permit, t])).toEqual([
    [0, 0],
    [1, 5],
    [2, 5],
    [0, 100],
  ]);
  expect(permitsOf(nested)).toEqual({ most: 3, heldAtEnd: 0 });
  expect(permitsOf(events)).toEqual({ most: 3, heldAtEnd: 0 });
  expect(endedAt).toBe(200);
  expect([nested[0]!.type, nested.at(-1)!.type]).toEqual(['batch-received', 'run-ended']);
  expect(nested.map(({ seq }) => seq)).toEqual(nested.map((_, index) => index));
});

describe('case 6: a child that needs what a call above it holds', () => {
  const write = (resource: string) => () => [{ resource, mode: 'write' as const }];
  /** Outer dispatches Inner, which dispatches Child; what they declare is what counts. */
  async function family(outer: Partial<Tool>, inner: Partial<Tool>, child: Partial<Tool>) {
    let answer: ToolResult | undefined;
    let ran = false;
    const outcome = await dispatched(calls('Outer'), (clock) => [
      tool('Outer', {
        ...outer,
        run: async (_input, { dispatch }) => texts(await dispatch(calls('Inner'))),
      }),
      tool('Inner', {
        ...inner,
        async run(_input, { dispatch }) {
          await nap(clock, 7);
          [answer] = await dispatch(calls('Child'));
          return `at ${clock.now()}`;
        },
      }),
      tool('Child', {
        ...child,
        run() {
          ran = true;
          return 'ran';
        },
      }),
    ]);
    return { ...outcome, answer: answer!, ran };
  }

  test.each([
    ['its parent', {}, { accesses: write('dir/x') }, 'Inner "t1"', 'dir/x'],
    ['its grandparent', { accesses: write('dir/x') }, { accesses: () => [] }, 'Outer "t1"', 'dir/x'],
    ['its parent, a folder above', {}, { accesses: write('dir') }, 'Inner "t1"', 'dir/x'],
    [
      'its parent, which is unsafe and so holds everything',
      {},
      { isSafeForConcurrentExecution: () => false },
      'Inner "t1"',
      'dir/x',
    ],
    ['its parent, by key', {}, { resourceKey: () => 'dir/x' }, 'Inner "t1"', 'dir/x'],
  ])(
    'case 6: %s: fails at once, names the conflict and never runs',
    async (_who, outer, inner, holder, resource) => {
      const { answer, ran, results, endedAt } = await family(outer, inner, { accesses: write('dir/x') });
      expect(answer.isError).toBe(true);
      expect(answer.content).toContain(`not run: ${holder}, which dispatched this call, holds ${resource}`);
      expect(ran).toBe(false);
      expect(results[0]).toMatchObject({ content: 'at 7', isError: false });
      expect(endedAt).toBe(7);
    },
  );

  test('what a call above only reads, a child may read too', async () => {
    const read = () => [{ resource: 'dir/x', mode: 'read' as const }];
    const { answer } = await family({ accesses: read }, { accesses: read }, { accesses: read });
    expect(answer).toMatchObject({ content: 'ran', isError: false });
  });
});

test('a nested batch that is refused as a whole tells its tool so', async () => {
  let refused: unknown;
  const twice: ToolCall[] = [
    { id: 'x', name: 'Leaf', input: { path: 1 } },
    { id: 'x', name: 'Leaf', input: { path: 2 } },
  ];
  const { results } = await dispatched(calls('Parent'), () => [
    tool('Leaf'),
    tool('Parent', {
      async run(_input, { dispatch }) {
        refused = await dispatch(twice).catch((error: unknown) => error);
        return texts(await dispatch([]));
      },
    }),
  ]);
  expect(refused).toBeInstanceOf(BatchRefused);
  expect(results[0]).toMatchObject({ content: '', isError: false });
});

test('a call that has ended can dispatch no more', async () => {
  let late: unknown;
  const ran: string[] = [];
  await dispatched(calls('Parent'), (clock) => [
    tool('Leaf', { run: () => void ran.push('leaf') as never }),
    tool('Parent', {
      run(_input, { dispatch }) {
        clock.after(10, () => {
          dispatch(calls('Leaf')).catch((error: unknown) => {
            late = error;
          });
        });
        return 'done';
      },
    }),
  ]);
  expect(late).toBeInstanceOf(BatchAborted);
  expect((late as Error).message).toBe('Parent is over, so it can dispatch no more.');
  expect(ran).toEqual([]);
});

test('the hooks of a batch are asked about the calls nested in it, which may be blocked too', async () => {
  const asked: string[] = [];
  const told: string[] = [];
  const { results } = await dispatched(
    calls('Parent'),
    (clock) => nestedTools(clock, { Parent: ['Leaf(a)', 'Leaf(b)'] }),
    {
      hooks: {
        before({ name, input }) {
          asked.push(`${name} ${(input as { path?: string }).path ?? ''}`.trim());
          return asked.length === 3 ? { block: 'not this one' } : undefined;
        },
        after({ name }, { content }) {
          told.push(`${name}: ${String(content)}`);
        },
      },
    },
  );
  expect(asked).toEqual(['Parent', 'Leaf a', 'Leaf b']);
  expect(told).toEqual(['Leaf: Leaf a', 'Parent: Leaf a, not this one']);
  expect(results[0]!.content).toBe('Leaf a, not this one');
});
