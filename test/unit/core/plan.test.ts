import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Declared } from '../../../src/core/declare.ts';
import { plan, planDeclared } from '../../../src/core/plan/plan.ts';
import { calls, designTools } from './helpers.ts';

const six = calls('Read(a)', 'Read(b)', 'Edit(c)', 'Grep', 'Read(a)', 'Stat');
const shown = (waves: readonly (readonly number[])[]) => waves.map((wave) => wave.map((call) => call + 1));

describe('first-fit', () => {
  test('places the six calls of the design by the rules of its table', () => {
    const { strategy, waves, decisions } = plan(six, designTools, { strategy: 'first-fit' });
    expect(strategy).toBe('first-fit');
    expect(shown(waves)).toEqual([[1, 2, 4, 6], [3], [5]]);
    expect(
      decisions.map(({ call, wave, safe, key, rule, opened }) => [call, wave, safe, key, rule, opened]),
    ).toEqual([
      [0, 0, true, 'file:a', 'R5', true],
      [1, 0, true, 'file:b', 'R2', false],
      [2, 1, false, undefined, 'R4', true],
      [3, 0, true, undefined, 'R1', false],
      [4, 2, true, 'file:a', 'R5', true],
      [5, 0, true, undefined, 'R1', false],
    ]);
    expect(decisions.map(({ rejected }) => rejected.map(({ wave, rule }) => [wave, rule]))).toEqual([
      [],
      [],
      [],
      [],
      [
        [0, 'R2'],
        [1, 'R3'],
      ],
      [],
    ]);
    expect(decisions[4]!.rejected[0]!.reason).toContain('#1');
    expect(decisions[4]!.rejected[1]!.reason).toContain('#3');
  });

  test('a decision as JSON has every field of the contract', () => {
    const [first] = plan(six, designTools, { strategy: 'first-fit' }).decisions;
    expect(JSON.parse(JSON.stringify(first))).toEqual({
      call: 0,
      wave: 0,
      safe: true,
      key: 'file:a',
      accesses: [{ resource: 'file:a', mode: 'write' }],
      rule: 'R5',
      reason: 'Nothing exists yet: opens wave 1.',
      rejected: [],
      waitsFor: [],
    });
  });

  test('packs the second read of a file before its edit, as published', () => {
    const { waves } = plan(calls('Read(a)', 'Edit(a)', 'Grep'), designTools, { strategy: 'first-fit' });
    expect(shown(waves)).toEqual([[1, 3], [2]]);
  });

  test('equals an independent naive implementation on 10,000 random batches, rejected waves included', () => {
    fc.assert(
      fc.property(fc.array(randomDeclaration, { maxLength: 40 }), (declarations) => {
        const { waves, decisions } = planDeclared(declarations, 'first-fit');
        const naive = naiveFirstFit(declarations);
        expect(waves).toEqual(naive.waves);
        for (const [index, decision] of decisions.entries()) {
          expect([decision.wave, decision.rule, decision.opened]).toEqual(naive.decisions[index]!.placed);
          expect(decision.rejected.map(({ wave, rule }) => [wave, rule])).toEqual(
            naive.decisions[index]!.rejected,
          );
          expect(decision.rejectedCount).toBe(decision.rejected.length);
          for (const { wave, rule, reason } of decision.rejected) {
            if (rule !== 'R2') continue;
            const holder = Number(/#(\d+)/.exec(reason)![1]) - 1;
            expect(waves[wave]).toContain(holder);
            expect(declarations[holder]!.key).toBe(declarations[index]!.key);
            expect(holder).toBeLessThan(index);
          }
        }
      }),
      { numRuns: 10_000 },
    );
  }, 120_000);
});

describe('batches', () => {
  test('keeps consecutive safe calls together and ignores keys', () => {
    const { waves, decisions } = plan(six, designTools, { strategy: 'batches' });
    expect(shown(waves)).toEqual([[1, 2], [3], [4, 5, 6]]);
    expect(decisions.map(({ rule }) => rule)).toEqual(['R5', 'R12', 'R13', 'R5', 'R12', 'R12']);
    expect(decisions[3]!.rejected.map(({ wave, rule }) => [wave, rule])).toEqual([[1, 'R13']]);
  });

  test('plans the four calls of the design as 1 2 / 3 / 4', () => {
    const four = calls('Read(auth)', 'Read(login)', 'Edit(auth)', 'Read(session)');
    expect(shown(plan(four, designTools, { strategy: 'batches' }).waves)).toEqual([[1, 2], [3], [4]]);
  });

  test('case 8: safe, safe, unsafe, safe are exactly three waves, and the fourth is never hoisted', () => {
    const { waves } = plan(calls('Grep', 'Stat', 'Edit(x)', 'Grep'), designTools, { strategy: 'batches' });
    expect(shown(waves)).toEqual([[1, 2], [3], [4]]);
  });
});

describe('dataflow', () => {
  test('levels are one more than the longest chain of conflicts before a call, and nobody waits for others', () => {
    const batch = calls('Read(a)', 'Read(a)', 'Edit(c)', 'Grep', 'Read(b)');
    const { waves, decisions } = plan(batch, designTools, { strategy: 'dataflow' });
    // Read has the key as its access, so two reads of one file conflict; Grep declares nothing at all.
    expect(shown(waves)).toEqual([[1, 4], [2], [3], [5]]);
    expect(decisions.map(({ waitsFor }) => waitsFor)).toEqual([[], [0], [0, 1], [], [2]]);
    expect(decisions.map(({ rule }) => rule)).toEqual(['R14', 'R14', 'R14', 'R14', 'R14']);
    expect(decisions[1]!.reason).toBe('Waits for #1 over file:a.');
    expect(decisions[4]!.reason).toBe('Waits for #3 over file:b.');
  });
});

test('sequential gives each call its own wave', () => {
  const { waves, decisions } = plan(six, designTools, { strategy: 'sequential' });
  expect(shown(waves)).toEqual([[1], [2], [3], [4], [5], [6]]);
  expect(decisions.every(({ rule }) => rule === 'R15')).toBe(true);
});

test('every strategy places each call once, and a plan is the same each time', () => {
  fc.assert(
    fc.property(
      fc.array(randomDeclaration, { maxLength: 60 }),
      fc.constantFrom('sequential' as const, 'batches' as const, 'first-fit' as const, 'dataflow' as const),
      (declarations, strategy) => {
        const planned = planDeclared(declarations, strategy);
        expect(planned.waves.flat().sort((a, b) => a - b)).toEqual(declarations.map((_, call) => call));
        for (const { call, wave } of planned.decisions) expect(planned.waves[wave]).toContain(call);
        expect(JSON.stringify(planDeclared(declarations, strategy))).toBe(JSON.stringify(planned));
      },
    ),
  );
});

test('no calls are an empty plan; an unknown strategy is refused with the names that exist', () => {
  expect(plan([], designTools, { strategy: 'first-fit' })).toMatchObject({ waves: [], decisions: [] });
  expect(() => plan([], designTools, { strategy: 'firstfit' as never })).toThrow(
    'Unknown strategy "firstfit". Use one of: sequential, batches, first-fit, dataflow.',
  );
});

const randomDeclaration: fc.Arbitrary<Declared> = fc
  .record({
    safe: fc.boolean(),
    key: fc.option(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'), { nil: undefined }),
  })
  .map(({ safe, key }) => ({ safe, ...(safe && key !== undefined && { key }), accesses: [] }));

/** The published rules read literally: look at every wave, in order, each time. */
function naiveFirstFit(declarations: readonly Declared[]) {
  const waves: { members: number[]; open: boolean; keys: Set<string> }[] = [];
  const decisions = declarations.map(({ safe, key }, call) => {
    const rejected: [number, string][] = [];
    if (!safe) {
      waves.push({ members: [call], open: false, keys: new Set() });
      return { placed: [waves.length - 1, 'R4', true], rejected };
    }
    for (const [index, wave] of waves.entries()) {
      if (!wave.open) rejected.push([index, 'R3']);
      else if (key !== undefined && wave.keys.has(key)) rejected.push([index, 'R2']);
      else {
        wave.members.push(call);
        if (key !== undefined) wave.keys.add(key);
        return { placed: [index, key === undefined ? 'R1' : 'R2', false], rejected };
      }
    }
    waves.push({ members: [call], open: true, keys: new Set(key === undefined ? [] : [key]) });
    return { placed: [waves.length - 1, 'R5', true], rejected };
  });
  return { waves: waves.map(({ members }) => members), decisions };
}
