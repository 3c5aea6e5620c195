/** Cases 4, 5, 7 and 11: batches that end early, and calls that never do. */
import { describe, expect, test } from 'vitest';
import type { VirtualClock } from '../../../src/core/clock.ts';
import { HardError } from '../../../src/core/errors.ts';
import { checkPairing } from '../../../src/core/pairing/pairing.ts';
import { STRATEGY_NAMES } from '../../../src/core/plan/strategies.ts';
import type { Tool } from '../../../src/core/tools.ts';
import { calls, dispatched, nap, ofType, permitsOf, tool } from './helpers.ts';
import { turn, watchRejections } from './rejections.ts';
import { slowWorkspace } from './slowWorkspace.ts';

const reads = (path: unknown) => [{ resource: `file:${path}`, mode: 'read' as const }];

const unhandled = watchRejections();

describe('case 4: a batch cancelled half-way answers every call, in order', () => {
  /** A is done at 10 ms, B runs, C and D are unsafe and wait; the batch is cancelled at 20 ms. */
  function tools(clock: VirtualClock, abort: AbortController, ran: string[], deaf: boolean): Tool[] {
    clock.after(20, () => abort.abort());
    const run = (ms: number): Pick<Tool, 'run'> => ({
      async run({ path }, { signal }) {
        ran.push(String(path));
        await nap(clock, ms, deaf ? undefined : signal);
        return `real content of ${path}`;
      },
    });
    const accesses: Tool['accesses'] = ({ path }) => reads(path);
    return [
      tool('Quick', { ...run(10), accesses }),
      tool('Slow', { ...run(2_000), accesses }),
      tool('Edit', { ...run(5), safe: false }),
    ];
  }
  const batch = calls('Quick(A)', 'Slow(B)', 'Edit(C)', 'Edit(D)');

  test.each(STRATEGY_NAMES.flatMap((strategy) => [true, false].map((deaf) => ({ strategy, deaf }))))(
    'case 4: $strategy, and B hears the cancellation: $deaf',
    async ({ strategy, deaf }) => {
      const abort = new AbortController();
      const ran: string[] = [];
      const { results, events, endedAt } = await dispatched(
        batch,
        (clock) => tools(clock, abort, ran, deaf),
        { strategy, onHardError: 'answer-all', signal: abort.signal, graceMs: 300 },
      );
      expect(results.map(({ toolCallId }) => toolCallId)).toEqual(['t1', 't2', 't3', 't4']);
      expect(results.map(({ isError }) => isError)).toEqual([false, true, true, true]);
      expect(results[0]!.content).toBe('real content of A');
      for (const { content } of results.slice(1)) expect(content).toContain('cancelled');
      expect(ran).toEqual(['A', 'B']);
      expect(endedAt).toBe(deaf ? 20 + 300 : 20);
      expect(permitsOf(events).heldAtEnd).toBe(0);

      // What is sent back next is a conversation that every provider takes.
      const use = batch.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }));
      const answers = results.map(({ toolCallId, content }) => ({
        type: 'tool_result',
        tool_use_id: toolCallId,
        content,
      }));
      expect(
        checkPairing([
          { role: 'assistant', content: use },
          { role: 'user', content: answers },
        ]),
      ).toEqual([]);
    },
  );
});

describe('case 5: a call that never ends blocks nobody and loses nobody', () => {
  /** A and C take 5 ms; B ignores its signal and fails long after everybody has stopped waiting. */
  const tools = (clock: VirtualClock) => [
    tool('Quick', { run: ({ path }) => nap(clock, 5).then(() => `kept ${path}`) }),
    tool('Stuck', { run: () => nap(clock, 5_000).then(() => Promise.reject(new Error('late'))) }),
  ];
  const batch = calls('Quick(A)', 'Stuck(B)', 'Quick(C)');
  const together = ['batches', 'first-fit', 'dataflow'] as const;

  test.each(together)(
    'case 5: %s answers it at its limit, and its late failure is only logged',
    async (strategy) => {
      const { results, events, logged, endedAt } = await dispatched(batch, tools, {
        strategy,
        timeoutMs: 200,
      });
      expect(results.map(({ content, isError }) => [content, isError])).toEqual([
        ['kept A', false],
        ['timed out after 200 ms.', true],
        ['kept C', false],
      ]);
      expect(ofType(events, 'slot-filled').map(({ call, t }) => [call, t])).toEqual([
        [0, 5],
        [2, 5],
        [1, 200],
      ]);
      expect(endedAt).toBe(200);
      await turn();
      expect(unhandled).toEqual([]);
      expect(logged).toEqual(['Call #2 (Stuck) answered after its end; the answer is dropped.']);
      expect(events.at(-1)!.type).toBe('run-ended'); // and nothing after it
    },
  );

  test.each(together)(
    'case 5: %s, cancelled at 50 ms, settles within the grace time and keeps A and C',
    async (strategy) => {
      const abort = new AbortController();
      const { results, endedAt } = await dispatched(
        batch,
        (clock) => {
          clock.after(50, () => abort.abort());
          return tools(clock);
        },
        { strategy, onHardError: 'answer-all', signal: abort.signal, graceMs: 100 },
      );
      expect(results.map(({ isError }) => isError)).toEqual([false, true, false]);
      expect([results[0]!.content, results[2]!.content]).toEqual(['kept A', 'kept C']);
      expect(endedAt).toBe(50 + 100);
      await turn();
      expect(unhandled).toEqual([]);
    },
  );
});

describe('case 7: one permit, a call that runs 100 ms and two that wait for it', () => {
  const three = calls('Work(A)', 'Work(B)', 'Work(C)');
  const tools = (clock: VirtualClock, ran: string[]) => [
    tool('Work', {
      async run({ path }) {
        ran.push(String(path));
        await nap(clock, 100);
        return '';
      },
    }),
  ];

  test.each(STRATEGY_NAMES)(
    'case 7: %s answers who waits at once when cancelled, and never runs them later',
    async (strategy) => {
      const abort = new AbortController();
      const ran: string[] = [];
      // A hears nothing, so its permit comes back at 100 ms: long after B and C have their answers.
      const { results, events } = await dispatched(
        three,
        (clock) => {
          clock.after(20, () => abort.abort());
          return tools(clock, ran);
        },
        { strategy, maxConcurrency: 1, onHardError: 'answer-all', signal: abort.signal, graceMs: 1_000 },
      );
      expect(ran).toEqual(['A']);
      expect(results.map(({ isError }) => isError)).toEqual([true, true, true]);
      const waves = strategy === 'sequential'; // there, B and C stand in waves that never come
      const answeredAt = ofType(events, 'slot-filled').map(({ call, t }) => [call, t]);
      expect(answeredAt.sort()).toEqual([
        [0, 100],
        [1, waves ? 100 : 20],
        [2, waves ? 100 : 20],
      ]);
      expect(permitsOf(events)).toEqual({ most: 1, heldAtEnd: 0 });
    },
  );

  test.each(STRATEGY_NAMES)(
    'case 7: %s starts C the moment A ends, when B needs no permit any more',
    async (strategy) => {
      const ran: string[] = [];
      const { results, events } = await dispatched(
        calls('Work(A)', 'Wrok(B)', 'Work(C)'),
        (clock) => tools(clock, ran),
        { strategy, maxConcurrency: 1 },
      );
      expect(ran).toEqual(['A', 'C']);
      expect(results.map(({ isError }) => isError)).toEqual([false, true, false]);
      const startedAt = ofType(events, 'call-started').map(({ call, t }) => [call, t]);
      expect(startedAt).toEqual([
        [0, 0],
        [2, 100],
      ]);
    },
  );
});

describe('case 11: after a hard error nothing starts, and nothing changes once the batch has failed', () => {
  const initial = { 'f.txt': 'before' };

  /** t1 throws the hard error at 10 ms, t2 is about to write, t3 waits for a permit. */
  async function fail(strategy: 'batches' | 'first-fit' | 'dataflow', deaf: boolean) {
    const seen: string[] = [];
    let text = () => '';
    const outcome = await dispatched(
      [
        { id: 't1', name: 'boom', input: {} },
        { id: 't2', name: 'write', input: { file_path: 'f.txt', content: 'after' } },
        { id: 't3', name: 'later', input: {} },
      ],
      (clock) => {
        const workspace = slowWorkspace(clock, initial, 'fine-grained');
        text = () => workspace.text('f.txt')!;
        const write = workspace.registry.get('write')!;
        return [
          tool('boom', {
            run: () => nap(clock, 10).then(() => Promise.reject(new HardError('disk on fire'))),
          }),
          {
            ...write,
            async run(input, context) {
              const { signal } = context;
              signal.addEventListener('abort', () => void seen.push(`t2 aborted at ${clock.now()}`));
              await nap(clock, deaf ? 500 : 15);
              seen.push(`t2 goes on at ${clock.now()}`);
              return write.run(input, context);
            },
          },
          tool('later', { run: () => void seen.push('t3 ran') as never }),
        ];
      },
      { strategy, maxConcurrency: 2, graceMs: 40 },
    );
    return { ...outcome, seen, text: text() };
  }

  test.each(['batches', 'first-fit', 'dataflow'] as const)(
    'case 11: %s rejects when the running call has settled, and hands out no result',
    async (strategy) => {
      const { error, results, seen, events, endedAt, text } = await fail(strategy, false);
      expect(error).toMatchObject({ code: 'BATCH_ABORTED', how: 'aborted', by: 0, message: 'disk on fire' });
      expect(results).toEqual([]);
      expect(seen).toEqual(['t2 aborted at 10', 't2 goes on at 15']);
      expect(endedAt).toBe(15);
      expect(ofType(events, 'slot-filled')).toEqual([]);
      expect(text).toBe('before');
    },
  );

  test.each(['batches', 'first-fit', 'dataflow'] as const)(
    'case 11: %s rejects when the grace time is over, and what runs on after that changes no file',
    async (strategy) => {
      const { error, seen, endedAt, text, events } = await fail(strategy, true);
      expect(error).toMatchObject({ code: 'BATCH_ABORTED', how: 'aborted', by: 0 });
      expect(endedAt).toBe(10 + 40);
      expect(seen).toEqual(['t2 aborted at 10', 't2 goes on at 500']);
      expect(text).toBe('before');
      expect(events.at(-1)!.type).toBe('run-aborted');
    },
  );
});
