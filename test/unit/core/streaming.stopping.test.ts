/** Streams that are stopped: by their caller, a call, a limit, a broken connection, ids that are of no use. */
import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createVirtualClock, type VirtualClock } from '../../../src/core/clock.ts';
import { createGate } from '../../../src/core/dispatch/gate.ts';
import { createStreamingDispatch, type StreamingDispatch } from '../../../src/core/dispatch/streaming.ts';
import { BatchAborted, BatchRefused, HardError } from '../../../src/core/errors.ts';
import type { WavesEvent } from '../../../src/core/events.ts';
import { STRATEGY_NAMES } from '../../../src/core/plan/strategies.ts';
import { reduceAll } from '../../../src/core/reduce.ts';
import type { StreamEvent } from '../../../src/core/stream/streamEvent.ts';
import { createRegistry } from '../../../src/core/tools.ts';
import { nap, ofType, permitsOf, tool } from './helpers.ts';
import {
  broke,
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

/** A held early run, one that runs, a write that waits, one that is not complete. */
const MESSAGE: Timed = [
  [0, open(0, 'Read'), text(0, '{"path":"a"')],
  [150, text(0, '}'), close(0)],
  [160, whole(1, 'Slow', { path: 'b' })],
  [170, whole(2, 'Write', { path: 'a' })],
  [200, open(3, 'Read'), text(3, '{"path":"c"')],
  [320, text(3, ',"more":1}'), close(3)],
  [340, open(4, 'Read'), text(4, '{"pa')],
  [400, text(4, 'th":"d"}'), close(4)],
  [420, end()],
];

function checkEnds(events: readonly WavesEvent[]): void {
  const opened = ofType(events, 'call-opened').map(({ call }) => call);
  const ended = ofType(events, 'call-ended').map(({ call }) => call);
  expect([...ended].sort((a, b) => a - b)).toEqual(opened);
  expect(permitsOf(events).heldAtEnd).toBe(0);
  const stop = ofType(events, 'cancel-requested')[0];
  if (stop)
    for (const type of ['call-started', 'speculation-started'] as const)
      expect(ofType(events, type).every(({ seq }) => seq < stop.seq)).toBe(true);
  const { counts, calls, unknown } = reduceAll(events);
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(calls.size);
  expect(unknown).toBe(0);
}

const stops = ['abort', 'signal', 'limit', 'broken', 'hard', 'same id', 'empty id', 'nonsense'] as const;

describe.each(STRATEGY_NAMES)('%s: a stream that is stopped at any moment', (strategy) => {
  test.each(stops)('by %s', async (how) => {
    for (const onHardError of ['abort', 'answer-all'] as const) {
      for (const [deaf, keysMs] of [
        [false, 0],
        [true, 0],
        [false, 30],
      ] as const) {
        for (const stopAt of [0, 1, 50, 100, 149, 151, 165, 201, 260, 321, 345, 419, 500]) {
          const ran: Ran[] = [];
          const gate = createGate();
          const abort = new AbortController();
          const late: StreamEvent[] = {
            broken: [broke()],
            'same id': [open(90, 'Read', 't1'), text(90, '{"path":"other"}'), close(90), close(0)],
            'empty id': [open(91, 'Read', '')],
            nonsense: [text(77, 'x')],
            abort: [],
            signal: [],
            limit: [],
            hard: [],
          }[how];
          const timed: Timed = [...MESSAGE, ...(late.length > 0 ? [[stopAt, late] as const] : [])];
          let time: VirtualClock | undefined;
          const { results, error, events, endedAt } = await streamed(
            timed,
            (clock) => {
              time = clock;
              if (how === 'signal') clock.after(stopAt, () => abort.abort());
              const waits = deaf
                ? {
                    async run(input: Record<string, unknown>) {
                      await nap(clock, 700);
                      return JSON.stringify(input);
                    },
                  }
                : {};
              return [
                reader(clock, ran, waits),
                reader(clock, ran, { name: 'Slow', ms: 400, ...waits }),
                writer(clock, ran, {
                  ...waits,
                  ...(how === 'hard' && {
                    run() {
                      throw new HardError('enough');
                    },
                  }),
                }),
              ];
            },
            {
              strategy,
              onHardError,
              gate,
              graceMs: 300,
              ...(keysMs > 0 && {
                resolve: async (resource: string) => {
                  await nap(time!, keysMs);
                  return resource;
                },
              }),
              signal: abort.signal,
              ...(how === 'abort' && { abortAt: stopAt }),
              ...(how === 'limit' && { runTimeoutMs: stopAt }),
            },
          );
          checkEnds(events);
          const stop = ofType(events, 'cancel-requested')[0];
          if (stop) expect(endedAt).toBeLessThanOrEqual(stop.t + 300);
          const opened = ofType(events, 'call-opened').length;
          const discards = ['broken', 'same id', 'empty id', 'nonsense'].includes(how);
          if (!stop) expect(results).toHaveLength(opened);
          else if (discards || onHardError === 'abort') {
            expect(results).toEqual([]);
            const refused = how === 'same id' || how === 'empty id';
            expect(error).toBeInstanceOf(refused ? BatchRefused : BatchAborted);
            const after = ofType(events, 'slot-filled').filter(({ seq }) => seq > stop.seq);
            expect(after).toEqual([]);
          } else {
            expect(results).toHaveLength(opened);
            expect(error).toBeUndefined();
          }
          const visitor = {
            batch: {},
            accesses: [{ resource: '*', mode: 'write' as const }],
            parent: undefined,
            call: { id: 'x', name: 'x', input: {} },
          };
          if (!deaf) expect(gate.enter(visitor, () => {}).state).toBe('inside');
        }
      }
    }
  });
});

describe('what is answered', () => {
  test('a call that is not complete when the batch is cancelled was never run, or was interrupted', async () => {
    const ran: Ran[] = [];
    const { results } = await streamed(
      MESSAGE,
      (clock) => [reader(clock, ran), reader(clock, ran, { name: 'Slow', ms: 400 }), writer(clock, ran)],
      { strategy: 'dataflow', onHardError: 'answer-all', abortAt: 345 },
    );
    expect(results.map(({ content }) => content)).toEqual([
      'Read {"path":"a"}',
      'interrupted by user: the batch was cancelled.',
      'not run: the batch was cancelled before this call started.',
      'interrupted by user: the batch was cancelled.',
      'not run: the batch was cancelled before this call started.',
    ]);
  });

  test('the sentence of a broken stream, and of ids that are of no use', async () => {
    const run = async (...events: StreamEvent[]) =>
      ((await streamed([[0, events]], (clock) => [reader(clock, [])])).error as Error).message;
    expect(await run(broke('connection reset.'))).toBe(
      'The stream broke (connection reset), so nothing of its message counts.',
    );
    expect(await run(open(0, 'Read'), open(0, 'Read'))).toContain('call 0 was opened twice');
    expect(await run(close(4))).toContain('call 4 goes on, and was never opened');
    expect(await run(...whole(0, 'Read', {}), text(0, 'x'))).toContain(
      'more input came for call 0, which was closed',
    );
    expect(await run({ type: 'other' } as never)).toContain('something came that is no event of a stream');
    expect(await run(null as never)).toContain('something came that is no event of a stream');
    expect(await run(open(0, 'Read', ''))).toBe(
      'Call #1 has an empty id. Give every call of a batch an id of its own.',
    );
    expect(await run(...whole(0, 'Read', { path: 'a' }, 'x'), ...whole(1, 'Read', { path: 'b' }, 'x'))).toBe(
      'Id "x" stands twice with different calls. Give every call an id of its own.',
    );
  });

  test('one call that is sent twice runs once, whichever is complete first', async () => {
    for (const events of [
      [...whole(0, 'Read', { path: 'a' }, 'x'), ...whole(1, 'Read', { path: 'a' }, 'x'), end()],
      [
        open(0, 'Read', 'x'),
        ...whole(1, 'Read', { path: 'a' }, 'x'),
        text(0, '{"path":"a"}'),
        close(0),
        end(),
      ],
    ]) {
      const ran: Ran[] = [];
      const { results } = await streamed([[0, events]], (clock) => [reader(clock, ran)]);
      expect(results).toMatchObject([{ toolCallId: 'x', isError: false }]);
      expect(ran).toHaveLength(1);
    }
  });

  test('blanks behind the close, a second close, and whatever comes after the end change nothing', async () => {
    const ran: Ran[] = [];
    const { results } = await streamed(
      [
        [
          0,
          whole(0, 'Read', { path: 'a' }),
          text(0, ' \n'),
          close(0),
          end(),
          open(1, 'Read'),
          broke(),
          end(),
        ],
      ],
      (clock) => [reader(clock, ran)],
    );
    expect(results).toHaveLength(1);
    expect(ran).toHaveLength(1);
  });

  test('a message without calls has no results', async () => {
    const { results, error, events } = await streamed([[5, end('end_turn')]], () => []);
    expect([results, error]).toEqual([[], undefined]);
    expect(events.map(({ type }) => type)).toEqual([
      'batch-received',
      'run-started',
      'message-ended',
      'run-ended',
    ]);
  });
});

test('a subscriber that cancels or sends more from within an event does no harm', async () => {
  for (const type of [
    'batch-received',
    'call-opened',
    'argument-closed',
    'call-closed',
    'call-declared',
    'decision-made',
    'message-ended',
    'speculation-started',
    'speculation-confirmed',
    'speculation-discarded',
    'wave-started',
    'call-queued',
    'permit-taken',
    'call-started',
    'call-ended',
    'permit-returned',
    'slot-filled',
    'wave-ended',
  ] as const) {
    for (const what of ['abort', 'push', 'throw'] as const) {
      const clock = createVirtualClock();
      const ran: Ran[] = [];
      const events: WavesEvent[] = [];
      let calls = 0;
      let stream: StreamingDispatch | undefined;
      const own = createStreamingDispatch(createRegistry([reader(clock, ran), writer(clock, ran)]), {
        clock,
        onHardError: 'answer-all',
        strategy: 'dataflow',
        log: () => {},
        onEvent(event) {
          events.push(event);
          if (event.type !== type || calls++ > 0) return;
          if (what === 'abort') stream?.abort();
          if (what === 'push') for (const one of whole(50, 'Read', { path: 'x' })) stream?.push(one);
          if (what === 'throw') throw new Error('a bad subscriber');
        },
      });
      const sent: StreamEvent[] = [
        ...whole(0, 'Read', { path: 'a' }),
        open(1, 'Read'),
        text(1, '{"path":"b"'),
        text(1, ',"more":1}'),
        close(1),
        ...whole(2, 'Write', { path: 'a' }),
        end(),
      ];
      stream = own;
      for (const event of sent) own.push(event);
      const results = await clock.runUntil(own.results);
      expect(results.map(({ toolCallId }) => toolCallId)).toContain('t1');
      expect(calls).toBeGreaterThan(0);
      checkEnds(events);
    }
  }
});

test('two hundred streams leave nothing on a signal that they share', async () => {
  const quick = createRegistry([tool('Read', { accesses: () => [], startsWhen: ['path'], run: () => '' })]);
  const { signal } = new AbortController();
  for (let round = 0; round < 200; round++) {
    const stream = createStreamingDispatch(quick, { signal });
    for (const event of [...whole(0, 'Read', { path: 'a' }), end()]) stream.push(event);
    await stream.results;
  }
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('whatever is pushed, nothing is thrown, and the results settle once the stream is over', async () => {
  const anything = fc.oneof(
    fc.record({
      type: fc.constant('call-opened'),
      index: fc.nat(3),
      id: fc.constantFrom('', 'a', 'b', 'c'),
      name: fc.constantFrom('Read', 'Write', 'x', '__proto__'),
    }),
    fc.record({
      type: fc.constant('input-fragment'),
      index: fc.nat(3),
      text: fc.oneof(fc.constantFrom('{', '}', '{"path":"a"', '"', ' ', '{"path":"a"}'), fc.string()),
    }),
    fc.record({ type: fc.constant('call-closed'), index: fc.nat(3) }),
    fc.constantFrom(end(), cut(), broke()),
    fc.anything(),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(anything, { maxLength: 25 }),
      fc.constantFrom(...STRATEGY_NAMES),
      fc.boolean(),
      async (list, strategy, broken) => {
        const ran: Ran[] = [];
        const timed: Timed = [
          ...list.map((event, at) => [at, event as StreamEvent] as const),
          [list.length, broken ? broke() : end()],
        ];
        const { results, error, events } = await streamed(
          timed,
          (clock) => [reader(clock, ran, { ms: 3 }), writer(clock, ran, { ms: 3 })],
          { strategy, onHardError: 'answer-all' },
        );
        checkEnds(events);
        expect(error === undefined).toBe(ofType(events, 'run-ended').length === 1);
        if (error === undefined) expect(results).toHaveLength(ofType(events, 'call-opened').length);
        const ended = ofType(events, 'message-ended')[0];
        const writes = ofType(events, 'call-opened')
          .filter(({ name }) => name === 'Write')
          .map(({ call }) => call);
        for (const { call, seq } of ofType(events, 'call-started'))
          if (writes.includes(call)) expect(seq).toBeGreaterThan(ended?.seq ?? Number.POSITIVE_INFINITY);
      },
    ),
    { numRuns: 1500 },
  );
});
