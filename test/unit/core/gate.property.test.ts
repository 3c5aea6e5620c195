/** Random batches at random times on one gate: what conflicts never overlaps, and nobody waits for ever or for nothing. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Access } from '../../../src/core/model.ts';
import { firstConflict } from '../../../src/core/resources.ts';
import { nap } from './helpers.ts';
import { createWorld, type PlannedBatch, type PlannedCall, plannedBatches, type World } from './world.ts';
import { checkBatches, checkGateIsEmpty, checkOverlaps, checkPermits } from './worldChecks.ts';

interface Given {
  readonly batch: PlannedBatch;
  readonly startsAt: number;
  readonly maxConcurrency: number;
  readonly cancelAfter: number | undefined;
  readonly timeoutMs: number | undefined;
}

const ends = ['ok', 'ok', 'ok', 'soft', 'throw', 'hard', 'unknown'] as const;
const givens = (depth: number, size: number): fc.Arbitrary<Given[]> =>
  fc.array(
    fc.record({
      batch: plannedBatches(depth, size, ends),
      startsAt: fc.nat(80),
      maxConcurrency: fc.integer({ min: 1, max: 5 }),
      cancelAfter: fc.option(fc.nat(150), { nil: undefined }),
      timeoutMs: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined, freq: 1 }),
    }),
    { minLength: 2, maxLength: 4 },
  );

/** The clock throws when nothing is left to happen and a batch still waits: a deadlock. */
async function together(all: readonly Given[]): Promise<World> {
  const world = createWorld();
  const { clock } = world;
  const runs = all.map(async ({ batch, startsAt, maxConcurrency, cancelAfter, timeoutMs }, index) => {
    await nap(clock, startsAt);
    const cancel = new AbortController();
    if (cancelAfter !== undefined) clock.after(cancelAfter, () => cancel.abort());
    await world.run('ABCD'[index]!, batch, {
      maxConcurrency,
      signal: cancel.signal,
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
  });
  await clock.runUntil(Promise.all(runs));
  return world;
}

test('calls of different batches that conflict never overlap, nested ones included; all batches end and leave the gate empty', async () => {
  await fc.assert(
    fc.asyncProperty(givens(2, 4), async (all) => {
      const world = await together(all);
      checkBatches(world);
      checkPermits(world);
      // A tool over its limit winds down after its call has ended; no other here outlives its call.
      if (all.every(({ timeoutMs }) => timeoutMs === undefined)) checkOverlaps(world, true);
      checkOverlaps(world, false);
      for (const { batch, event } of world.moments) {
        if (event?.type !== 'gate-waiting') continue;
        expect(/"(.*)\/\d+"/.exec(event.behind)![1]).not.toBe(batch);
      }
      await checkGateIsEmpty(world);
    }),
    { numRuns: 200 },
  );
}, 120_000);

/** A call as the gate saw it. */
interface Visit {
  readonly batch: string;
  readonly accesses: readonly Access[];
  readonly arrived: number;
  startedAt?: number;
  endedAt?: number;
  waited?: true;
}

function visitsOf({ moments }: World): Visit[] {
  const declared = new Map<string, readonly Access[]>();
  const visits = new Map<string, Visit>();
  for (const [order, { batch, at, event }] of moments.entries()) {
    if (!event || !('call' in event)) continue;
    const path = `${batch}/${event.call}`;
    if (event.type === 'call-declared') declared.set(path, event.accesses);
    if (event.type === 'permit-taken') {
      visits.set(path, { batch, accesses: declared.get(path)!, arrived: order });
    }
    const visit = visits.get(path);
    if (!visit) continue;
    if (event.type === 'gate-waiting') visit.waited = true;
    if (event.type === 'call-started') visit.startedAt = at;
    if (event.type === 'call-ended') visit.endedAt = at;
  }
  return [...visits.values()];
}

test('first come, first served: a call starts the moment the last that came before it and conflicts has ended, and waits for nobody else', async () => {
  let waits = 0;
  await fc.assert(
    fc.asyncProperty(givens(0, 6), async (all) => {
      const world = await together(all);
      const visits = visitsOf(world);
      for (const visit of visits) {
        const { moments } = world;
        const arrivedAt = moments[visit.arrived]!.at;
        const before = visits.filter(
          ({ batch, accesses, arrived }) =>
            batch !== visit.batch && arrived < visit.arrived && firstConflict(accesses, visit.accesses),
        );
        if (visit.startedAt === undefined) continue; // cancelled while it waited
        const free = Math.max(arrivedAt, ...before.map(({ endedAt }) => endedAt!));
        expect(visit.startedAt).toBe(free);
        if (visit.waited) waits++;
        if (free > arrivedAt) expect(visit.waited).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
  expect(waits).toBeGreaterThan(100);
}, 120_000);

test('a batch alone never waits at its gate, however its calls conflict', async () => {
  await fc.assert(
    fc.asyncProperty(givens(0, 8), async ([one]) => {
      const world = await together([one!]);
      expect(world.moments.filter(({ event }) => event?.type === 'gate-waiting')).toEqual([]);
    }),
    { numRuns: 200 },
  );
}, 120_000);

/** A call that writes `needs` and, while it holds them, dispatches the batches of its children. */
const writer = (ms: number, needs: readonly number[], ...children: PlannedCall[][]): PlannedCall => ({
  ms,
  ends: 'ok',
  safe: true,
  accesses: needs.map((need) => ({ resource: `file:${need}`, mode: 'write' as const })),
  batches: children.map((calls) => ({ calls, strategy: 'batches', onHardError: 'answer-all' })),
});

test('parents whose children want what other parents hold: what would close a circle is refused, and all batches end', async () => {
  const need = fc.nat(3);
  const ms = fc.nat(3);
  const leaf = fc.tuple(ms, need).map(([time, one]) => writer(time, [one]));
  const child = fc
    .tuple(ms, fc.option(need), fc.array(leaf, { maxLength: 2 }))
    .map(([time, one, leaves]) => writer(time, one === null ? [] : [one], leaves));
  const parents = fc.array(fc.tuple(ms, need, fc.array(child, { minLength: 1, maxLength: 3 })), {
    minLength: 2,
    maxLength: 4,
  });
  let refused = 0;
  let waited = 0;
  await fc.assert(
    fc.asyncProperty(parents, async (random) => {
      const all = random.map(
        ([time, one, children]): Given => ({
          batch: { calls: [writer(time, [one], children)], strategy: 'sequential', onHardError: 'abort' },
          startsAt: 0,
          maxConcurrency: 2,
          cancelAfter: undefined,
          timeoutMs: undefined,
        }),
      );
      const world = await together(all);
      checkBatches(world);
      checkOverlaps(world, true);
      await checkGateIsEmpty(world);
      for (const { event } of world.moments) {
        if (event?.type === 'call-ended' && event.error?.includes('of another batch holds')) refused++;
        if (event?.type === 'gate-waiting') waited++;
      }
    }),
    { numRuns: 120 },
  );
  expect(refused).toBeGreaterThan(10);
  expect(waited).toBeGreaterThan(100);
});
