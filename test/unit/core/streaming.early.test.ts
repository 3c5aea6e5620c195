/** What an early run shares with every run: hooks, permits, the gate, limits, batches of its own. */
import { describe, expect, test } from 'vitest';
import type { VirtualClock } from '../../../src/core/clock.ts';
import { createGate, type Visitor } from '../../../src/core/dispatch/gate.ts';
import { createLoopCheck } from '../../../src/core/dispatch/loops.ts';
import { HardError } from '../../../src/core/errors.ts';
import type { ToolCall, ToolResult } from '../../../src/core/model.ts';
import { STRATEGY_NAMES } from '../../../src/core/plan/strategies.ts';
import { calls, nap, ofType, permitsOf, tool } from './helpers.ts';
import { broke, close, end, open, type Ran, reader, streamed, type Timed, text, whole } from './streamed.ts';

/** Begins early at 0, is closed at 300 with the same input or another. */
const same: Timed = [
  [0, open(0, 'Read'), text(0, '{"path":"a"')],
  [300, text(0, '}'), close(0), end()],
];
const other: Timed = [
  [0, open(0, 'Read'), text(0, '{"path":"a"')],
  [300, text(0, ',"more":1}'), close(0), end()],
];

describe.each(STRATEGY_NAMES)('%s: hooks', (strategy) => {
  test('the before-hook is asked once of a run that stands, and again of one that does not', async () => {
    for (const [timed, asked] of [
      [same, [{ path: 'a' }]],
      [other, [{ path: 'a' }, { path: 'a', more: 1 }]],
    ] as const) {
      const before: unknown[] = [];
      const after: [unknown, unknown][] = [];
      await streamed(timed, (clock) => [reader(clock, [])], {
        strategy,
        hooks: {
          before: ({ input }) => void before.push(input),
          after: ({ input }: ToolCall, { content }: ToolResult) => void after.push([input, content]),
        },
      });
      expect(before).toEqual(asked);
      const last = asked.at(-1);
      expect(after).toEqual([[last, `Read ${JSON.stringify(last)}`]]);
    }
  });

  test('a call that the hook blocks early is not early, and is asked of again when it is complete', async () => {
    let times = 0;
    const ran: Ran[] = [];
    const { results, events } = await streamed(same, (clock) => [reader(clock, ran)], {
      strategy,
      hooks: {
        before: () => (++times === 1 ? { block: 'not yet' } : undefined),
      },
    });
    expect(results).toMatchObject([{ isError: false }]);
    expect(ran.map(({ at }) => at)).toEqual([300]);
    expect(ofType(events, 'speculation-started')).toEqual([]);
  });

  test('a hook that is still asked when the call is complete makes no early run of it', async () => {
    const ran: Ran[] = [];
    let clock: VirtualClock | undefined;
    const { results, events } = await streamed(
      same,
      (own) => {
        clock = own;
        return [reader(own, ran)];
      },
      { strategy, hooks: { before: () => nap(clock!, 400) } },
    );
    expect(ofType(events, 'speculation-started')).toEqual([]);
    expect(ran.map(({ at }) => at)).toEqual([700]);
    expect(results).toMatchObject([{ isError: false }]);
  });
});

describe('permits', () => {
  test('one that finds none waits in line, and is withdrawn when the call is complete', async () => {
    const ran: Ran[] = [];
    const { events, results } = await streamed(
      [
        [0, whole(0, 'Slow', { path: 'b' })],
        [10, open(1, 'Read'), text(1, '{"path":"a"')],
        [200, text(1, ',"more":1}'), close(1), end()],
      ],
      (clock) => [reader(clock, ran), reader(clock, ran, { name: 'Slow', ms: 500 })],
      { strategy: 'dataflow', maxConcurrency: 1 },
    );
    expect(ofType(events, 'speculation-started').map(({ call }) => call)).not.toContain(1);
    expect(ran.filter(({ name }) => name === 'Read')).toMatchObject([
      { at: 500, input: { path: 'a', more: 1 } },
    ]);
    expect(results.map(({ isError }) => isError)).toEqual([false, false]);
    expect(permitsOf(events)).toEqual({ most: 1, heldAtEnd: 0 });
  });

  test('one that waits in line begins when a permit is free', async () => {
    const ran: Ran[] = [];
    const { events } = await streamed(
      [
        [0, whole(0, 'Slow', { path: 'b' })],
        [10, open(1, 'Read'), text(1, '{"path":"a"')],
        [800, text(1, '}'), close(1), end()],
      ],
      (clock) => [reader(clock, ran), reader(clock, ran, { name: 'Slow', ms: 500 })],
      { strategy: 'dataflow', maxConcurrency: 1 },
    );
    expect(ran.map(({ name, at }) => [name, at])).toEqual([
      ['Slow', 0],
      ['Read', 500],
    ]);
    expect(ofType(events, 'speculation-confirmed').at(-1)).toMatchObject({ call: 1, wonMs: 100 });
  });
});

describe('the gate', () => {
  /** Another batch holds the file until a moment. */
  async function held(timed: Timed, until: number) {
    const gate = createGate();
    const ran: Ran[] = [];
    const visitor: Visitor = {
      batch: {},
      accesses: [{ resource: 'file:a', mode: 'write' }],
      parent: undefined,
      call: { id: 'other', name: 'Edit', input: {} },
    };
    gate.enter(visitor, () => {});
    const outcome = await streamed(
      timed,
      (clock) => {
        clock.after(until, () => gate.leave(visitor));
        return [reader(clock, ran)];
      },
      { gate, strategy: 'dataflow' },
    );
    expect(permitsOf(outcome.events).heldAtEnd).toBe(0);
    const everything = { ...visitor, batch: {}, accesses: [{ resource: '*', mode: 'write' as const }] };
    if (until < 5_000) expect(gate.enter(everything, () => {}).state).toBe('inside');
    return { ...outcome, ran };
  }

  test('an early run waits there too, and stands when it has got through', async () => {
    const before = await held(same, 100);
    expect(before.ran).toMatchObject([{ at: 100, aborted: false }]);
    expect(ofType(before.events, 'speculation-confirmed')).toMatchObject([{ wonMs: 100 }]);
    const after = await held(same, 1_000);
    expect(after.ran).toMatchObject([{ at: 1_000, aborted: false }]);
    expect(ofType(after.events, 'speculation-confirmed')).toMatchObject([{ wonMs: 0 }]);
    expect(after.results).toMatchObject([{ isError: false }]);
  });

  test('one that is thrown away while it waits there never runs', async () => {
    const { ran, results, events } = await held(other, 1_000);
    expect(ran).toMatchObject([{ at: 1_000, input: { path: 'a', more: 1 } }]);
    expect(ofType(events, 'speculation-discarded')).toMatchObject([{ wastedMs: 0 }]);
    expect(results).toMatchObject([{ isError: false }]);
  });

  test('a stream that breaks meanwhile ends it', async () => {
    const { ran, endedAt } = await held(
      [
        [0, open(0, 'Read'), text(0, '{"path":"a"')],
        [50, broke()],
      ],
      6_000,
    );
    expect(ran).toEqual([]);
    expect(endedAt).toBe(50);
  });
});

describe('how an early run ends', () => {
  test('a soft error, a limit and a hard error count only once the call is complete', async () => {
    const run = (more: Partial<Parameters<typeof reader>[2]>, timed: Timed = same) =>
      streamed(timed, (clock) => [reader(clock, [], more)], { onHardError: 'answer-all' });
    const soft = await run({ run: () => Promise.reject(new Error('no')) });
    expect(soft.results).toMatchObject([{ isError: true, content: 'no' }]);
    expect(ofType(soft.events, 'call-ended')).toMatchObject([{ t: 300, outcome: 'soft' }]);
    const limit = await run({ ms: 500, timeoutMs: 50 });
    expect(limit.results).toMatchObject([{ isError: true, content: 'timed out after 50 ms.' }]);
    const throwsHard = {
      run() {
        throw new HardError('enough');
      },
    };
    const hard = await run(throwsHard);
    expect(ofType(hard.events, 'cancel-requested')).toMatchObject([{ t: 300, reason: 'enough', by: 0 }]);
    let times = 0;
    const once = await run(
      {
        run() {
          if (++times === 1) throw new HardError('enough');
          return 'fine';
        },
      },
      other,
    );
    expect(once.results).toMatchObject([{ isError: false, content: 'fine' }]);
  });

  test('a tool that is deaf is out of the way when the grace period is over', async () => {
    const ran: Ran[] = [];
    const { events, results } = await streamed(
      other,
      (clock) => [
        reader(clock, ran, {
          async run(input) {
            ran.push({ name: 'Read', input, at: clock.now(), aborted: false });
            await nap(clock, 5_000);
            return JSON.stringify(input);
          },
        }),
      ],
      { graceMs: 200, timeoutMs: 9_000 },
    );
    expect(ran.map(({ at }) => at)).toEqual([0, 500]);
    expect(results).toMatchObject([{ content: '{"path":"a","more":1}' }]);
    expect(permitsOf(events)).toEqual({ most: 1, heldAtEnd: 0 });
  });

  test('batches of its own end with one that is thrown away', async () => {
    const { events, results } = await streamed(
      other,
      (clock) => [
        tool('Read', {
          accesses: () => [],
          startsWhen: ['path'],
          run: async (_input, { dispatch }) => String((await dispatch(calls('Leaf')))[0]!.content),
        }),
        tool('Leaf', {
          accesses: () => [],
          async run(_input, { signal }) {
            await nap(clock, 1_000, signal);
            return 'leaf';
          },
        }),
      ],
      { strategy: 'dataflow', maxConcurrency: 1 },
    );
    expect(results).toMatchObject([{ content: 'leaf', isError: false }]);
    expect(ofType(events, 'speculation-discarded')).toMatchObject([{ wastedMs: 300 }]);
    expect(permitsOf(events)).toEqual({ most: 1, heldAtEnd: 0 });
  });

  test('loops are counted of what counts', async () => {
    const loopCheck = createLoopCheck(3);
    const errors: unknown[] = [];
    for (let round = 0; round < 4; round++) {
      const { error } = await streamed(same, (clock) => [reader(clock, [])], { loopCheck });
      errors.push((error as Error | undefined)?.message);
    }
    expect(errors.slice(0, 2)).toEqual([undefined, undefined]);
    expect(errors[2]).toMatch(/loop detected: Read was called 3 times/);
    expect(errors[3]).toMatch(/loop detected/);
  });
});

describe('what may not start early', () => {
  const startsNothing = async (more: Parameters<typeof reader>[2], timed: Timed = same) => {
    const { events } = await streamed(timed, (clock) => [reader(clock, [], more)], { strategy: 'dataflow' });
    expect(ofType(events, 'speculation-started')).toEqual([]);
    return events;
  };

  test('a tool without startsWhen, or with one that is no list of names; then nothing is told of arguments', async () => {
    for (const startsWhen of [undefined, 'path', [1], {}]) {
      const events = await startsNothing({ startsWhen: startsWhen as never });
      expect(ofType(events, 'argument-closed')).toEqual([]);
    }
  });

  test('one whose arguments are not all known', async () => {
    const events = await startsNothing({ startsWhen: ['path', 'limit'] });
    expect(ofType(events, 'argument-closed').map(({ name }) => name)).toEqual(['path']);
  });

  test('one that is unsafe, lists a write, fails its schema, or whose declaration fails', async () => {
    await startsNothing({ isSafeForConcurrentExecution: () => false });
    await startsNothing({ accesses: () => [{ resource: 'file:a', mode: 'write' }] });
    await startsNothing({ inputSchema: { type: 'object', required: ['more'] } });
    await startsNothing({
      accesses() {
        throw new Error('cannot say');
      },
    });
  });

  test('one whose text has turned out not to be JSON', async () => {
    await startsNothing({ startsWhen: ['path', 'b'] }, [
      [0, open(0, 'Read'), text(0, '{"path":"a" x')],
      [10, text(0, ',"b":1}'), close(0), end()],
    ]);
  });

  test('one that needs nothing starts when it is opened', async () => {
    const ran: Ran[] = [];
    await streamed(
      [
        [5, open(0, 'Read')],
        [200, text(0, '{}'), close(0), end()],
      ],
      (clock) => [reader(clock, ran, { startsWhen: [], accesses: () => [] })],
    );
    expect(ran).toMatchObject([{ at: 5, input: {} }]);
  });
});
