/** What becomes of the batches of a call that is cancelled or over its limit, and of their permits. */
import { describe, expect, test } from 'vitest';
import { BatchAborted, HardError } from '../../../src/core/errors.ts';
import type { WavesEvent } from '../../../src/core/events.ts';
import { calls, dispatched, nap, ofType, permitsOf, tool } from './helpers.ts';
import { texts } from './nestedTools.ts';

/** A parent whose two children run 500 ms, deaf or not, and what it heard of them. */
async function stopped(how: 'cancelled' | 'over its limit', deaf: boolean) {
  const abort = new AbortController();
  const nested: WavesEvent[] = [];
  const heard: string[] = [];
  const joined: string[] = [];
  const outcome = await dispatched(
    calls('Parent', 'Next'),
    (clock) => {
      if (how === 'cancelled') clock.after(20, () => abort.abort());
      return [
        tool('Parent', {
          ...(how === 'over its limit' && { timeoutMs: 20 }),
          async run(_input, { dispatch }) {
            try {
              return texts(
                await dispatch(calls('Child', 'Child'), {
                  strategy: 'batches',
                  onEvent(event) {
                    nested.push(event);
                    if (event.type === 'permit-returned') joined.push(`child's came back at ${clock.now()}`);
                  },
                }),
              );
            } catch (error) {
              heard.push(`${(error as BatchAborted).code} at ${clock.now()}`);
              throw error;
            }
          },
        }),
        tool('Child', {
          async run(_input, { signal }) {
            signal.addEventListener('abort', () => void heard.push(`child aborted at ${clock.now()}`));
            await nap(clock, 500, deaf ? undefined : signal);
            return '';
          },
        }),
        tool('Next', { run: () => `ran at ${clock.now()}` }),
      ];
    },
    { maxConcurrency: 1, strategy: 'batches', onHardError: 'answer-all', signal: abort.signal, graceMs: 50 },
  );
  return { ...outcome, nested, heard, joined };
}

describe.each(['cancelled', 'over its limit'] as const)('a parent that is %s', (how) => {
  test('aborts its running child, starts no other, and gives its permit back once', async () => {
    const { results, events, nested, heard, joined } = await stopped(how, false);
    expect(heard).toEqual(['child aborted at 20', 'BATCH_ABORTED at 20']);
    expect(ofType(nested, 'call-started').map(({ call }) => call)).toEqual([0]);
    expect(
      ofType(nested, 'call-ended')
        .map(({ call, outcome }) => [call, outcome])
        .sort(),
    ).toEqual([
      [0, 'cancelled'],
      [1, 'never-started'],
    ]);
    expect(nested.at(-1)).toMatchObject({ type: 'run-aborted', how: 'cancelled' });
    expect(joined).toEqual(["child's came back at 20"]);
    expect(permitsOf(events)).toEqual({ most: 1, heldAtEnd: 0 });
    expect(results.map(({ content }) => content)).toEqual(
      how === 'cancelled'
        ? [
            'interrupted by user: the batch was cancelled.',
            'not run: the batch was cancelled before this call started.',
          ]
        : ['timed out after 20 ms.', 'ran at 20'],
    );
  });

  test('does not lend its permit on while a deaf child may still use it', async () => {
    const { results, events, joined, endedAt } = await stopped(how, true);
    expect(joined).toEqual(["child's came back at 70"]); // 20, and the grace period
    expect(permitsOf(events)).toEqual({ most: 1, heldAtEnd: 0 });
    expect(ofType(events, 'permit-returned')[0]).toMatchObject({ call: 0, t: 70 });
    expect(endedAt).toBe(70);
    if (how === 'over its limit') {
      expect(ofType(events, 'call-ended')[0]).toMatchObject({ call: 0, t: 20 }); // answered long before that
      expect(results[1]!.content).toBe('ran at 70');
    }
  });
});

test('a hard error of a child ends its batch, and the parent may carry on', async () => {
  let caught: unknown;
  const { results } = await dispatched(calls('Parent', 'Leaf(2)'), (clock) => [
    tool('Leaf', { run: ({ path }) => nap(clock, 5).then(() => `leaf ${path}`) }),
    tool('Boom', { run: () => Promise.reject(new HardError('on fire')) }),
    tool('Parent', {
      async run(_input, { dispatch }) {
        caught = await dispatch(calls('Boom', 'Leaf(1)')).catch((error: unknown) => error);
        return texts(await dispatch(calls('Boom', 'Leaf(1)'), { onHardError: 'answer-all' }));
      },
    }),
  ]);
  expect(caught).toBeInstanceOf(BatchAborted);
  expect(caught).toMatchObject({ how: 'aborted', by: 0, message: 'on fire' });
  expect(results.map(({ content }) => content)).toEqual([
    'on fire, not run: call #1 ended the batch before this call started (on fire).',
    'leaf 2',
  ]);
});

test('a nested batch has a signal and a limit of its own', async () => {
  const answers: string[] = [];
  const { results } = await dispatched(calls('Parent'), (clock) => [
    tool('Slow', { run: (_input, { signal }) => nap(clock, 100, signal).then(() => 'slow') }),
    tool('Parent', {
      async run(_input, { dispatch }) {
        const abort = new AbortController();
        clock.after(10, () => abort.abort());
        const options = { onHardError: 'answer-all' } as const;
        for (const own of [{ signal: abort.signal }, { runTimeoutMs: 10 }, { timeoutMs: 10 }, {}]) {
          answers.push(texts(await dispatch(calls('Slow'), { ...options, ...own })));
        }
        return 'done';
      },
    }),
  ]);
  expect(answers).toEqual([
    'interrupted by user: the batch was cancelled.',
    'timed out after 10 ms, the limit of the whole batch.',
    'timed out after 10 ms.',
    'slow',
  ]);
  expect(results[0]!.content).toBe('done');
});

test('a child that is refused the moment it gets the lent permit gives it back, and the next batch has it', async () => {
  const { results } = await dispatched(
    calls('Parent(A)', 'Other(B)'),
    (clock) => {
      const writes = ({ path }: Record<string, unknown>) => [
        { resource: String(path), mode: 'write' as const },
      ];
      return [
        tool('Leaf', { run: () => nap(clock, 10).then(() => 'leaf') }),
        tool('Child', { accesses: writes }),
        tool('Parent', {
          accesses: writes,
          async run(_input, { dispatch }) {
            // When the leaf is done, the child gets its permit, and closes a circle: the other one waits for A.
            const first = await dispatch(calls('Leaf', 'Child(B)'), { strategy: 'batches' });
            return texts([...first, ...(await dispatch(calls('Leaf')))]);
          },
        }),
        tool('Other', {
          accesses: writes,
          async run(_input, { dispatch }) {
            await nap(clock, 5);
            return texts(await dispatch(calls('Child(A)')));
          },
        }),
      ];
    },
    { strategy: 'batches', maxConcurrency: 2 },
  );
  expect(results[0]!.content).toMatch(/^leaf, not run: Other "t2" of another batch holds B .*, leaf$/);
  expect(results[1]!.content).toBe('Child A');
});

test('“stop waiting” ends the grace period of nested batches too', async () => {
  const abort = new AbortController();
  const stopWaiting = new AbortController();
  const { endedAt, results } = await dispatched(
    calls('Parent'),
    (clock) => {
      clock.after(20, () => abort.abort());
      clock.after(30, () => stopWaiting.abort());
      return [
        tool('Parent', {
          accesses: () => [],
          run: async (_input, { dispatch }) => texts(await dispatch(calls('Deaf'))),
        }),
        tool('Deaf', {
          accesses: () => [],
          run: () => nap(clock, 5_000).then(() => 'late'),
        }),
      ];
    },
    { signal: abort.signal, stopWaiting: stopWaiting.signal, graceMs: 1_000, onHardError: 'answer-all' },
  );
  expect(endedAt).toBe(30);
  expect(results).toMatchObject([{ isError: true }]);
});
