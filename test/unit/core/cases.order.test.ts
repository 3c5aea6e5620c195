/** Cases 1 and 8, and our own on declarations: which calls keep their order, and which stand alone. */
import { describe, expect, test } from 'vitest';
import type { VirtualClock } from '../../../src/core/clock.ts';
import type { WavesEvent } from '../../../src/core/events.ts';
import type { Access } from '../../../src/core/model.ts';
import { plan } from '../../../src/core/plan/plan.ts';
import { createRegistry, type Tool } from '../../../src/core/tools.ts';
import { calls, dispatched, nap, ofType, spansOf, tool } from './helpers.ts';

const file = (mode: Access['mode']): Pick<Tool, 'accesses'> => ({
  accesses: ({ path }) => [{ resource: `file:${path}`, mode }],
});

/** Whether the later call began after the earlier one had ended. */
function startedAfter(events: readonly WavesEvent[], later: number, earlier: number): boolean {
  const spans = spansOf(events);
  return spans.get(earlier)!.end < spans.get(later)!.start;
}

describe('case 1: edits of one file by tools without a lock of their own', () => {
  const TEXT = 'one\ntwo\nthree\n';
  const t1 = { id: 't1', name: 'Edit', input: { path: 'n.txt', from: 'one', to: 'ONE' } };
  const t2 = { id: 't2', name: 'Edit', input: { path: 'n.txt', from: 'three', to: 'THREE' } };
  const read = { id: 't', name: 'Read', input: { path: 'n.txt' } };

  /** Both yield between reading and writing; a watcher looks at the file every millisecond. */
  function naive(clock: VirtualClock, disk: { text: string }, log: string[]): Tool[] {
    const look = () => {
      log.push(`length ${disk.text.length}`);
      if (clock.now() < 100) clock.after(1, look);
    };
    look();
    return [
      tool('Edit', {
        keyed: true,
        ...file('write'),
        async run({ from, to }) {
          const before = disk.text;
          log.push(`${to} read`);
          await nap(clock, 5);
          disk.text = before.replace(String(from), String(to));
          log.push(`${to} wrote`);
          return 'done';
        },
      }),
      tool('Read', { keyed: true, ...file('read'), run: () => nap(clock, 5).then(() => disk.text) }),
    ];
  }

  test.each(['sequential', 'first-fit', 'dataflow'] as const)(
    'case 1: %s loses neither edit',
    async (strategy) => {
      const disk = { text: TEXT };
      const log: string[] = [];
      const { results } = await dispatched([t1, t2], (clock) => naive(clock, disk, log), { strategy });
      expect(disk.text).toBe('ONE\ntwo\nTHREE\n');
      expect(results.map(({ toolCallId, isError }) => [toolCallId, isError])).toEqual([
        ['t1', false],
        ['t2', false],
      ]);
      const seen = log.filter((line) => !line.startsWith('length'));
      expect(seen).toEqual(['ONE read', 'ONE wrote', 'THREE read', 'THREE wrote']);
      expect(new Set(log.filter((line) => line.startsWith('length')))).toEqual(
        new Set([`length ${TEXT.length}`]),
      );
    },
  );

  test.each(['sequential', 'first-fit', 'dataflow'] as const)(
    'case 1: under %s a read between the edits shows the first and not the second',
    async (strategy) => {
      const disk = { text: TEXT };
      const { results } = await dispatched([t1, read, t2], (clock) => naive(clock, disk, []), { strategy });
      expect(results[1]!.content).toBe('ONE\ntwo\nthree\n');
      expect(disk.text).toBe('ONE\ntwo\nTHREE\n');
    },
  );

  test('case 1: batches ignores keys, as published, and says that an update may be lost', async () => {
    const { events } = await dispatched([t1, t2], (clock) => naive(clock, { text: TEXT }, []), {
      strategy: 'batches',
    });
    expect(ofType(events, 'finding-made').map(({ id, calls: about }) => [id, about])).toEqual([
      ['W4', [0, 1]],
    ]);
  });
});

describe('case 8: no call is moved across an unsafe one', () => {
  const batch = calls('Read(a)', 'Write(a)', 'Read(a)', 'Shell', 'Read(b)');
  const SHELL = 3;
  /** Earlier and later, of the same file with a write between them. */
  const CONFLICTS = [
    [0, 1],
    [1, 2],
  ] as const;
  /** Later calls are quicker: they would overtake if nothing held them. */
  const tools = (clock: VirtualClock) => [
    tool('Read', { ...file('read'), run: ({ path }) => nap(clock, path === 'b' ? 1 : 20).then(() => '') }),
    tool('Write', { ...file('write'), safe: false, run: () => nap(clock, 10).then(() => '') }),
    tool('Shell', { safe: false, run: () => nap(clock, 5).then(() => '') }),
  ];

  test.each(['sequential', 'batches', 'dataflow'] as const)(
    'case 8: %s keeps conflicts in order, and nothing runs beside the shell',
    async (strategy) => {
      const { events } = await dispatched(batch, tools, { strategy });
      for (const [earlier, later] of CONFLICTS) expect(startedAfter(events, later, earlier)).toBe(true);
      for (const earlier of [0, 1, 2]) expect(startedAfter(events, SHELL, earlier)).toBe(true);
      expect(startedAfter(events, 4, SHELL)).toBe(true);
    },
  );

  test('case 8: first-fit moves safe calls forward, as published, and its findings say so', async () => {
    const { events } = await dispatched(batch, tools, { strategy: 'first-fit' });
    expect(startedAfter(events, 4, SHELL)).toBe(false);
    expect(ofType(events, 'finding-made').map(({ id, calls: about }) => [id, about])).toEqual([
      ['W1', [1, 2]],
      ['W5', [1, 4]], // Read(b) is planned before the unsafe Write(a) too
      ['W5', [3, 4]],
    ]);
  });

  const four = calls('Read(a)', 'Read(b)', 'Shell', 'Read(c)');
  const registry = createRegistry([tool('Read', file('read')), tool('Shell', { safe: false })]);

  test.each(['batches', 'dataflow'] as const)(
    'case 8: safe, safe, unsafe, safe are three waves of %s',
    (strategy) => {
      expect(plan(four, registry, { strategy }).waves).toEqual([[0, 1], [2], [3]]);
    },
  );

  test('case 8: sequential has a wave for each', () => {
    expect(plan(four, registry, { strategy: 'sequential' }).waves).toEqual([[0], [1], [2], [3]]);
  });
});

/** Runs one odd call between two safe ones that take longer, and says whether it ran alone and in its place. */
async function aloneBetweenReads(odd: Partial<Tool>, input: Record<string, unknown>) {
  const batch = [
    ...calls('Read(a)'),
    { id: 'odd', name: 'odd', input },
    { id: 'last', name: 'Read', input: { path: 'b' } },
  ];
  const outcomes = [];
  for (const strategy of ['sequential', 'batches', 'dataflow'] as const) {
    const { results, events } = await dispatched(
      batch,
      (clock) => [
        tool('Read', { ...file('read'), run: () => nap(clock, 10).then(() => 'read') }),
        { name: 'odd', run: () => nap(clock, 5).then(() => 'odd ran'), ...odd },
      ],
      { strategy },
    );
    expect(results.map(({ toolCallId }) => toolCallId)).toEqual(['t1', 'odd', 'last']);
    expect([results[0]!.content, results[2]!.content]).toEqual(['read', 'read']);
    expect(ofType(events, 'call-declared')[1]!.safe).toBe(false);
    if (spansOf(events).has(1))
      expect([startedAfter(events, 1, 0), startedAfter(events, 2, 1)]).toEqual([true, true]);
    outcomes.push(results[1]);
  }
  return outcomes;
}

const throws = (): never => {
  throw new TypeError('no such field');
};

describe('own case: a safety predicate that fails means unsafe, and the tool itself decides the result', () => {
  test.each<[string, Partial<Tool>]>([
    ['throws', { isSafeForConcurrentExecution: throws }],
    ['returns 1', { isSafeForConcurrentExecution: () => 1 as never }],
    ['returns "false"', { isSafeForConcurrentExecution: () => 'false' as never }],
    ['returns a promise', { isSafeForConcurrentExecution: () => Promise.resolve(true) as never }],
  ])('own case: it %s', async (_, odd) => {
    for (const result of await aloneBetweenReads(odd, {})) {
      expect(result).toMatchObject({ content: 'odd ran', isError: false });
    }
  });

  test('own case: it throws over an input without its field, and the tool says what is missing', async () => {
    const odd: Partial<Tool> = {
      isSafeForConcurrentExecution: ({ command }) => (command as string).startsWith('ls'),
      run: ({ command }) => {
        if (typeof command !== 'string') throw new Error('Give a command.');
        return command;
      },
    };
    for (const result of await aloneBetweenReads(odd, { cmd: 'ls' })) {
      expect(result).toMatchObject({ content: 'Give a command.', isError: true });
    }
  });

  test('own case: an input that the schema refuses is answered by the schema, and the predicate never asked', async () => {
    const odd = {
      isSafeForConcurrentExecution: throws,
      inputSchema: { type: 'object', required: ['command'] },
    };
    for (const result of await aloneBetweenReads(odd, {})) {
      expect(result!.isError).toBe(true);
      expect(result!.content).toContain('the input lacks "command"');
    }
  });
});

describe('own case: a resource key that fails makes the call a full barrier', () => {
  const safe = { isSafeForConcurrentExecution: () => true };
  test.each<[string, Partial<Tool>]>([
    ['a safe call whose key throws', { ...safe, resourceKey: throws }],
    ['a safe call whose key is empty', { ...safe, resourceKey: () => '' }],
    ['a safe call whose key is null', { ...safe, resourceKey: () => null as never }],
    ['an unsafe call whose key throws', { resourceKey: throws }],
    ['an unsafe call whose key is empty', { resourceKey: () => '' }],
  ])('own case: %s', async (_, odd) => {
    for (const result of await aloneBetweenReads(odd, {})) {
      expect(result).toMatchObject({ content: 'odd ran', isError: false });
    }
  });
});

test('own case: one tool may be safe for one input and unsafe for another, in one message', () => {
  const registry = createRegistry([
    tool('Shell', {
      isSafeForConcurrentExecution: ({ path }) => path === 'ls',
      accesses: ({ path }) => (path === 'ls' ? [{ resource: 'file:w', mode: 'read' }] : undefined),
    }),
  ]);
  const batch = calls('Shell(ls)', 'Shell(ls)', 'Shell(rm)', 'Shell(ls)');
  for (const strategy of ['batches', 'dataflow'] as const) {
    const { waves, decisions } = plan(batch, registry, { strategy });
    expect(decisions.map(({ safe }) => safe)).toEqual([true, true, false, true]);
    expect(waves).toEqual([[0, 1], [2], [3]]);
  }
  expect(plan(batch, registry, { strategy: 'first-fit' }).waves).toEqual([[0, 1, 3], [2]]);
});
