/** What a caller may do before and after every call, and what becomes of a batch whose hooks misbehave. */
import { describe, expect, test } from 'vitest';
import type { BeforeAnswer, Hooks } from '../../../src/core/dispatch/hooks.ts';
import type { DispatchOptions } from '../../../src/core/dispatch/options.ts';
import { HardError } from '../../../src/core/errors.ts';
import { STRATEGY_NAMES } from '../../../src/core/plan/strategies.ts';
import type { Tool } from '../../../src/core/tools.ts';
import { calls, dispatched, nap, ofType, permitsOf, tool } from './helpers.ts';

const never = () => new Promise<undefined>(() => {});

/** Three calls of 5 ms under these hooks, and which of them ran. */
async function hooked(hooks: Hooks, options: DispatchOptions = {}, more: Partial<Tool> = {}) {
  const ran: unknown[] = [];
  const abort = new AbortController();
  const outcome = await dispatched(
    calls('Work(1)', 'Work(2)', 'Work(3)'),
    (clock) => {
      clock.after(100, () => abort.abort());
      return [
        tool('Work', {
          async run({ path }) {
            ran.push(path);
            await nap(clock, 5);
            return `work ${path}`;
          },
          ...more,
        }),
      ];
    },
    { strategy: 'batches', onHardError: 'answer-all', hooks, signal: abort.signal, graceMs: 20, ...options },
  );
  const texts = outcome.results.map(({ content }) => content);
  const ends = ofType(outcome.events, 'call-ended');
  const outcomes = ends.sort((a, b) => a.call - b.call).map((end) => end.outcome);
  return { ...outcome, ran, texts, outcomes };
}

const all = ['work 1', 'work 2', 'work 3'];
/** Answers for the second call only. */
const second = (answer: () => unknown): Hooks => ({
  before: (_call, { index }) => (index === 1 ? (answer() as BeforeAnswer) : undefined),
});

describe('before a call', () => {
  test.each([
    ['nothing', undefined],
    ['a promise of nothing', Promise.resolve()],
    ['an object without a reason', {}],
    ['null', null],
    ['a reason that is null', { block: null }],
    ['{ block: false }', { block: false }],
  ])('%s lets it run', async (_name, answer) => {
    const { texts, outcomes } = await hooked(second(() => answer));
    expect(texts).toEqual(all);
    expect(outcomes).toEqual(['ok', 'ok', 'ok']);
  });

  const wrong = 'The before-hook must return nothing or { block: "why" }, so the call was blocked.';
  test.each<[string, () => unknown, string]>([
    ['a reason', () => ({ block: 'not on Sundays' }), 'not on Sundays'],
    ['a reason in time', async () => ({ block: 'not on Sundays' }), 'not on Sundays'],
    ['an empty reason', () => ({ block: '' }), 'blocked.'],
    [
      'a throw',
      () => {
        throw new Error('no idea');
      },
      'no idea',
    ],
    ['a rejection', () => Promise.reject(new Error('no idea')), 'no idea'],
    ['false', () => false, wrong],
    ['true', () => true, wrong],
    ['a sentence', () => 'no', wrong],
    ['a reason that is no text', () => ({ block: 7 }), wrong],
    ['a reason that says yes', () => ({ block: true }), wrong],
  ])('%s blocks it: a soft error, and its siblings run', async (_name, answer, text) => {
    const { texts, ran, outcomes, events } = await hooked(second(answer));
    expect(texts).toEqual(['work 1', text, 'work 3']);
    expect(ran).toEqual(['1', '3']);
    expect(outcomes).toEqual(['ok', 'soft', 'ok']);
    expect(ofType(events, 'permit-taken').map(({ call }) => call)).toEqual([0, 2]);
  });

  test('a HardError ends the batch: what runs is interrupted, what waits never starts', async () => {
    const { texts, ran, events } = await hooked(
      second(() => {
        throw new HardError('enough');
      }),
      { maxConcurrency: 1 },
    );
    expect(ran).toEqual(['1']);
    expect(texts[0]).toContain('interrupted: enough');
    expect(texts.slice(1)).toEqual([
      'enough',
      'not run: call #2 ended the batch before this call started (enough).',
    ]);
    expect(ofType(events, 'cancel-requested')[0]).toMatchObject({ reason: 'enough', by: 1 });
    const aborted = await hooked(
      second(() => Promise.reject(new HardError('enough'))),
      { onHardError: 'abort' },
    );
    expect(aborted.error).toMatchObject({ code: 'BATCH_ABORTED', by: 1, message: 'enough' });
  });

  test('it is asked before the call takes a permit, so a slow one holds up nobody else', async () => {
    let hold = () => {};
    const held = new Promise<void>((resolve) => {
      hold = resolve;
    });
    const { ran, texts, events } = await hooked(
      {
        before: (_call, { index }) => (index === 0 ? held : undefined),
        after: (_call, _result, { index }) => index === 2 && hold(),
      },
      { maxConcurrency: 1 },
    );
    expect(ran).toEqual(['2', '3', '1']);
    expect(texts).toEqual(all);
    expect(permitsOf(events)).toEqual({ most: 1, heldAtEnd: 0 });
  });

  test('one that never answers is waited for no longer than the batch: its call never started', async () => {
    const { texts, ran, endedAt } = await hooked(second(never));
    expect(ran).toEqual(['1', '3']);
    expect(texts).toEqual(['work 1', 'not run: the batch was cancelled before this call started.', 'work 3']);
    expect(endedAt).toBe(100);
  });

  test('it hears of the end of the batch by its signal', async () => {
    const heard: boolean[] = [];
    await hooked({
      before: (_call, { signal, index }) => {
        if (index !== 1) return undefined;
        signal.addEventListener('abort', () => void heard.push(signal.aborted));
        return never();
      },
    });
    expect(heard).toEqual([true]);
  });
});

describe('after a call', () => {
  test('it sees the result that the model will get, errors too', async () => {
    const seen: unknown[] = [];
    await hooked(
      {
        after: (call, result, { index }) => void seen.push([index, call.id, result.content, result.isError]),
      },
      { strategy: 'sequential' },
      {
        run({ path }) {
          if (path === '2') throw new Error('no');
          return String(path);
        },
      },
    );
    expect(seen).toEqual([
      [0, 't1', '1', false],
      [1, 't2', 'no', true],
      [2, 't3', '3', false],
    ]);
  });

  test('a throw is logged and changes nothing', async () => {
    const { texts, logged, error } = await hooked({ after: () => Promise.reject(new Error('oops')) });
    expect(error).toBeUndefined();
    expect(texts).toEqual(all);
    expect(logged).toEqual([1, 2, 3].map((n) => `The after-hook threw on call #${n} (Work): oops`));
  });

  test('a HardError ends the batch; the call keeps its own result', async () => {
    const hooks: Hooks = {
      after() {
        throw new HardError('enough');
      },
    };
    const { texts, ran, events } = await hooked(hooks, { strategy: 'sequential' });
    expect(ran).toEqual(['1']);
    const skipped = 'not run: call #1 ended the batch before this call started (enough).';
    expect(texts).toEqual(['work 1', skipped, skipped]);
    expect(ofType(events, 'run-aborted')[0]).toMatchObject({ how: 'aborted', by: 0, reason: 'enough' });
    const aborted = await hooked(hooks, { strategy: 'sequential', onHardError: 'abort' });
    expect(aborted.error).toMatchObject({ code: 'BATCH_ABORTED', by: 0 });
  });

  test.each(STRATEGY_NAMES)(
    '%s: a slow one delays the slot, and whoever waits for the call',
    async (strategy) => {
      let slow: Hooks['after'];
      const { events, results } = await dispatched(
        calls('Edit(1)', 'Edit(2)'),
        (clock) => {
          slow = () => nap(clock, 30);
          return [tool('Edit', { safe: false, run: () => nap(clock, 5).then(() => `at ${clock.now()}`) })];
        },
        { strategy, hooks: { after: (...args) => slow!(...args) } },
      );
      expect(results.map(({ content }) => content)).toEqual(['at 5', 'at 40']);
      expect(results.map(({ durationMs }) => durationMs)).toEqual([5, 5]);
      expect(ofType(events, 'slot-filled').map(({ t }) => t)).toEqual([35, 70]);
    },
  );

  test('one that never ends is waited for until the batch is cancelled and its grace period is over', async () => {
    const { texts, endedAt, events } = await hooked({
      after: (_call, _result, { index }) => index === 1 && never(),
    });
    expect(endedAt).toBe(100 + 20);
    expect(texts).toEqual(all); // it had ended before
    expect(ofType(events, 'slot-filled').map(({ call, t }) => [call, t])).toEqual([
      [0, 5],
      [2, 5],
      [1, 120],
    ]);
  });

  test('it is not told of calls that never ran: unknown, refused, blocked or cancelled ones', async () => {
    const told: string[] = [];
    const asked: string[] = [];
    await dispatched(
      calls('Work(1)', 'Wrok(2)', 'Picky(3)', 'Work(4)', 'Stop(5)', 'Work(6)'),
      () => [tool('Work'), tool('Picky', { inputSchema: { required: ['x'] } }), tool('Stop')],
      {
        onHardError: 'answer-all',
        hooks: {
          before({ id, name }) {
            asked.push(id);
            if (id === 't4') return { block: 'no' };
            if (name === 'Stop') throw new HardError('stop');
            return undefined;
          },
          after: ({ id }) => void told.push(id),
        },
      },
    );
    expect(asked).toEqual(['t1', 't4', 't5']);
    expect(told).toEqual(['t1']);
  });
});

test.each(STRATEGY_NAMES)(
  'case 9: %s, blocked in preflight: results stand in request order',
  async (strategy) => {
    const { results } = await dispatched(
      calls('Slow(1)', 'Slow(2)', 'Fast(3)'),
      (clock) => [
        tool('Slow', { run: ({ path }) => nap(clock, 50).then(() => `slow ${path}`) }),
        tool('Fast', { run: ({ path }) => nap(clock, 5).then(() => `fast ${path}`) }),
      ],
      { strategy, hooks: second(() => ({ block: 'not allowed' })) },
    );
    expect(results.map(({ toolCallId, content }) => [toolCallId, content])).toEqual([
      ['t1', 'slow 1'],
      ['t2', 'not allowed'],
      ['t3', 'fast 3'],
    ]);
  },
);
