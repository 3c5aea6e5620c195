/** When an early run begins: what is in its way, what must be asked first, and what came later. */
import { describe, expect, test } from 'vitest';
import type { VirtualClock } from '../../../src/core/clock.ts';
import { nap, ofType, permitsOf } from './helpers.ts';
import {
  close,
  cut,
  end,
  open,
  type Ran,
  reader,
  streamed,
  type Timed,
  text,
  whole,
  writer,
} from './streamed.ts';

/** Begins early at 0, and is closed at 300 with the same input. */
const same: Timed = [
  [0, open(0, 'Read'), text(0, '{"path":"a"')],
  [300, text(0, '}'), close(0), end()],
];

describe('the resolving step', () => {
  /** Keys take 50 ms. */
  const slowly = (timed: Timed, more: Parameters<typeof streamed>[2] = {}) => {
    const ran: Ran[] = [];
    let clock: VirtualClock | undefined;
    return streamed(
      timed,
      (own) => {
        clock = own;
        return [reader(own, ran)];
      },
      {
        strategy: 'dataflow',
        resolve: async (resource) => {
          await nap(clock!, 50);
          return resource;
        },
        onHardError: 'answer-all',
        ...more,
      },
    ).then((outcome) => ({ ...outcome, ran }));
  };

  test('takes its time before an early run, which begins all the same', async () => {
    const { ran, events } = await slowly(same);
    expect(ran.map(({ at }) => at)).toEqual([50]);
    expect(ofType(events, 'speculation-confirmed')).toMatchObject([{ t: 300, wonMs: 100 }]);
  });

  test('a call that is complete meanwhile is not run early, and once', async () => {
    const { ran, events, results } = await slowly([
      [0, open(0, 'Read'), text(0, '{"path":"a"')],
      [20, text(0, '}'), close(0), end()],
    ]);
    expect(ran.map(({ at }) => at)).toEqual([70]);
    expect(ofType(events, 'speculation-started')).toEqual([]);
    expect(results).toHaveLength(1);
  });

  test('calls that come while others are asked of are placed behind them, each once', async () => {
    const { events, results, ran } = await slowly([
      [0, whole(0, 'Read', { path: 'a' })],
      [10, whole(1, 'Read', { path: 'b' })],
      [20, whole(2, 'Read', { path: 'c' }), end()],
    ]);
    expect(ofType(events, 'decision-made').map(({ call, t }) => [call, t])).toEqual([
      [0, 50],
      [1, 100],
      [2, 100],
    ]);
    expect(ran).toHaveLength(3);
    expect(results.map(({ isError }) => isError)).toEqual([false, false, false]);
  });

  test('a stop meanwhile leaves nothing behind', async () => {
    for (const abortAt of [20, 60, 320]) {
      const { results, events, ran } = await slowly(same, { abortAt });
      expect(results).toHaveLength(1);
      expect(ofType(events, 'call-ended')).toHaveLength(1);
      expect(permitsOf(events).heldAtEnd).toBe(0);
      if (abortAt === 20) expect(ran).toEqual([]);
    }
  });

  test('an early run waits for a call in its way, and begins when that has ended', async () => {
    const ran: Ran[] = [];
    const { events } = await streamed(
      [
        [0, whole(0, 'Write', { path: 'a' })],
        [10, open(1, 'Read'), text(1, '{"path":"a"')],
        [900, text(1, '}'), close(1), end()],
      ],
      (clock) => [
        reader(clock, ran),
        {
          ...reader(clock, ran, { name: 'Write', ms: 200 }),
          accesses: () => [{ resource: 'file:a', mode: 'write' as const }],
        },
      ],
      { strategy: 'dataflow', writesStart: 'closed' },
    );
    expect(ran.map(({ name, at }) => [name, at])).toEqual([
      ['Write', 0],
      ['Read', 200],
    ]);
    expect(ofType(events, 'speculation-confirmed')).toMatchObject([{ call: 1, wonMs: 100 }]);
  });

  test('says what came later, at most five names of it', async () => {
    const reasonOf = async (rest: string, last: 'cut' | 'end' = 'end') => {
      const { events } = await streamed(
        [
          [0, open(0, 'Read'), text(0, '{"path":"a"')],
          [50, text(0, rest), ...(last === 'end' ? [close(0), end()] : [cut()])],
        ],
        (clock) => [reader(clock, [])],
        { onHardError: 'answer-all' },
      );
      return ofType(events, 'speculation-discarded').map(({ reason }) => reason);
    };
    expect(await reasonOf(',"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}')).toEqual([
      'it began without knowing the whole input: b, c, d, e, f came later',
    ]);
    expect(await reasonOf(',"path":"b"}')).toEqual([
      'it began without knowing the whole input: path came later',
    ]);
    expect(await reasonOf('} x')).toEqual(['its input turned out not to be usable']);
    expect(await reasonOf('', 'cut')).toEqual(['its input turned out not to be usable']);
  });
});

describe('whose turn it is', () => {
  test.each([
    ['batches', 30],
    ['first-fit', 30],
    ['dataflow', 30],
    ['sequential', 400],
  ] as const)('%s: an early run beside one that runs begins at %i', async (strategy, at) => {
    const ran: Ran[] = [];
    await streamed(
      [
        [0, whole(0, 'Slow', { path: 'b' })],
        [30, open(1, 'Read'), text(1, '{"path":"a"')],
        [900, text(1, '}'), close(1), end()],
      ],
      (clock) => [reader(clock, ran), reader(clock, ran, { name: 'Slow', ms: 400 })],
      { strategy },
    );
    expect(ran.map(({ name, at: began }) => [name, began])).toEqual([
      ['Slow', 0],
      ['Read', at],
    ]);
  });

  test('batches: none beside an unsafe call, or before one that waits for the message', async () => {
    for (const writesStart of ['closed', 'message-ended'] as const) {
      const ran: Ran[] = [];
      await streamed(
        [
          [0, whole(0, 'Write', { path: 'b' })],
          [30, open(1, 'Read'), text(1, '{"path":"a"')],
          [900, text(1, '}'), close(1), end()],
        ],
        (clock) => [reader(clock, ran), writer(clock, ran, { ms: 400 })],
        { strategy: 'batches', writesStart },
      );
      expect(ran.map(({ name, at }) => [name, at])).toEqual(
        writesStart === 'closed'
          ? [
              ['Write', 0],
              ['Read', 400],
            ]
          : [
              ['Write', 900],
              ['Read', 1_300],
            ],
      );
    }
  });

  test('a wave of calls that all wait for the message begins with its end; one of others does not', async () => {
    const startOf = async (...names: string[]) => {
      const { events } = await streamed(
        [
          [0, ...names.map((name, index) => whole(index, name, { path: `${index}` }))],
          [500, end()],
        ],
        (clock) => [
          reader(clock, []),
          writer(clock, []),
          reader(clock, [], {
            name: 'Fine',
            accesses: ({ path }) => [{ resource: `${path}`, mode: 'write' }],
          }),
        ],
        { strategy: 'batches' },
      );
      return ofType(events, 'wave-started').map(({ t }) => t);
    };
    expect(await startOf('Write')).toEqual([500]);
    expect(await startOf('Fine')).toEqual([500]);
    expect(await startOf('Fine', 'Read')).toEqual([0]);
    expect(await startOf('Read', 'Fine')).toEqual([0]);
  });
});
