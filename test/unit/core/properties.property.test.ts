/** What holds of every plan, whatever the calls declare; and who waits for whom, on resources of any depth and spelling. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Access, StrategyName, ToolCall } from '../../../src/core/model.ts';
import { createConflictGraph } from '../../../src/core/plan/graph.ts';
import { plan } from '../../../src/core/plan/plan.ts';
import { RULES } from '../../../src/core/plan/rules.ts';
import { STRATEGY_NAMES } from '../../../src/core/plan/strategies.ts';
import { conflict, covers } from '../../../src/core/resources.ts';
import { createRegistry } from '../../../src/core/tools.ts';
import { tool } from './helpers.ts';

/** Names that are prefixes of each other, and names that every object has. */
const name = fc.constantFrom('app', 'app-evil', 'a', '__proto__', 'constructor', '.', 'é');
const top = fc.constantFrom('file://', 'file://', 'file://', '/', 'memfs://', '');

interface Touch extends Access {
  /** The resource taken apart: what stands at the top, then one name a folder. None for `*`. */
  readonly path: readonly string[];
}

/** Accesses up to ten folders deep; below one trunk, so that they meet. */
const touches: fc.Arbitrary<Touch[][]> = fc
  .record({
    trunk: fc.array(name, { maxLength: 7 }),
    calls: fc.array(
      fc.array(
        fc.record({
          everything: fc.nat(11).map((n) => n === 0),
          top,
          along: fc.nat(7),
          own: fc.array(name, { minLength: 1, maxLength: 3 }),
          doubled: fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }),
          mode: fc.constantFrom('read' as const, 'read' as const, 'write' as const),
        }),
        { maxLength: 3 },
      ),
      { maxLength: 14 },
    ),
  })
  .map(({ trunk, calls }) =>
    calls.map((list) =>
      list.map(({ everything, top, along, own, doubled, mode }) => {
        if (everything) return { path: [], resource: '*', mode };
        const names = [...trunk.slice(0, along), ...own];
        return { path: [top, ...names], resource: spelled(top, names, doubled), mode };
      }),
    ),
  );

/** One of the ways to write a resource: slashes doubled here and there, one at the end or none. */
function spelled(top: string, names: readonly string[], doubled: readonly boolean[]): string {
  const slash = (at: number) => (doubled[at % doubled.length] ? '//' : '/');
  const text = names.map((one, at) => (at === 0 ? one : slash(at) + one)).join('');
  const start = top === '' ? '' : top === '/' ? slash(0) : top + slash(0);
  return start + text + (doubled[names.length % doubled.length] ? '/' : '');
}

/** The reference: by the parts that a resource was made of, and not by its letters. */
function mayNotOverlap(one: Touch, other: Touch): boolean {
  const shared = Math.min(one.path.length, other.path.length);
  const related = one.path.slice(0, shared).every((part, at) => part === other.path[at]);
  return related && (one.mode === 'write' || other.mode === 'write');
}

const accessesOf = (list: readonly Touch[]): Access[] =>
  list.map(({ resource, mode }) => ({ resource, mode }));

test('two accesses conflict by their folders, whatever their depth and spelling', () => {
  fc.assert(
    fc.property(touches, (calls) => {
      const all = calls.flat();
      for (const one of all) {
        for (const other of all) {
          expect(conflict(one, other)).toBe(mayNotOverlap(one, other));
          const over = one.path.every((part, at) => part === other.path[at]);
          expect(covers(one.resource, other.resource)).toBe(over);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('dataflow waits for exactly the earlier calls that conflict, however deep their files lie and are spelled', () => {
  const registry = createRegistry([tool('it', { accesses: ({ accesses }) => accesses as Access[] })]);
  fc.assert(
    fc.property(touches, (calls) => {
      const batch = calls.map((list, index) => ({
        id: `t${index}`,
        name: 'it',
        input: { accesses: accessesOf(list) },
      }));
      const { decisions, waves } = plan(batch, registry, { strategy: 'dataflow' });
      const level: number[] = [];
      for (const [call, own] of calls.entries()) {
        const before = [...calls.keys()].filter(
          (earlier) =>
            earlier < call && own.some((one) => calls[earlier]!.some((other) => mayNotOverlap(one, other))),
        );
        level[call] = Math.max(-1, ...before.map((earlier) => level[earlier]!)) + 1;
        expect(decisions[call]!.waitsFor).toEqual(before);
        expect(decisions[call]!.wave).toBe(level[call]);
        expect(waves[level[call]!]).toContain(call);
      }
      // What the dispatcher walks along says the same as what people read.
      const graph = createConflictGraph();
      const nodes = calls.map((call) => graph.add(accessesOf(call)));
      const through = graph.waits.map(() => new Set<number>());
      for (const [node, waits] of graph.waits.entries()) {
        for (const next of waits) for (const one of [next, ...through[next]!]) through[node]!.add(one);
      }
      const reached = nodes.map(
        (node) => new Set([...through[node]!].flatMap((one) => graph.calls[one] ?? [])),
      );
      for (const [call, { waitsFor }] of decisions.entries()) {
        for (const earlier of waitsFor) expect(reached[call]!.has(earlier)).toBe(true);
        for (const earlier of reached[call]!) {
          expect(level[earlier]).toBeLessThan(level[call]!);
        }
      }
    }),
    { numRuns: 1500 },
  );
});

/** Calls of every kind: safe or not, keyed or not, with accesses or without, with declarations that fail, unknown. */
const batches: fc.Arbitrary<ToolCall[]> = fc
  .tuple(
    touches,
    fc.array(
      fc.record({
        name: fc.constantFrom('it', 'it', 'it', 'nobody'),
        safe: fc.constantFrom(true, true, true, false, 'yes'),
        key: fc.option(fc.constantFrom('k', 'l', '__proto__', ''), { nil: undefined }),
        listed: fc.boolean(),
      }),
      { maxLength: 14 },
    ),
  )
  .map(([accesses, calls]) =>
    calls.map(({ name, listed, ...input }, index) => ({
      id: `t${index}`,
      name,
      input: { ...input, ...(listed && { accesses: accessesOf(accesses[index] ?? []) }) },
    })),
  );

const registry = createRegistry([
  tool('it', {
    isSafeForConcurrentExecution: ({ safe }) => safe as boolean,
    resourceKey: ({ key }) => key as string | undefined,
    accesses: ({ accesses }) => accesses as Access[] | undefined,
  }),
]);

test.each(STRATEGY_NAMES)('%s: waves and decisions hold every call once and tell one story', (strategy) => {
  fc.assert(
    fc.property(batches, (calls) => {
      const { waves, decisions } = plan(calls, registry, { strategy });
      expect(decisions.map(({ call }) => call)).toEqual(calls.map((_, index) => index));
      // In the order of the calls, each in the wave of its decision: nothing else is left for the waves to say.
      const told: number[][] = [];
      for (const { call, wave } of decisions) {
        told[wave] ??= [];
        told[wave].push(call);
      }
      expect(waves).toEqual(told);

      for (const decision of decisions) {
        const { call, wave, opened, waveClosed, rejected, waitsFor, reason, rule } = decision;
        expect(opened).toBe(waves[wave]![0] === call);
        if (waveClosed) expect(waves[wave]).toEqual([call]);
        if (strategy !== 'dataflow' && !decision.safe) expect(waves[wave]).toEqual([call]);
        expect(RULES).toHaveProperty(rule);
        expect(reason).not.toBe('');
        expect(new Set(rejected.map((one) => one.wave)).size).toBe(rejected.length);
        expect(decision.rejectedCount).toBe(rejected.length);
        for (const one of rejected) expect(one.wave).toBeLessThan(wave);
        for (const earlier of waitsFor) expect(decisions[earlier]!.wave).toBeLessThan(wave);
        expect(decision.rejectedUpTo(2)).toEqual(rejected.slice(0, 2));
        expect(decision.waitsForUpTo(2)).toEqual(waitsFor.slice(0, 2));
      }
    }),
    { numRuns: 500 },
  );
});

test('planning is pure: it changes nothing it is given, and nothing that was planned or read before changes a plan', () => {
  fc.assert(
    fc.property(batches, batches, fc.constantFrom(...STRATEGY_NAMES), (calls, others, strategy) => {
      const first = plan(deepFrozen(calls), registry, { strategy });
      const shown = JSON.stringify(first);
      plan(others, registry, { strategy });
      const second = plan(structuredClone(calls), registry, { strategy });
      // Sentences and lists are made when somebody reads them: here from the last to the first.
      const backwards = [...second.decisions].reverse().map((decision) => decision.toJSON());
      expect({ ...second, decisions: backwards.reverse() }).toEqual({
        ...first,
        decisions: first.decisions.map((decision) => decision.toJSON()),
      });
      expect(JSON.stringify(second)).toBe(shown);
      expect(JSON.stringify(first)).toBe(shown);
    }),
    { numRuns: 500 },
  );
});

test('a plan of some calls is the beginning of the plan of more: no later call changes where an earlier one went', () => {
  const placed = (calls: readonly ToolCall[], strategy: StrategyName) =>
    plan(calls, registry, { strategy }).decisions.map(({ wave, rule, waitsFor }) => ({
      wave,
      rule,
      waitsFor,
    }));
  fc.assert(
    fc.property(batches, fc.nat(14), fc.constantFrom(...STRATEGY_NAMES), (calls, length, strategy) => {
      expect(placed(calls.slice(0, length), strategy)).toEqual(placed(calls, strategy).slice(0, length));
    }),
    { numRuns: 500 },
  );
});

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFrozen(inner);
    Object.freeze(value);
  }
  return value;
}
