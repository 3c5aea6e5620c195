/** Loops of a session: the same call with the same result, again and again, ends the batch. */
import { describe, expect, test } from 'vitest';
import { createLoopCheck } from '../../../src/core/dispatch/loops.ts';
import type { DispatchOptions } from '../../../src/core/dispatch/options.ts';
import type { ToolCall } from '../../../src/core/model.ts';
import { STRATEGY_NAMES } from '../../../src/core/plan/strategies.ts';
import { calls, dispatched, nap, ofType, tool } from './helpers.ts';
import { nestedTools } from './nestedTools.ts';

const call = (input: unknown, name = 'Read'): ToolCall => ({ id: 'x', name, input });
const told = (content: string | readonly unknown[], isError = false) => ({ content, isError });

describe('the check of a session', () => {
  test('five times in a row make a loop unless told otherwise', () => {
    const check = createLoopCheck();
    const verdicts = [1, 2, 3, 4, 5, 6].map(
      () => check.completes(call({ a: 1 }), told('same')) !== undefined,
    );
    expect(verdicts).toEqual([false, false, false, false, true, true]);
    const two = createLoopCheck(2);
    expect(two.completes(call({}), told(''))).toBeUndefined();
    expect(two.completes(call({}), told(''))).toBe(
      'loop detected: Read was called 2 times in a row with the same input and the same result. Try something else.',
    );
  });

  test.each([1, 0, -3, Number.NaN, 'five' as unknown as number])('a limit of %s is refused', (limit) => {
    expect(() => createLoopCheck(limit)).toThrow(RangeError);
  });

  test('the order of keys makes no other input, and blocks of the same content no other result', () => {
    const check = createLoopCheck(2);
    check.completes(call({ a: 1, b: { c: [1], d: 2 } }), told([{ type: 'text', text: 'x' }]));
    expect(
      check.completes(call({ b: { d: 2, c: [1] }, a: 1 }), told([{ text: 'x', type: 'text' }])),
    ).toBeDefined();
  });

  test.each<[string, ToolCall, ReturnType<typeof told>]>([
    ['another result', call({ a: 1 }), told('other')],
    ['an error with the same text', call({ a: 1 }), told('same', true)],
    ['another input', call({ a: 2 }), told('same')],
    ['another tool', call({ a: 1 }, 'Grep'), told('same')],
  ])('%s begins anew', (_name, other, result) => {
    const check = createLoopCheck(3);
    const same = () => check.completes(call({ a: 1 }), told('same'));
    same();
    same();
    expect(check.completes(other, result)).toBeUndefined();
    expect(check.goesOn(call({ a: 1 }))).toBeUndefined();
    expect([same(), same(), same() !== undefined]).toEqual([undefined, undefined, true]);
  });

  test('a call that would go on with a loop is known before it runs, and no other', () => {
    const check = createLoopCheck(2);
    for (let n = 0; n < 2; n++) {
      expect(check.goesOn(call({ a: 1 }))).toBeUndefined();
      check.completes(call({ a: 1 }), told('same'));
    }
    expect(check.goesOn(call({ a: 1 }))).toContain('loop detected');
    expect(check.goesOn(call({ a: 2 }))).toBeUndefined();
  });
});

/** Batches of one session, one after the other, each of them calls of `Read`; and how often the tool ran. */
async function session(batches: readonly ToolCall[][], options: DispatchOptions = {}) {
  let ran = 0;
  const outcomes = [];
  for (const batch of batches) {
    const { results, error, events } = await dispatched(
      batch,
      (clock) => [
        tool('Read', {
          async run({ ms }) {
            ran++;
            await nap(clock, Number(ms ?? 1));
            return 'same';
          },
        }),
      ],
      { onHardError: 'answer-all', ...options },
    );
    outcomes.push({ texts: results.map(({ content }) => content), error, events });
  }
  return { ran, outcomes };
}

const LOOP = /^loop detected: Read was called 5 times in a row/;

describe('a session of batches that share a check', () => {
  test('the fifth equal call ends with a hard error, and a further one is refused before it runs', async () => {
    const { ran, outcomes } = await session(
      Array.from({ length: 7 }, () => calls('Read(a)')),
      { loopCheck: createLoopCheck() },
    );
    expect(outcomes.slice(0, 4).map(({ texts }) => texts)).toEqual([['same'], ['same'], ['same'], ['same']]);
    for (const { texts, events } of outcomes.slice(4)) {
      expect(texts).toEqual([expect.stringMatching(LOOP)]);
      expect(events.at(-1)).toMatchObject({ type: 'run-aborted', by: 0 });
    }
    expect(ran).toBe(5);
  });

  test('in abort mode the batch rejects, and says which call it was', async () => {
    const { outcomes } = await session([calls('Read(a)', 'Read(a)', 'Read(b)')], {
      loopCheck: createLoopCheck(2),
      onHardError: 'abort',
    });
    expect(outcomes[0]!.error).toMatchObject({ code: 'BATCH_ABORTED', how: 'aborted', by: 1 });
  });

  test('another call in between is no loop, a refused one too', async () => {
    const batch = calls('Read(a)', 'Read(a)', 'Raed(a)', 'Read(a)', 'Read(a)');
    const { outcomes } = await session([batch, calls('Read(b)'), batch], { loopCheck: createLoopCheck(3) });
    expect(outcomes.map(({ texts }) => texts.filter((text) => text === 'same').length)).toEqual([4, 1, 4]);
  });

  test.each(STRATEGY_NAMES)('without a check %s runs the same call twelve times', async (strategy) => {
    const { ran, outcomes } = await session([calls(...new Array<string>(12).fill('Read(a)'))], { strategy });
    expect(ran).toBe(12);
    expect(outcomes[0]!.texts).toEqual(new Array<string>(12).fill('same'));
  });
});

describe('within one batch', () => {
  const equal = (n: number) => calls(...new Array<string>(n).fill('Read(a)'));

  test.each(STRATEGY_NAMES)(
    '%s: the fifth of eight equal calls ends it; no result counts twice',
    async (strategy) => {
      const { outcomes } = await session([equal(8)], {
        strategy,
        maxConcurrency: 1,
        loopCheck: createLoopCheck(),
      });
      const { texts } = outcomes[0]!;
      expect(texts.slice(0, 4)).toEqual(['same', 'same', 'same', 'same']);
      expect(texts[4]).toMatch(LOOP);
      const notRun = /^not run: call #5 ended the batch before this call started \(loop detected: /;
      for (const text of texts.slice(5)) expect(text).toMatch(notRun);
    },
  );

  test('calls count in request order, whatever the order in which they end', async () => {
    // a, b, a, a: never three in a row, though the three of `a` end one after the other.
    const batch = [3, 50, 4, 5].map((ms, n) => ({ id: `t${n}`, name: 'Read', input: n === 1 ? { ms } : {} }));
    const options = { strategy: 'batches', maxConcurrency: 4 } as const;
    const { outcomes } = await session([batch], { ...options, loopCheck: createLoopCheck(3) });
    expect(outcomes[0]!.texts).toEqual(['same', 'same', 'same', 'same']);

    // The same three in a row make a loop when the last of them is told, though that one ended first.
    const ends = [30, 20, 10];
    const { results, events } = await dispatched(
      calls('Read(a)', 'Read(a)', 'Read(a)', 'Read(b)'),
      (clock) => [tool('Read', { run: () => nap(clock, ends.shift() ?? 500).then(() => 'same') })],
      { ...options, onHardError: 'answer-all', loopCheck: createLoopCheck(3), graceMs: 1 },
    );
    expect(ofType(events, 'cancel-requested')[0]).toMatchObject({ t: 30, by: 2 });
    expect(results.slice(0, 3).map(({ content }) => content)).toEqual(['same', 'same', 'same']);
    expect(results[3]!.content).toContain('interrupted: loop detected');
  });
});

test('nested calls count too: a loop in a nested batch ends that batch', async () => {
  const { results } = await dispatched(
    calls('Parent', 'Leaf(b)'),
    (clock) => nestedTools(clock, { Parent: ['Leaf(a)', 'Leaf(a)', 'Leaf(a)', 'Leaf(a)'] }),
    { loopCheck: createLoopCheck(3) },
  );
  expect(results.map(({ content }) => content)).toEqual([
    'loop detected: Leaf was called 3 times in a row with the same input and the same result. Try something else.',
    'Leaf b',
  ]);
});
