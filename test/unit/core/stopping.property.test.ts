/** A batch that is stopped at any moment, by anybody, with everything else going on: what holds all the same. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Hooks } from '../../../src/core/dispatch/hooks.ts';
import { createLoopCheck } from '../../../src/core/dispatch/loops.ts';
import { HardError } from '../../../src/core/errors.ts';
import type { EventType } from '../../../src/core/events.ts';
import { nap, seededRandom } from './helpers.ts';
import { createWorld, type PlannedBatch, plannedBatches, type World } from './world.ts';
import {
  checkBatches,
  checkGateIsEmpty,
  checkNothingStartsLate,
  checkOverlaps,
  checkPermits,
} from './worldChecks.ts';

/** Where a batch is stopped: inside the nth event of a type, or the nth time a tool, a hook or the resolver is asked. */
const EVENTS: readonly EventType[] = [
  'batch-received',
  'call-declared',
  'decision-made',
  'run-started',
  'wave-started',
  'call-queued',
  'permit-taken',
  'gate-waiting',
  'call-started',
  'call-ended',
  'permit-returned',
  'slot-filled',
  'wave-ended',
  'run-ended',
];
const stop = fc.oneof(
  fc.constant('before' as const),
  fc.record({ at: fc.nat(200) }),
  fc.record({
    point: fc.constantFrom<string>(...EVENTS, 'tool', 'before-hook', 'after-hook', 'resolve'),
    nth: fc.nat(8),
  }),
);

const options = fc.record({
  maxConcurrency: fc.integer({ min: 1, max: 5 }),
  graceMs: fc.nat(40),
  runTimeoutMs: fc.integer({ min: 1, max: 500 }), // what hangs, hangs no longer than this
  timeoutMs: fc.option(fc.nat(120), { nil: undefined }),
  stopWaitingAt: fc.option(fc.nat(250), { nil: undefined }),
  hooks: fc.boolean(),
  resolves: fc.boolean(),
  loopCheck: fc.boolean(),
  seed: fc.nat(),
});
type Options = typeof options extends fc.Arbitrary<infer T> ? T : never;

/** Hooks that wait, block, throw, end the batch or never answer, each now and then. */
function hooksOf({ clock }: World, random: () => number, poke: (point: string) => void): Hooks {
  return {
    async before() {
      poke('before-hook');
      const choice = random();
      if (choice < 0.5) await nap(clock, Math.floor(random() * 20));
      if (choice > 0.97) await new Promise(() => {});
      if (choice > 0.94) throw new HardError('the hook says no more');
      if (choice > 0.9) throw new Error('no way');
      return choice > 0.85 ? { block: 'blocked' } : undefined;
    },
    async after() {
      poke('after-hook');
      const choice = random();
      if (choice < 0.5) await nap(clock, Math.floor(random() * 20));
      if (choice > 0.97) await new Promise(() => {});
      if (choice > 0.94) throw new HardError('the hook says no more');
      if (choice > 0.9) throw new Error('logged');
    },
  };
}

async function stopped(
  batches: readonly PlannedBatch[],
  when: typeof stop extends fc.Arbitrary<infer T> ? T : never,
  given: Options,
) {
  const { hooks, resolves, loopCheck, seed, stopWaitingAt, timeoutMs, ...limits } = given;
  const cancel = new AbortController();
  const stopWaiting = new AbortController();
  let left = typeof when === 'object' && 'nth' in when ? when.nth : 0;
  const poke = (point: string) => {
    if (typeof when === 'object' && 'point' in when && when.point === point && left-- === 0) cancel.abort();
  };
  const world = createWorld(poke);
  const { clock } = world;
  const random = seededRandom(seed);
  if (when === 'before') cancel.abort();
  else if ('at' in when) clock.after(when.at, () => cancel.abort());
  if (stopWaitingAt !== undefined) clock.after(stopWaitingAt, () => stopWaiting.abort());
  const runs = batches.map((batch, index) =>
    world.run('AB'[index]!, batch, {
      ...limits,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(index === 0 && { signal: cancel.signal, stopWaiting: stopWaiting.signal }),
      ...(hooks && { hooks: hooksOf(world, random, poke) }),
      ...(loopCheck && { loopCheck: createLoopCheck(2) }),
      ...(resolves && {
        async resolve(resource) {
          poke('resolve');
          await nap(clock, Math.floor(random() * 20));
          if (random() > 0.95) throw new Error('nowhere');
          return resource;
        },
      }),
    }),
  );
  await clock.runUntil(Promise.all(runs));
  return world;
}

test('wherever a batch is stopped: each call ends once, every result follows the rules, nothing starts late, and nothing is left held', async () => {
  const ends = ['ok', 'ok', 'ok', 'soft', 'throw', 'hard', 'never', 'deaf', 'unknown'] as const;
  const batches = fc.array(plannedBatches(2, 5, ends), { minLength: 1, maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(batches, stop, options, async (random, when, given) => {
      const world = await stopped(random, when, given);
      checkBatches(world);
      checkPermits(world);
      checkOverlaps(world, false);
      checkNothingStartsLate(world);
      await checkGateIsEmpty(world);
    }),
    { numRuns: 1_500 },
  );
}, 120_000);

test('what is stopped is what was running: the stops above hit every phase of a batch', async () => {
  const seen = new Set<string>();
  const ends = ['ok', 'deaf'] as const;
  for (const [given, when, batches] of fc.sample(
    fc.tuple(options, stop, fc.array(plannedBatches(1, 5, ends), { minLength: 2, maxLength: 2 })),
    { numRuns: 300, seed: 1 },
  )) {
    const { moments } = await stopped(batches, when, { ...given, hooks: false, loopCheck: false });
    for (const { event } of moments) if (event?.type === 'call-ended') seen.add(event.outcome);
    for (const { event } of moments) if (event?.type === 'gate-waiting') seen.add('at the gate');
    for (const { batch, event } of moments)
      if (event?.type === 'cancel-requested') seen.add(batch.length > 1 ? 'nested stop' : 'stop');
  }
  const phases = ['at the gate', 'cancelled', 'nested stop', 'never-started', 'ok', 'soft', 'stop'];
  expect([...seen].sort()).toEqual(phases);
});
