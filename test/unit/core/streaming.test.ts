/** Calls that come while the model still writes: when they start, by which order, and what becomes of them. */
import { describe, expect, test } from 'vitest';
import type { WavesEvent } from '../../../src/core/events.ts';
import type { StrategyName } from '../../../src/core/model.ts';
import { STRATEGY_NAMES } from '../../../src/core/plan/strategies.ts';
import { reduceAll } from '../../../src/core/reduce.ts';
import { initialState } from '../../../src/core/state.ts';
import { ofType, permitsOf } from './helpers.ts';
import { close, end, open, type Ran, reader, streamed, type Timed, text, whole, writer } from './streamed.ts';

/** Types and times; the ends of waves left out, since not all strategies tell them alike. */
const told = (events: readonly WavesEvent[]) =>
  events.filter(({ type }) => type !== 'wave-ended').map(({ type, t }) => `${t} ${type}`);

describe('a call that needs no more than is known starts while its input still arrives', () => {
  const ran: Ran[] = [];
  const stream: Timed = [
    [0, open(0, 'Read'), text(0, '{"path":"a"')],
    [50, text(0, ',"note":')],
    [500, text(0, '"x"'), text(0, '}'), close(0)],
    [2000, end()],
  ];

  test.each(STRATEGY_NAMES)('%s: it is aborted and runs again when its input differs', async (strategy) => {
    ran.length = 0;
    const { results, events, endedAt } = await streamed(
      stream,
      (clock) => [reader(clock, ran, { ms: 800 })],
      {
        strategy,
      },
    );
    expect(ran.map(({ at, input, aborted }) => [at, input, aborted])).toEqual([
      [0, { path: 'a' }, true],
      [500, { path: 'a', note: 'x' }, false],
    ]);
    expect(results.map(({ content }) => content)).toEqual(['Read {"path":"a","note":"x"}']);
    expect(ofType(events, 'speculation-discarded')).toMatchObject([
      { call: 0, t: 500, wastedMs: 500, reason: 'it began without knowing the whole input: note came later' },
    ]);
    expect(ofType(events, 'call-ended')).toHaveLength(1);
    expect(endedAt).toBe(2000);
  });

  test.each(STRATEGY_NAMES)('%s: its result stands when its input is the same', async (strategy) => {
    ran.length = 0;
    const { results, events, endedAt } = await streamed(
      [
        [0, open(0, 'Read'), text(0, '{"path":"a"')],
        [700, text(0, ' }'), close(0)],
        [2000, end()],
      ],
      (clock) => [reader(clock, ran)],
      { strategy },
    );
    expect(ran).toMatchObject([{ at: 0, input: { path: 'a' }, aborted: false }]);
    expect(results).toMatchObject([{ content: 'Read {"path":"a"}', isError: false, durationMs: 100 }]);
    expect(told(events)).toMatchInlineSnapshot(`
      [
        "0 batch-received",
        "0 run-started",
        "0 call-opened",
        "0 argument-closed",
        "0 speculation-started",
        "0 permit-taken",
        "0 call-started",
        "100 permit-returned",
        "700 call-closed",
        "700 speculation-confirmed",
        "700 call-declared",
        "700 decision-made",
        "700 wave-started",
        "700 call-queued",
        "700 call-ended",
        "700 slot-filled",
        "2000 message-ended",
        "2000 run-ended",
      ]
    `);
    expect(endedAt).toBe(2000);
  });

  test('a run that lasts beyond the close goes on, and its permit comes back once', async () => {
    ran.length = 0;
    const { events, endedAt } = await streamed(
      [
        [0, open(0, 'Read'), text(0, '{"path":"a"')],
        [60, text(0, '}'), close(0), end()],
      ],
      (clock) => [reader(clock, ran)],
    );
    expect(endedAt).toBe(100);
    expect(ofType(events, 'speculation-confirmed')).toMatchObject([{ t: 60, wonMs: 60 }]);
    expect(ofType(events, 'permit-returned')).toMatchObject([{ t: 100 }]);
    expect(permitsOf(events)).toEqual({ most: 1, heldAtEnd: 0 });
    const state = reduceAll(events, initialState);
    expect(state.phase).toBe('done');
    expect(state.counts.ok).toBe(1);
  });
});

describe('the example of the design: a read of 100 ms while the model goes on for 2 s', () => {
  test.each(STRATEGY_NAMES)('%s: ends with the message', async (strategy) => {
    const ran: Ran[] = [];
    const { endedAt, results } = await streamed(
      [
        [0, whole(0, 'Read', { path: 'a' })],
        [2000, end()],
      ],
      (clock) => [reader(clock, ran)],
      { strategy },
    );
    expect(ran.map(({ at }) => at)).toEqual([0]);
    expect(endedAt).toBe(2000);
    expect(results).toMatchObject([{ isError: false }]);
  });
});

describe('order while streaming', () => {
  /** Starts of calls, in milliseconds: the calls come 10 ms apart, each runs 100 ms, the message ends at 1,000 ms. */
  async function starts(
    strategy: StrategyName,
    names: readonly string[],
    more = {},
  ): Promise<(number | undefined)[]> {
    const ran: Ran[] = [];
    const timed: Timed = [
      ...names.map((name, index) => {
        const [, kind, path] = /^(\w+)\((.*)\)$/.exec(name)!;
        return [index * 10, whole(index, kind!, { path })] as const;
      }),
      [1000, end()] as const,
    ];
    const { events } = await streamed(timed, (clock) => [reader(clock, ran), writer(clock, ran)], {
      strategy,
      ...more,
    });
    return names.map((_, index) => ofType(events, 'call-started').find(({ call }) => call === index)?.t);
  }

  test('sequential: one after the other', async () => {
    expect(await starts('sequential', ['Read(a)', 'Read(b)', 'Read(c)'])).toEqual([0, 100, 200]);
  });
  test('batches: what is safe joins what runs, and nobody overtakes', async () => {
    expect(await starts('batches', ['Read(a)', 'Read(a)', 'Write(b)', 'Read(c)'])).toEqual([
      0, 10, 1000, 1100,
    ]);
    expect(
      await starts('batches', ['Read(a)', 'Read(a)', 'Write(b)', 'Read(c)'], { writesStart: 'closed' }),
    ).toEqual([0, 10, 110, 210]);
  });
  test('first-fit: members of the first wave at once, later waves when the message has ended', async () => {
    expect(await starts('first-fit', ['Read(a)', 'Write(b)', 'Read(c)', 'Read(d)'])).toEqual([
      0, 1000, 20, 30,
    ]);
  });
  test('first-fit: an unsafe call that comes first keeps its wave to itself', async () => {
    expect(await starts('first-fit', ['Write(b)', 'Read(c)', 'Read(d)'], { writesStart: 'closed' })).toEqual([
      0, 1000, 1000,
    ]);
  });
  test('dataflow: a call starts when it is closed and its conflicts have ended', async () => {
    expect(await starts('dataflow', ['Read(a)', 'Write(a)', 'Read(b)', 'Read(a)'])).toEqual([
      0, 1000, 20, 1100,
    ]);
    expect(
      await starts('dataflow', ['Read(a)', 'Write(a)', 'Read(b)', 'Read(a)'], { writesStart: 'closed' }),
    ).toEqual([0, 100, 20, 200]);
  });
  test('dataflow: when the message has ended, the longest remaining chain goes first', async () => {
    const names = ['Read(x)', 'Write(a)', 'Write(b)', 'Write(b)', 'Write(b)'];
    expect(await starts('dataflow', names, { maxConcurrency: 1 })).toEqual([0, 1200, 1000, 1100, 1300]);
  });
});
