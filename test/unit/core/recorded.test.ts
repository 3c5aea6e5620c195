/** Whole recordings of small batches, event by event: what the panel and every other reader is told. */
import { describe, expect, test } from 'vitest';
import { createGate } from '../../../src/core/dispatch/gate.ts';
import { HardError } from '../../../src/core/errors.ts';
import type { WavesEvent } from '../../../src/core/events.ts';
import { calls, dispatched, nap, ofType, tool } from './helpers.ts';
import { close, cut, end, open, reader, streamed, text, whole, writer } from './streamed.ts';

/** A line an event, without the place in the log, which the tests of the recording itself check. */
const told = (events: readonly WavesEvent[]) =>
  `\n${events.map(({ seq: _seq, t, type, ...body }) => `${t} ${type} ${JSON.stringify(body)}`).join('\n')}\n`;

describe('what is told of a batch', () => {
  test('a keyed call, an unknown tool and a declaration that throws, from the first event to the last', async () => {
    const { events } = await dispatched(
      calls('Read(a)', 'Nope', 'Odd'),
      (clock) => [
        tool('Read', {
          isSafeForConcurrentExecution: () => true,
          resourceKey: ({ path }) => `file:${path}`,
          async run() {
            await nap(clock, 10);
            return 'read';
          },
        }),
        tool('Odd', {
          isSafeForConcurrentExecution() {
            throw new Error('cannot say');
          },
          run: () => 'odd',
        }),
      ],
      { strategy: 'first-fit' },
    );
    expect(told(events)).toMatchInlineSnapshot(`
      "
      0 batch-received {"strategy":"first-fit","permits":3,"onHardError":"abort","calls":[{"id":"t1","name":"Read","input":{"path":"a"}},{"id":"t2","name":"Nope","input":{}},{"id":"t3","name":"Odd","input":{}}]}
      0 call-declared {"call":0,"safe":true,"key":"file:a","accesses":[{"resource":"file:a","mode":"write"}]}
      0 decision-made {"call":0,"wave":0,"opened":true,"closed":false,"rule":"R5","reason":"Nothing exists yet: opens wave 1.","rejected":[],"waitsFor":[]}
      0 call-declared {"call":1,"safe":false,"accesses":[{"resource":"*","mode":"write"}],"failure":"Unknown tool \\"Nope\\". Known tools: Read, Odd.","refused":true}
      0 decision-made {"call":1,"wave":1,"opened":true,"closed":true,"rule":"R4","reason":"Unsafe: runs alone in wave 2, which is born closed. Counted as unsafe: Unknown tool \\"Nope\\". Known tools: Read, Odd.","rejected":[],"waitsFor":[]}
      0 call-declared {"call":2,"safe":false,"accesses":[{"resource":"*","mode":"write"}],"failure":"isSafeForConcurrentExecution threw: cannot say"}
      0 decision-made {"call":2,"wave":2,"opened":true,"closed":true,"rule":"R4","reason":"Unsafe: runs alone in wave 3, which is born closed. Counted as unsafe: isSafeForConcurrentExecution threw: cannot say","rejected":[],"waitsFor":[]}
      0 finding-made {"id":"W8","certainty":"observed","calls":[2],"text":"#3 Odd counts as unsafe, since its declaration failed: isSafeForConcurrentExecution threw: cannot say","advice":"Mend the declaration of Odd."}
      0 run-started {"waves":3}
      0 wave-started {"wave":0}
      0 call-queued {"call":0,"wave":0}
      0 permit-taken {"call":0,"permit":0}
      0 call-started {"call":0}
      10 call-ended {"call":0,"outcome":"ok","completion":1}
      10 slot-filled {"call":0,"isError":false}
      10 permit-returned {"call":0,"permit":0}
      10 wave-ended {"wave":0}
      10 wave-started {"wave":1}
      10 call-queued {"call":1,"wave":1}
      10 call-ended {"call":1,"outcome":"soft","completion":2,"error":"Unknown tool \\"Nope\\". Known tools: Read, Odd."}
      10 slot-filled {"call":1,"isError":true}
      10 wave-ended {"wave":1}
      10 wave-started {"wave":2}
      10 call-queued {"call":2,"wave":2}
      10 permit-taken {"call":2,"permit":0}
      10 call-started {"call":2}
      10 call-ended {"call":2,"outcome":"ok","completion":3}
      10 slot-filled {"call":2,"isError":false}
      10 permit-returned {"call":2,"permit":0}
      10 wave-ended {"wave":2}
      10 run-ended {"how":"done","softErrors":1}
      "
    `);
  });

  test('a decision lists at most 100 rejected waves, and says how many there were', async () => {
    const rejections = async (count: number) => {
      const { events } = await dispatched(
        calls(...Array.from({ length: count }, () => 'Read(a)')),
        () => [
          tool('Read', {
            isSafeForConcurrentExecution: () => true,
            resourceKey: () => 'file:a',
            run: () => '',
          }),
        ],
        { strategy: 'first-fit' },
      );
      const { rejected, rejectedTotal } = ofType(events, 'decision-made').at(-1)!;
      return { listed: rejected.length, rejectedTotal };
    };
    expect(await rejections(101)).toEqual({ listed: 100, rejectedTotal: undefined });
    expect(await rejections(102)).toEqual({ listed: 100, rejectedTotal: 101 });
  });

  test('a call that dispatches a batch says so as its progress', async () => {
    const { events } = await dispatched(calls('Parent(1)', 'Parent(2)'), () => [
      tool('Parent', {
        accesses: () => [],
        async run({ path }, { dispatch }) {
          await dispatch(calls(...(path === '1' ? ['Leaf(x)'] : ['Leaf(x)', 'Leaf(y)'])));
          return '';
        },
      }),
      tool('Leaf', { accesses: () => [], run: () => '' }),
    ]);
    expect(ofType(events, 'call-progress').map(({ call, message }) => [call, message])).toEqual([
      [0, 'Runs a batch of its own: 1 call.'],
      [1, 'Runs a batch of its own: 2 calls.'],
    ]);
  });

  test('a call that waits at the gate says over what and behind whom', async () => {
    const gate = createGate();
    const other = { name: 'Edit', id: 'other', input: {} };
    const accesses = [{ resource: 'file:///w/a', mode: 'write' as const }];
    const visitor = { batch: {}, accesses, parent: undefined, call: other };
    gate.enter(visitor, () => {});
    const { events } = await dispatched(
      calls('Edit(a)'),
      (clock) => {
        clock.after(50, () => gate.leave(visitor));
        return [
          tool('Edit', {
            accesses: () => [{ resource: 'file:///w', mode: 'write' }],
            run: () => '',
          }),
        ];
      },
      { gate },
    );
    expect(
      ofType(events, 'gate-waiting').map(({ call, resource, behind, t }) => [call, resource, behind, t]),
    ).toEqual([[0, 'file:///w/a', 'Edit "other"', 0]]);
    expect(ofType(events, 'call-started')[0]?.t).toBe(50);
  });

  test('times count from the beginning of the run, wherever the clock stands', async () => {
    const { events, results } = await dispatched(calls('Parent'), (clock) => [
      tool('Parent', {
        accesses: () => [],
        async run(_input, { dispatch }) {
          await nap(clock, 30);
          const inner: number[] = [];
          await dispatch(calls('Leaf'), { onEvent: ({ t }) => inner.push(t) });
          return String(Math.max(...inner));
        },
      }),
      tool('Leaf', {
        accesses: () => [],
        async run() {
          await nap(clock, 5);
          return '';
        },
      }),
    ]);
    expect(results[0]?.content).toBe('5');
    expect(events.at(-1)?.t).toBe(35);
    expect(ofType(events, 'call-ended')[0]?.t).toBe(35);
  });

  test('a cancelled batch says so, and a batch that a call ended names the call', async () => {
    const controller = new AbortController();
    const cancelled = await dispatched(
      calls('Slow'),
      (clock) => {
        clock.after(5, () => controller.abort());
        return [tool('Slow', { run: (_input, { signal }) => nap(clock, 50, signal).then(() => '') })];
      },
      { signal: controller.signal, onHardError: 'answer-all' },
    );
    expect(told(cancelled.events.slice(-6))).toMatchInlineSnapshot(`
      "
      5 cancel-requested {"reason":"The batch was cancelled."}
      5 call-ended {"call":0,"outcome":"cancelled","completion":1,"error":"interrupted by user: the batch was cancelled."}
      5 slot-filled {"call":0,"isError":true}
      5 permit-returned {"call":0,"permit":0}
      5 wave-ended {"wave":0}
      5 run-ended {"how":"cancelled","softErrors":0}
      "
    `);
    const ended = await dispatched(calls('Ends', 'Next'), () => [
      tool('Ends', {
        run() {
          throw new HardError('enough');
        },
      }),
      tool('Next'),
    ]);
    expect(told(ended.events.slice(-7))).toMatchInlineSnapshot(`
      "
      0 call-started {"call":0}
      0 cancel-requested {"reason":"enough","by":0}
      0 call-ended {"call":0,"outcome":"hard","completion":1,"error":"enough"}
      0 permit-returned {"call":0,"permit":0}
      0 wave-ended {"wave":0}
      0 call-ended {"call":1,"outcome":"never-started","error":"not run: call #1 ended the batch before this call started (enough)."}
      0 run-aborted {"how":"aborted","reason":"enough","by":0}
      "
    `);
  });
});

describe('what is told of a stream', () => {
  test('an early run that is discarded, one that waits for the message, and one that was cut off', async () => {
    const { events } = await streamed(
      [
        [0, open(0, 'Read'), text(0, '{"path":"a"')],
        [40, text(0, ',"more":1}'), close(0)],
        [50, whole(1, 'Write', { path: 'a' })],
        [60, open(2, 'Write'), text(2, '{"pa')],
        [200, cut()],
      ],
      (clock) => [reader(clock, []), writer(clock, [], { accesses: () => undefined })],
      { strategy: 'first-fit', maxConcurrency: 2 },
    );
    expect(told(events)).toMatchInlineSnapshot(`
      "
      0 batch-received {"strategy":"first-fit","permits":2,"onHardError":"abort","calls":[],"streaming":true}
      0 run-started {"waves":0}
      0 call-opened {"call":0,"id":"t1","name":"Read"}
      0 argument-closed {"call":0,"name":"path"}
      0 speculation-started {"call":0,"input":{"path":"a"}}
      0 permit-taken {"call":0,"permit":0}
      0 call-started {"call":0}
      40 call-closed {"call":0,"input":{"path":"a","more":1}}
      40 speculation-discarded {"call":0,"wastedMs":40,"reason":"it began without knowing the whole input: more came later"}
      40 call-declared {"call":0,"safe":true,"accesses":[{"resource":"file:a","mode":"read"}]}
      40 decision-made {"call":0,"wave":0,"opened":true,"closed":false,"rule":"R5","reason":"Nothing exists yet: opens wave 1.","rejected":[],"waitsFor":[]}
      40 wave-started {"wave":0}
      40 call-queued {"call":0,"wave":0}
      40 permit-returned {"call":0,"permit":0}
      40 permit-taken {"call":0,"permit":0}
      40 call-started {"call":0}
      50 call-opened {"call":1,"id":"t2","name":"Write"}
      50 call-closed {"call":1,"input":{"path":"a"}}
      50 call-declared {"call":1,"safe":false,"accesses":[{"resource":"*","mode":"write"}]}
      50 decision-made {"call":1,"wave":1,"opened":true,"closed":true,"rule":"R4","reason":"Unsafe: runs alone in wave 2, which is born closed.","rejected":[],"waitsFor":[]}
      60 call-opened {"call":2,"id":"t3","name":"Write"}
      140 call-ended {"call":0,"outcome":"ok","completion":1}
      140 slot-filled {"call":0,"isError":false}
      140 permit-returned {"call":0,"permit":0}
      200 message-ended {"stopReason":"max_tokens","cutOff":true}
      200 call-declared {"call":2,"safe":false,"accesses":[{"resource":"*","mode":"write"}],"failure":"The input was cut off before it was complete, so the call was not run. Call again with the whole input; where it is long, in smaller parts.","refused":true}
      200 decision-made {"call":2,"wave":2,"opened":true,"closed":true,"rule":"R4","reason":"Unsafe: runs alone in wave 3, which is born closed. Counted as unsafe: The input was cut off before it was complete, so the call was not run. Call again with the whole input; where it is long, in smaller parts.","rejected":[],"waitsFor":[]}
      200 wave-ended {"wave":0}
      200 wave-started {"wave":1}
      200 call-queued {"call":1,"wave":1}
      200 permit-taken {"call":1,"permit":0}
      200 call-started {"call":1}
      300 call-ended {"call":1,"outcome":"ok","completion":2}
      300 slot-filled {"call":1,"isError":false}
      300 permit-returned {"call":1,"permit":0}
      300 wave-ended {"wave":1}
      300 wave-started {"wave":2}
      300 call-queued {"call":2,"wave":2}
      300 call-ended {"call":2,"outcome":"soft","completion":3,"error":"The input was cut off before it was complete, so the call was not run. Call again with the whole input; where it is long, in smaller parts."}
      300 slot-filled {"call":2,"isError":true}
      300 wave-ended {"wave":2}
      300 run-ended {"how":"done","softErrors":1}
      "
    `);
  });

  test('findings stand at its end, and the plain end of a message says no more than its reason', async () => {
    const { events } = await streamed(
      [
        [0, whole(0, 'Read', { path: 'b' }), whole(1, 'Write', { path: 'a' })],
        [10, whole(2, 'Read', { path: 'a' })],
        [20, { type: 'message-ended' }],
      ],
      (clock) => [reader(clock, []), writer(clock, [])],
      { strategy: 'first-fit' },
    );
    expect(ofType(events, 'message-ended')).toEqual([
      { type: 'message-ended', seq: expect.any(Number), t: 20 },
    ]);
    const found = ofType(events, 'finding-made');
    expect(found.map(({ id, calls: named }) => [id, named])).toContainEqual(['W1', [1, 2]]);
    expect(found[0]!.seq).toBeGreaterThan(ofType(events, 'message-ended')[0]!.seq);
    const cancelled = await streamed(
      [
        [
          0,
          whole(0, 'Read', { path: 'b' }),
          whole(1, 'Write', { path: 'a' }),
          whole(2, 'Read', { path: 'a' }),
        ],
      ],
      (clock) => [reader(clock, []), writer(clock, [])],
      { strategy: 'first-fit', abortAt: 50 },
    );
    expect(ofType(cancelled.events, 'finding-made')).toEqual([]);
    expect(ofType(cancelled.events, 'cancel-requested')).toMatchObject([
      { reason: 'The batch was cancelled.' },
    ]);
    expect(cancelled.events.at(-1)).toMatchObject({ type: 'run-aborted', how: 'cancelled' });
    const mode = await streamed([[0, end()]], () => [], { onHardError: 'answer-all' });
    expect(mode.events[0]).toMatchObject({ onHardError: 'answer-all', streaming: true, calls: [] });
  });
});
