/** What a person reads about a decision, word for word: by which rule a call came to its wave, and what was rejected. */
import { describe, expect, test } from 'vitest';
import type { Declared } from '../../../src/core/declare.ts';
import type { Access, StrategyName } from '../../../src/core/model.ts';
import { plan, planDeclared } from '../../../src/core/plan/plan.ts';
import { createRegistry } from '../../../src/core/tools.ts';
import { calls, designTools, tool } from './helpers.ts';

const six = calls('Read(a)', 'Read(b)', 'Edit(c)', 'Grep', 'Read(a)', 'Stat');

/** Each call's sentence, then those of the waves that were rejected. */
function told(batch: ReturnType<typeof calls>, strategy: StrategyName, tools = designTools) {
  return plan(batch, tools, { strategy }).decisions.map(({ reason, rejected }) => [
    reason,
    ...rejected.map((rejection) => rejection.reason),
  ]);
}

describe('first-fit says', () => {
  test('of the six calls of the design, why each went where it went', () => {
    expect(told(six, 'first-fit')).toEqual([
      ['Nothing exists yet: opens wave 1.'],
      ['Wave 1 is the earliest open wave that does not hold key file:b: joins it.'],
      ['Unsafe: runs alone in wave 2, which is born closed.'],
      ['Keyless: joins wave 1, the earliest open wave.'],
      [
        'No open wave is without key file:a: opens wave 3.',
        'Wave 1 holds key file:a: #1 has it.',
        'Wave 2 is closed: #3 is unsafe and runs alone.',
      ],
      ['Keyless: joins wave 1, the earliest open wave.'],
    ]);
  });

  test('who holds the key in each wave that was rejected, past closed waves and waves without the key', () => {
    const batch = calls(
      'Read(b)',
      'Edit(x)',
      'Read(b)',
      'Read(a)',
      'Edit(y)',
      'Read(a)',
      'Read(a)',
      'Read(b)',
    );
    expect(told(batch, 'first-fit').slice(5)).toEqual([
      [
        'Wave 3 is the earliest open wave that does not hold key file:a: joins it.',
        'Wave 1 holds key file:a: #4 has it.',
        'Wave 2 is closed: #2 is unsafe and runs alone.',
      ],
      [
        'No open wave is without key file:a: opens wave 5.',
        'Wave 1 holds key file:a: #4 has it.',
        'Wave 2 is closed: #2 is unsafe and runs alone.',
        'Wave 3 holds key file:a: #6 has it.',
        'Wave 4 is closed: #5 is unsafe and runs alone.',
      ],
      [
        'Wave 5 is the earliest open wave that does not hold key file:b: joins it.',
        'Wave 1 holds key file:b: #1 has it.',
        'Wave 2 is closed: #2 is unsafe and runs alone.',
        'Wave 3 holds key file:b: #3 has it.',
        'Wave 4 is closed: #5 is unsafe and runs alone.',
      ],
    ]);
  });

  test('nothing of the key of an unsafe call: it holds none, whatever it declares', () => {
    const keyed = (safe: boolean): Declared => ({ safe, key: 'a', accesses: [] });
    const { waves, decisions } = planDeclared([keyed(false), keyed(true), keyed(true)], 'first-fit');
    expect(waves).toEqual([[0], [1], [2]]);
    expect(decisions[2]!.rejected.map(({ reason }) => reason)).toEqual([
      'Wave 1 is closed: #1 is unsafe and runs alone.',
      'Wave 2 holds key a: #2 has it.',
    ]);
  });

  test('that no wave is open, to a safe call that comes after unsafe ones only', () => {
    expect(told(calls('Edit(x)', 'Grep'), 'first-fit')).toEqual([
      ['Unsafe: runs alone in wave 1, which is born closed.'],
      ['No wave is open: opens wave 2.', 'Wave 1 is closed: #1 is unsafe and runs alone.'],
    ]);
  });
});

test('batches says why a call continues, ends or begins a wave', () => {
  expect(told(six, 'batches')).toEqual([
    ['Nothing exists yet: opens wave 1.'],
    ['Safe, like the calls before it: continues wave 1.'],
    ['Unsafe: ends the batch before it and runs alone in wave 2.'],
    ['Safe after an unsafe call, which runs alone: opens wave 3.', 'Wave 2 is #3 alone: it is unsafe.'],
    ['Safe, like the calls before it: continues wave 3.'],
    ['Safe, like the calls before it: continues wave 3.'],
  ]);
});

test('sequential says that every call has its own wave', () => {
  expect(told(calls('Grep', 'Edit(x)'), 'sequential')).toEqual([['One call a wave.'], ['One call a wave.']]);
});

describe('dataflow says', () => {
  const touch = (...accesses: Access[]): Declared => ({ safe: true, accesses });
  const reasons = (...declarations: Declared[]) =>
    planDeclared(declarations, 'dataflow').decisions.map(({ reason }) => reason);

  test('whom a call waits for, and over what: the file that both touch, or everything', () => {
    expect(told(calls('Read(a)', 'Grep', 'Read(a)', 'Edit(c)', 'Edit(d)', 'Read(b)'), 'dataflow')).toEqual([
      ['Conflicts with no earlier call: starts at once.'],
      ['Conflicts with no earlier call: starts at once.'],
      ['Waits for #1 over file:a.'],
      ['Waits for #1 over file:a, #3 over file:a.'],
      ['Waits for #1 over file:a, #3 over file:a, #4 over everything.'],
      ['Waits for #4 over file:b, #5 over file:b.'],
    ]);
  });

  test('the earlier call’s resource where a folder and a file in it meet', () => {
    expect(
      reasons(touch({ resource: '/w/a', mode: 'write' }), touch({ resource: '/w', mode: 'read' }))[1],
    ).toBe('Waits for #1 over /w/a.');
  });

  test('five of the calls that it waits for, and that there are more', () => {
    const edit = touch({ resource: '/a', mode: 'write' });
    const sentences = reasons(edit, edit, edit, edit, edit, edit, edit);
    expect(sentences[5]).toBe(`Waits for ${[1, 2, 3, 4, 5].map((n) => `#${n} over /a`).join(', ')}.`);
    expect(sentences[6]).toBe(
      `Waits for ${[1, 2, 3, 4, 5].map((n) => `#${n} over /a`).join(', ')} and more.`,
    );
  });
});

test('the cause is told where a declaration failed, after the rule', () => {
  const tools = createRegistry([
    tool('Odd', {
      isSafeForConcurrentExecution() {
        throw new Error('no idea');
      },
    }),
  ]);
  expect(told(calls('Odd'), 'first-fit', tools)).toEqual([
    [
      'Unsafe: runs alone in wave 1, which is born closed. Counted as unsafe: isSafeForConcurrentExecution threw: no idea',
    ],
  ]);
});

describe('a decision', () => {
  test.each<[StrategyName, boolean[]]>([
    ['sequential', [false, false, true, false, false, false]],
    ['batches', [false, false, true, false, false, false]],
    ['first-fit', [false, false, true, false, false, false]],
    ['dataflow', [false, false, false, false, false, false]],
  ])('under %s says whether its wave takes others: only an unsafe call closes one', (strategy, closed) => {
    const { decisions } = plan(six, designTools, { strategy });
    expect(decisions.map(({ waveClosed }) => waveClosed)).toEqual(closed);
  });

  test.each<[StrategyName, number[]]>([
    ['sequential', [0, 0, 0, 0, 0, 0]],
    ['batches', [0, 0, 0, 1, 0, 0]],
    ['first-fit', [0, 0, 0, 0, 2, 0]],
    ['dataflow', [0, 0, 0, 0, 0, 0]],
  ])(
    'under %s counts the waves that were rejected, and lists as many of them as are asked for',
    (strategy, counts) => {
      const { decisions } = plan(six, designTools, { strategy });
      expect(decisions.map(({ rejectedCount }) => rejectedCount)).toEqual(counts);
      for (const limit of [0, 1, 2]) {
        expect(decisions.map((decision) => decision.rejectedUpTo(limit).length)).toEqual(
          counts.map((count) => Math.min(count, limit)),
        );
      }
    },
  );

  test('lists as many of the calls that it waits for as are asked for, the earliest first', () => {
    const { decisions } = plan(calls('Edit(a)', 'Edit(b)', 'Edit(c)', 'Edit(d)'), designTools, {
      strategy: 'dataflow',
    });
    expect([0, 1, 2, 5].map((limit) => decisions[3]!.waitsForUpTo(limit))).toEqual([
      [],
      [0],
      [0, 1],
      [0, 1, 2],
    ]);
  });

  test('where a strategy knows waves only, waits for nobody', () => {
    for (const strategy of ['sequential', 'batches', 'first-fit'] as const) {
      for (const decision of plan(six, designTools, { strategy }).decisions)
        expect(decision.waitsFor).toEqual([]);
    }
  });
});

test('a plan says by which strategy it was made; one call after the other when nobody chose', () => {
  for (const strategy of ['sequential', 'batches', 'first-fit', 'dataflow'] as const)
    expect(plan(six, designTools, { strategy }).strategy).toBe(strategy);
  expect(plan(six, designTools).strategy).toBe('sequential');
});
