/** The resolving step: one resource has one key, however it is spelled, before anything is planned. */
import { describe, expect, test } from 'vitest';
import type { Declared } from '../../../src/core/declare.ts';
import type { DispatchOptions } from '../../../src/core/dispatch/options.ts';
import type { WavesEvent } from '../../../src/core/events.ts';
import { resolveKeys } from '../../../src/core/resolve.ts';
import { calls, dispatched, nap, ofType, tool } from './helpers.ts';

const reads = (...resources: string[]): Declared => ({
  safe: true,
  accesses: resources.map((resource) => ({ resource, mode: 'read' })),
});
const upper = async (resource: string) => resource.toUpperCase();

describe('keys of declarations', () => {
  test('each resource is asked for once, all at the same time, and everything not at all', async () => {
    const asked: string[] = [];
    let answer = () => {};
    const open = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const done = resolveKeys(
      [
        reads('a', 'b', 'a'),
        { safe: true, key: 'b', accesses: [{ resource: 'c', mode: 'write' }] },
        { safe: false, accesses: [{ resource: '*', mode: 'write' }] },
      ],
      async (resource) => {
        asked.push(resource);
        await open;
        return `${resource}!`;
      },
    );
    await Promise.resolve();
    expect(asked).toEqual(['a', 'b', 'c']);
    answer();
    expect(await done).toEqual([
      reads('a!', 'b!', 'a!'),
      { safe: true, key: 'b!', accesses: [{ resource: 'c!', mode: 'write' }] },
      { safe: false, accesses: [{ resource: '*', mode: 'write' }] },
    ]);
    expect(asked).toHaveLength(3);
  });

  const everything = [{ resource: '*', mode: 'write' }];
  test.each<[string, () => unknown, string]>([
    ['a rejection', () => Promise.reject(new Error('gone')), 'b cannot be resolved: gone'],
    [
      'a throw',
      () => {
        throw new Error('gone');
      },
      'b cannot be resolved: gone',
    ],
    ['an empty key', () => '', 'b cannot be resolved: the answer is no key.'],
    ['nothing', () => undefined, 'b cannot be resolved: the answer is no key.'],
    ['a number', async () => 7, 'b cannot be resolved: the answer is no key.'],
  ])('%s makes just the calls that name it unsafe, and says why', async (_name, answer, failure) => {
    const [one, two, three, four] = await resolveKeys(
      [reads('a'), reads('a', 'b'), { ...reads('a'), key: 'b' }, reads()],
      (resource) => (resource === 'b' ? (answer() as string) : upper(resource)),
    );
    expect(one).toEqual(reads('A'));
    expect(two).toEqual({ safe: false, accesses: everything, failure });
    expect(three).toEqual(two);
    expect(four).toEqual(reads());
  });

  test('nobody asks about a call that cannot run', async () => {
    const refused: Declared = { ...reads('a'), refusal: 'Unknown tool.' };
    expect(await resolveKeys([refused], () => Promise.reject(new Error('asked')))).toEqual([refused]);
  });
});

describe('a batch whose resources are resolved', () => {
  const files = (mode: 'key' | 'write') => [
    tool('Edit', {
      ...(mode === 'key'
        ? { resourceKey: ({ path }) => String(path) }
        : { accesses: ({ path }) => [{ resource: String(path), mode }] }),
    }),
  ];
  const two = calls('Edit(./a)', 'Edit(a)', 'Edit(b)');
  const plain: DispatchOptions['resolve'] = async (resource) => resource.replace('./', '');

  test('first-fit puts two spellings of one key into different waves', async () => {
    const waves = async (options: DispatchOptions) =>
      ofType(
        (await dispatched(two, () => files('key'), { strategy: 'first-fit', ...options })).events,
        'decision-made',
      ).map(({ wave }) => wave);
    expect(await waves({})).toEqual([0, 0, 0]);
    expect(await waves({ resolve: plain })).toEqual([0, 1, 0]);
  });

  test('dataflow lets the second spelling wait for the first', async () => {
    const { events } = await dispatched(two, () => files('write'), { strategy: 'dataflow', resolve: plain });
    expect(ofType(events, 'decision-made').map(({ waitsFor }) => waitsFor)).toEqual([[], [0], []]);
    expect(ofType(events, 'call-declared')[0]!.accesses).toEqual([{ resource: 'a', mode: 'write' }]);
  });

  test.each(['cancelled', 'over the limit'] as const)(
    '%s while they are resolved: every call is answered at once, and none runs',
    async (how) => {
      const abort = new AbortController();
      let late = false;
      const { results, events, endedAt } = await dispatched(
        two,
        (clock) => {
          if (how === 'cancelled') clock.after(20, () => abort.abort());
          clock.after(500, () => {
            late = true;
          });
          return files('write');
        },
        {
          onHardError: 'answer-all',
          signal: abort.signal,
          ...(how === 'over the limit' && { runTimeoutMs: 20 }),
          resolve: () => new Promise(() => {}),
        },
      );
      expect(endedAt).toBe(20);
      expect(late).toBe(true); // the clock ran on
      expect(results.map(({ content }) => String(content).startsWith('not run: '))).toEqual([
        true,
        true,
        true,
      ]);
      expect(ofType(events, 'call-started')).toEqual([]);
    },
  );

  test('nested batches are resolved in the same way, and a bad answer is no key there either', async () => {
    const nested: WavesEvent[] = [];
    await dispatched(
      calls('Parent'),
      (clock) => [
        ...files('write'),
        tool('Parent', {
          async run(_input, { dispatch }) {
            await nap(clock, 1);
            await dispatch(calls('Edit(./a)', 'Edit(b)'), { onEvent: (event) => nested.push(event) });
            return '';
          },
        }),
      ],
      { resolve: (resource) => (resource === 'b' ? (undefined as never) : resource.replace('./', '')) },
    );
    const [one, two] = ofType(nested, 'call-declared');
    expect(one).toMatchObject({ safe: true, accesses: [{ resource: 'a', mode: 'write' }] });
    expect(two).toMatchObject({ safe: false, failure: 'b cannot be resolved: the answer is no key.' });
  });
});
