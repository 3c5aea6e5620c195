/** Random trees of batches: no cap deadlocks, no permit is held twice, and no more calls work than the cap allows. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { STRATEGY_NAMES } from '../../../src/core/plan/strategies.ts';
import { createWorld, type PlannedBatch, type PlannedCall, plannedBatches, type World } from './world.ts';
import { checkBatches, checkGateIsEmpty, checkOverlaps, checkPermits } from './worldChecks.ts';

/** The most tools that worked at once; one that waits for batches of its own does not work. */
function mostWorking({ moments }: World): number {
  const working = new Set<string>();
  const nested = new Map<string, number>();
  let most = 0;
  for (const { batch, event, tool } of moments) {
    if (tool?.does === 'begin') working.add(`${batch}/${tool.call}`);
    if (tool?.does === 'end') working.delete(`${batch}/${tool.call}`);
    const dot = batch.lastIndexOf('.');
    const change = event?.type === 'batch-received' ? 1 : event?.type.match(/^run-(ended|aborted)$/) ? -1 : 0;
    if (dot > 0 && change !== 0) {
      const parent = batch.slice(0, dot);
      const running = (nested.get(parent) ?? 0) + change;
      nested.set(parent, running);
      if (running === 1 && change === 1) working.delete(parent);
      if (running === 0) working.add(parent);
    }
    most = Math.max(most, working.size);
  }
  return most;
}

const ends = ['ok', 'ok', 'soft', 'throw', 'hard', 'unknown'] as const;

test('case 6: whatever dispatches whatever under whatever cap, all ends, and no more calls work than there are permits', async () => {
  let deepest = 0;
  let busiest = 0;
  await fc.assert(
    fc.asyncProperty(
      plannedBatches(3, 5, ends),
      fc.integer({ min: 1, max: 4 }),
      async (batch, maxConcurrency) => {
        const world = createWorld();
        await world.clock.runUntil(world.run('A', batch, { maxConcurrency }));
        checkBatches(world);
        checkPermits(world);
        checkOverlaps(world, true);
        const working = mostWorking(world);
        expect(working).toBeLessThanOrEqual(Math.min(maxConcurrency, batch.calls.length));
        busiest = Math.max(busiest, working);
        for (const { batch: path } of world.moments) deepest = Math.max(deepest, path.split('.').length);
        await checkGateIsEmpty(world);
      },
    ),
    { numRuns: 600 },
  );
  expect([deepest, busiest]).toEqual([4, 4]);
}, 120_000);

test('case 6: permits come back once when calls of the tree are over their limit, deaf or cancelled', async () => {
  const all = [...ends, 'never', 'deaf'] as const;
  await fc.assert(
    fc.asyncProperty(
      plannedBatches(2, 5, all),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 80 }),
      fc.nat(300),
      fc.nat(50),
      async (batch, maxConcurrency, timeoutMs, cancelAt, graceMs) => {
        const world = createWorld();
        const cancel = new AbortController();
        world.clock.after(cancelAt, () => cancel.abort());
        const { signal } = cancel;
        await world.clock.runUntil(world.run('A', batch, { maxConcurrency, timeoutMs, graceMs, signal }));
        checkBatches(world);
        checkPermits(world);
        checkOverlaps(world, false);
        await checkGateIsEmpty(world);
      },
    ),
    { numRuns: 600 },
  );
}, 120_000);

test('case 6: parents of one batch whose children want what other parents hold all end, whatever waits for whose permit', async () => {
  const resource = fc.constantFrom('w', 'x', 'y', 'z');
  const writes = (resources: readonly string[]) =>
    resources.map((one) => ({ resource: one, mode: 'write' as const }));
  const child = fc
    .record({ ms: fc.nat(3), needs: fc.array(resource, { maxLength: 1 }) })
    .map(
      ({ ms, needs }): PlannedCall => ({ ms, ends: 'ok', safe: true, accesses: writes(needs), batches: [] }),
    );
  const batch = fc.record({
    calls: fc.array(child, { minLength: 1, maxLength: 3 }),
    strategy: fc.constantFrom(...STRATEGY_NAMES),
    onHardError: fc.constant('answer-all' as const),
  });
  const parent = fc.record({ ms: fc.nat(3), needs: resource, batches: fc.array(batch, { maxLength: 3 }) });
  const parents = fc.array(parent, { minLength: 2, maxLength: 4 });
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(parents, fc.integer({ min: 1, max: 4 }), async (random, maxConcurrency) => {
      const world = createWorld();
      const calls = random.map(
        ({ ms, needs, batches }): PlannedCall => ({
          ms,
          ends: 'ok',
          safe: true,
          accesses: writes([needs]),
          batches,
        }),
      );
      const all: PlannedBatch = { calls, strategy: 'batches', onHardError: 'answer-all' };
      await world.clock.runUntil(world.run('A', all, { maxConcurrency }));
      checkBatches(world);
      checkPermits(world);
      await checkGateIsEmpty(world);
      for (const { event } of world.moments) {
        if (event?.type === 'call-ended' && event.error?.includes('of another batch holds')) refused++;
      }
    }),
    { numRuns: 300 },
  );
  expect(refused).toBeGreaterThan(10);
});
