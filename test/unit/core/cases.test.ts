/** Cases 9, 10, 15, 30, 31 and X1: what each call is answered, once and in its place. */
import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { VirtualClock } from '../../../src/core/clock.ts';
import { dispatch } from '../../../src/core/dispatch/dispatch.ts';
import { createSlots } from '../../../src/core/dispatch/slots.ts';
import { checkPairing, repairPairing } from '../../../src/core/pairing/pairing.ts';
import { STRATEGY_NAMES } from '../../../src/core/plan/strategies.ts';
import { createRegistry, type Tool } from '../../../src/core/tools.ts';
import { calls, designTools, dispatched, nap, ofType, tool } from './helpers.ts';

describe('case 9: results come back in request order', () => {
  const needsPath = { type: 'object', required: ['path'] };
  const tools = (clock: VirtualClock) => [
    tool('Slow', { run: () => nap(clock, 50).then(() => 'slow') }),
    tool('Quick', { run: () => nap(clock, 5).then(() => 'quick') }),
    tool('Picky', { inputSchema: needsPath }),
  ];

  test.each(
    STRATEGY_NAMES.flatMap((strategy) => ['Unknown', 'Picky'].map((second) => ({ strategy, second }))),
  )('case 9: $strategy, the second call refused at once ($second)', async ({ strategy, second }) => {
    const batch = calls('Slow', second, 'Quick');
    const { results, events } = await dispatched(batch, tools, { strategy });
    expect(results.map(({ toolCallId }) => toolCallId)).toEqual(['t1', 't2', 't3']);
    expect(results.map(({ isError }) => isError)).toEqual([false, true, false]);
    // Events come as things happen, and name the call by its index, whose id the first event tells.
    const ids = ofType(events, 'batch-received')[0]!.calls.map(({ id }) => id);
    expect(
      ofType(events, 'call-ended')
        .map(({ call }) => ids[call])
        .sort(),
    ).toEqual(['t1', 't2', 't3']);
  });

  test('case 9: a quick call that runs beside a slow one is told first, and answered third', async () => {
    const { results, events } = await dispatched(calls('Slow', 'Unknown', 'Quick'), tools, {
      strategy: 'first-fit',
    });
    expect(ofType(events, 'call-ended').map(({ call }) => call)).toEqual([2, 0, 1]);
    expect(results.map(({ content }) => String(content).slice(0, 5))).toEqual(['slow', 'Unkno', 'quick']);
  });
});

describe('case 10: one failure cancels nobody', () => {
  test.each(
    STRATEGY_NAMES.flatMap((strategy) =>
      (['abort', 'answer-all'] as const).flatMap((onHardError) =>
        ['throws', 'returns an error'].map((how) => ({ strategy, onHardError, how })),
      ),
    ),
  )('case 10: $strategy, $onHardError, the second of five $how', async ({ strategy, onHardError, how }) => {
    const ran: unknown[] = [];
    const { results } = await dispatched(
      calls('Read(a)', 'Read(b)', 'Read(c)', 'Read(d)', 'Read(e)'),
      (clock) => [
        tool('Read', {
          keyed: true,
          async run({ path }) {
            ran.push(path);
            await nap(clock, path === 'b' ? 1 : 10);
            if (path !== 'b') return `got ${path}`;
            if (how === 'throws') throw new Error('no such file');
            return { content: 'no such file', isError: true };
          },
        }),
      ],
      { strategy, onHardError },
    );
    expect(results.map(({ content }) => content)).toEqual([
      'got a',
      'no such file',
      'got c',
      'got d',
      'got e',
    ]);
    expect(results.map(({ isError }) => isError)).toEqual([false, true, false, false, false]);
    expect(ran).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});

describe('case 15: ids that stand twice', () => {
  const counting = (ran: unknown[]) =>
    createRegistry([tool('Read', { run: ({ path }) => `${ran.push(path)}` })]);

  test('case 15: equal calls of one id run once and have one result', async () => {
    const ran: unknown[] = [];
    const twice = { id: 'x', name: 'Read', input: { path: 'a' } };
    const results = await dispatch([twice, { ...twice, input: { ...twice.input } }], counting(ran));
    expect(results.map(({ toolCallId, content }) => [toolCallId, content])).toEqual([['x', '1']]);
    expect(ran).toEqual(['a']);
  });

  test('case 15: whatever the ids, no two results share one, and a refused batch ran nothing', async () => {
    const call = fc.record({
      id: fc.constantFrom('x', 'y', 'z', ''),
      name: fc.constant('Read'),
      input: fc.record({ path: fc.constantFrom('a', 'b') }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 5 }), async (batch) => {
        const ran: unknown[] = [];
        const told = new Map<string, Set<string>>();
        for (const { id, input } of batch) told.set(id, new Set(told.get(id)).add(input.path));
        const usable = !told.has('') && [...told.values()].every((paths) => paths.size === 1);
        const outcome = await dispatch(batch, counting(ran)).catch((error: unknown) => error);
        if (usable) {
          expect((outcome as { toolCallId: string }[]).map(({ toolCallId }) => toolCallId)).toEqual([
            ...told.keys(),
          ]);
          expect(ran).toHaveLength(told.size);
        } else {
          expect(outcome).toMatchObject({ code: 'BATCH_REFUSED' });
          expect(ran).toEqual([]);
        }
      }),
    );
  });
});

describe('case 30: the first final answer of a call counts', () => {
  /** An answer that is no promise of ours, and says what it likes as often as it likes. */
  const answering = (say: (first: (value: string) => void, fail: (error: unknown) => void) => void): Tool =>
    tool('Twice', {
      // biome-ignore lint/suspicious/noThenProperty: a tool may hand back any thenable
      run: () => ({ then: (first: never, fail: never) => say(first, fail) }) as never,
    });

  test.each<[string, Tool]>([
    [
      'a tool that answers, then throws',
      answering((first) => {
        first('first');
        throw new Error('second');
      }),
    ],
    [
      'a tool that answers, then fails',
      answering((first, fail) => {
        first('first');
        fail(new Error('second'));
      }),
    ],
    [
      'a tool that answers twice',
      answering((first) => {
        first('first');
        first('second');
      }),
    ],
  ])('case 30: %s has one result, the first', async (_, twice) => {
    const { results, events } = await dispatched(calls('Twice', 'Other'), () => [twice, tool('Other')], {
      strategy: 'batches',
    });
    expect(results.map(({ content, isError }) => [content, isError])).toEqual([
      ['first', false],
      ['Other', false],
    ]);
    expect(ofType(events, 'slot-filled').filter(({ call }) => call === 0)).toHaveLength(1);
    expect(ofType(events, 'call-ended').filter(({ call }) => call === 0)).toHaveLength(1);
  });

  test.each(['answers', 'throws'])(
    'case 30: a tool that %s after it was timed out is only logged',
    async (how) => {
      const { results, events, logged } = await dispatched(
        calls('Late', 'Other'),
        (clock) => [
          tool('Late', {
            timeoutMs: 10,
            run: () =>
              nap(clock, 50).then(() => (how === 'throws' ? Promise.reject(new Error('second')) : 'second')),
          }),
          tool('Other', { run: () => nap(clock, 100).then(() => 'other') }),
        ],
        { strategy: 'batches' },
      );
      expect(results.map(({ content }) => content)).toEqual(['timed out after 10 ms.', 'other']);
      expect(ofType(events, 'slot-filled').map(({ call }) => call)).toEqual([0, 1]);
      expect(logged).toEqual(['Call #1 (Late) answered after its end; the answer is dropped.']);
    },
  );

  test('case 30: a slot takes one result', () => {
    const slots = createSlots(calls('Read'));
    const result = { toolCallId: 't1', name: 'Read', content: 'first', isError: false, durationMs: 1 };
    expect(slots.fill(0, result)).toBe(true);
    expect(slots.fill(0, { ...result, content: 'second' })).toBe(false);
    expect(slots.results()).toEqual([result]);
  });
});

test('case 31: text and image stay inside their result, and a side note stands behind all results', async () => {
  const blocks = [
    { type: 'text', text: 'a chart' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0' } },
  ];
  const { results } = await dispatched(
    calls('Draw', 'Read'),
    () => [tool('Draw', { run: () => ({ content: blocks }) }), tool('Read', { run: () => 'text' })],
    { strategy: 'batches' },
  );
  expect(results.map(({ content }) => content)).toEqual([blocks, 'text']);
  const [drawn, read] = results.map(({ toolCallId, content }) => ({
    type: 'tool_result',
    tool_use_id: toolCallId,
    content,
  }));
  const note = { type: 'text', text: 'a side note of the first call' };
  const asked = {
    role: 'assistant',
    content: ['t1', 't2'].map((id) => ({ type: 'tool_use', id, name: 'any', input: {} })),
  };
  const repaired = repairPairing([asked, { role: 'user', content: [drawn, note, read] }]);
  expect(repaired).toEqual([asked, { role: 'user', content: [drawn, read, note] }]);
  expect(checkPairing(repaired)).toEqual([]);
});

describe('case X1: 200 batches of twelve calls on one signal', () => {
  const twelve = calls(...Array.from({ length: 12 }, (_, index) => `Read(${index})`));

  test.each(STRATEGY_NAMES)(
    'case X1: %s leaves no listener behind and causes no warning',
    async (strategy) => {
      const warnings: string[] = [];
      const onWarning = ({ name }: Error) => void warnings.push(name);
      process.on('warning', onWarning);
      onTestFinished(() => void process.off('warning', onWarning));
      const { signal } = new AbortController();
      const before = getEventListeners(signal, 'abort').length;
      for (let count = 0; count < 200; count++) {
        await dispatch(twelve, designTools, { strategy, signal, maxConcurrency: 12 });
        expect(getEventListeners(signal, 'abort')).toHaveLength(before);
      }
      await new Promise((resolve) => setImmediate(resolve)); // warnings are told a tick later
      expect(warnings).not.toContain('MaxListenersExceededWarning');
    },
  );

  test.each(['abort', 'answer-all'] as const)(
    'case X1: nor does a batch that was cancelled (%s)',
    async (onHardError) => {
      const controller = new AbortController();
      await dispatched(
        twelve,
        (clock) => {
          clock.after(5, () => controller.abort());
          return [tool('Read', { run: () => nap(clock, 50).then(() => '') })];
        },
        { strategy: 'batches', signal: controller.signal, maxConcurrency: 3, onHardError },
      );
      expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    },
  );
});
