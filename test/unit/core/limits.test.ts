/** The limits of a call, of a run and of the grace period: who is told what, and that nothing is left behind. */
import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createVirtualClock, type VirtualClock } from '../../../src/core/clock.ts';
import { dispatch } from '../../../src/core/dispatch/dispatch.ts';
import type { DispatchOptions } from '../../../src/core/dispatch/options.ts';
import { STRATEGY_NAMES } from '../../../src/core/plan/strategies.ts';
import { createRegistry } from '../../../src/core/tools.ts';
import { calls, dispatched, nap, ofType, permitsOf, tool } from './helpers.ts';
import { turn, watchRejections } from './rejections.ts';

const unhandled = watchRejections();

/** Calls of 100 ms: one hears its signal, one does not, one has a limit of its own. */
const tools = (clock: VirtualClock) => [
  tool('Work', { run: (_input, { signal }) => nap(clock, 100, signal).then(() => 'worked') }),
  tool('Deaf', { run: () => nap(clock, 100).then(() => 'worked') }),
  tool('Patient', { timeoutMs: 150, run: () => nap(clock, 100).then(() => 'worked') }),
  tool('Hasty', { timeoutMs: 30, run: () => nap(clock, 100).then(() => 'worked') }),
];

test("a tool's own limit counts, longer or shorter, where it has one; otherwise that of the batch", async () => {
  const { results, endedAt } = await dispatched(calls('Work', 'Patient', 'Hasty'), tools, {
    strategy: 'batches',
    timeoutMs: 50,
  });
  expect(results.map(({ content }) => content)).toEqual([
    'timed out after 50 ms.',
    'worked',
    'timed out after 30 ms.',
  ]);
  expect(results.map(({ durationMs }) => durationMs)).toEqual([50, 100, 30]);
  expect(endedAt).toBe(100);
});

test('a call over its limit hears so by its signal, and the time that it waited for its turn does not count', async () => {
  const heard: string[] = [];
  const { results } = await dispatched(
    calls('Slow(1)', 'Slow(2)'),
    (clock) => [
      tool('Slow', {
        async run({ path }, { signal }) {
          signal.addEventListener('abort', () =>
            heard.push(`${path} at ${clock.now()}: ${(signal.reason as Error).message}`),
          );
          await nap(clock, path === '1' ? 40 : 60, signal);
          return 'worked';
        },
      }),
    ],
    { strategy: 'batches', maxConcurrency: 1, timeoutMs: 50 },
  );
  expect(results.map(({ content }) => content)).toEqual(['worked', 'timed out after 50 ms.']);
  expect(heard).toEqual(['2 at 90: timed out after 50 ms.']);
});

describe('a run over its limit', () => {
  const batch = calls('Work', 'Deaf', 'Work');
  const options = { strategy: 'batches', maxConcurrency: 2, runTimeoutMs: 60, graceMs: 10 } as const;

  test('answers every call: what ran timed out, what waited did not run', async () => {
    const { results, events, endedAt } = await dispatched(batch, tools, {
      ...options,
      onHardError: 'answer-all',
    });
    expect(results.map(({ content, isError }) => [content, isError])).toEqual([
      ['timed out after 60 ms, the limit of the whole batch.', true],
      [
        'timed out after 60 ms, the limit of the whole batch; it did not end within the grace period and may still be running.',
        true,
      ],
      ['not run: the batch timed out after 60 ms before this call started.', true],
    ]);
    expect(endedAt).toBe(70);
    expect(events.at(-1)).toMatchObject({ type: 'run-aborted', how: 'aborted', t: 70 });
    expect(permitsOf(events).heldAtEnd).toBe(0);
  });

  test('rejects in abort mode, when the grace period is over', async () => {
    const { error, results, endedAt } = await dispatched(batch, tools, options);
    expect(error).toMatchObject({
      code: 'BATCH_ABORTED',
      how: 'aborted',
      message: 'The batch timed out after 60 ms.',
    });
    expect((error as { by?: number }).by).toBeUndefined();
    expect(results).toEqual([]);
    expect(endedAt).toBe(70);
  });

  test.each(STRATEGY_NAMES)('%s: one that ends in time does not notice the limit', async (strategy) => {
    const { results, endedAt } = await dispatched(calls('Work'), tools, { strategy, runTimeoutMs: 101 });
    expect(results[0]!.content).toBe('worked');
    expect(endedAt).toBe(100);
  });

  test('the limit holds while keys are still being resolved', async () => {
    const { results, endedAt } = await dispatched(calls('Read(a)'), () => [tool('Read', { keyed: true })], {
      ...options,
      onHardError: 'answer-all',
      resolve: () => new Promise(() => {}),
    });
    expect(results[0]!.content).toBe('not run: the batch timed out after 60 ms before this call started.');
    expect(endedAt).toBe(60);
  });
});

describe('whoever stops waiting', () => {
  test.each([
    ['during the grace period', 40, 40],
    ['before the batch is cancelled', 10, 20],
    ['after the grace period', 2_000, 1_020],
  ])('%s gets the answers at once', async (_when, at, expected) => {
    const cancel = new AbortController();
    const stopWaiting = new AbortController();
    const { results, endedAt, logged } = await dispatched(
      calls('Stuck'),
      (clock) => {
        clock.after(20, () => cancel.abort());
        clock.after(at, () => stopWaiting.abort());
        return [tool('Stuck', { run: () => nap(clock, 5_000).then(() => 'late') })];
      },
      {
        onHardError: 'answer-all',
        signal: cancel.signal,
        stopWaiting: stopWaiting.signal,
        graceMs: 1_000,
      },
    );
    expect(endedAt).toBe(expected);
    expect(results[0]!.content).toContain('may still be running');
    expect(logged).toEqual(['Call #1 (Stuck) answered after its end; the answer is dropped.']);
  });
});

test('late answers, late rejections and late reports are swallowed, and the late ones of a nested batch too', async () => {
  const { results, events, logged } = await dispatched(
    calls('Late(1)', 'Late(2)', 'Parent'),
    (clock) => [
      tool('Late', {
        async run({ path }, { report, progress }) {
          await nap(clock, 500);
          report({ resource: 'x', mode: 'write' });
          progress('still at it');
          if (path === '2') throw new Error('late');
          return 'late';
        },
      }),
      tool('Parent', {
        async run(_input, { dispatch: nested }) {
          await nested(calls('Late(3)', 'Late(2)'), { strategy: 'batches' });
          return 'late';
        },
      }),
    ],
    { strategy: 'batches', timeoutMs: 20, graceMs: 5 },
  );
  expect(results.map(({ content }) => content)).toEqual(new Array<string>(3).fill('timed out after 20 ms.'));
  expect(events.at(-1)!.type).toBe('run-ended');
  expect(ofType(events, 'access-observed')).toEqual([]);
  expect(ofType(events, 'call-progress').filter(({ message }) => message === 'still at it')).toEqual([]);
  expect(logged).toHaveLength(5);
  await turn();
  expect(unhandled).toEqual([]);
});

/** A virtual clock that knows which of its timers are still to fire. */
function countingClock() {
  const clock = createVirtualClock();
  const pending = new Set<object>();
  return {
    ...clock,
    pending,
    after(ms: number, run: () => void) {
      const timer = {};
      pending.add(timer);
      const forget = clock.after(ms, () => {
        pending.delete(timer);
        run();
      });
      return () => {
        pending.delete(timer);
        forget();
      };
    },
  };
}

describe('nothing is left behind: no timer, no listener', () => {
  const endings: [string, DispatchOptions, number | undefined][] = [
    ['ends by itself', {}, undefined],
    ['is cancelled', {}, 30],
    ['is cancelled before it begins', {}, -1],
    ['is over its limit', { runTimeoutMs: 30 }, undefined],
    ['has calls over their limit', { timeoutMs: 30 }, undefined],
    ['has a hook that blocks', { hooks: { before: () => ({ block: 'no' }) } }, undefined],
  ];
  test.each(endings.flatMap((ending) => STRATEGY_NAMES.map((strategy) => [...ending, strategy] as const)))(
    'a batch that %s',
    async (_how, more, cancelAt, strategy) => {
      const clock = countingClock();
      const cancel = new AbortController();
      const stopWaiting = new AbortController();
      const signals = [cancel.signal, stopWaiting.signal];
      const registry = createRegistry([
        // Its timers are its own affair: it takes them back when it hears the signal.
        tool('Work', { run: (_input, { signal }) => nap(clock, 100, signal).then(() => '') }),
        tool('Parent', {
          safe: true,
          run: (_input, { dispatch: nested, signal }) =>
            nested(calls('Work', 'Work'), { signal }).then(() => ''),
        }),
      ]);
      const forget =
        cancelAt === undefined || cancelAt < 0 ? () => {} : clock.after(cancelAt, () => cancel.abort());
      if (cancelAt === -1) cancel.abort();
      await clock.runUntil(
        dispatch(calls('Work', 'Parent', 'Work'), registry, {
          strategy,
          clock,
          onHardError: 'answer-all',
          signal: cancel.signal,
          stopWaiting: stopWaiting.signal,
          runTimeoutMs: 10_000,
          timeoutMs: 5_000,
          log: () => {},
          ...more,
        }),
      );
      forget();
      expect(clock.pending.size).toBe(0);
      expect(signals.map((signal) => getEventListeners(signal, 'abort').length)).toEqual([0, 0]);
    },
  );
});
