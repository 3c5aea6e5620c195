/** Runs of every batch that there is, up to five calls, by the real dispatcher on the virtual clock. */
import { describe, expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/core/clock.ts';
import { dispatch } from '../../../src/core/dispatch/dispatch.ts';
import type { WavesEvent } from '../../../src/core/events.ts';
import type { StrategyName } from '../../../src/core/model.ts';
import { plan } from '../../../src/core/plan/plan.ts';
import {
  BATCHES,
  type Batch,
  callsOf,
  DECLARATIONS,
  named,
  registryOf,
  violations,
  violationsOfPlan,
} from './exhaustive.ts';
import { spansOf } from './helpers.ts';

/** How long the calls take, by their place. What is late to start, and what ends early, differs in each. */
const DURATIONS: Record<string, readonly number[]> = {
  'all alike': [10, 10, 10, 10, 10],
  'each shorter than the one before': [50, 40, 30, 20, 10],
  'mixed, some at once': [7, 0, 23, 1, 12],
};

/** The violations that a run shows: a call began before one that it should follow had ended. */
async function violationsOfRun(
  batch: Batch,
  declarations: (typeof DECLARATIONS)[number],
  options: { strategy: StrategyName; maxConcurrency: number; durations: readonly number[] },
): Promise<[number, number][]> {
  const clock = createVirtualClock();
  const registry = registryOf(declarations, {
    run: ({ ms }) =>
      ms === 0 ? '' : new Promise((resolve) => void clock.after(Number(ms), () => resolve(''))),
  });
  const { durations, ...rest } = options;
  const events: WavesEvent[] = [];
  const onEvent = (event: WavesEvent) => void events.push(event);
  await clock.runUntil(
    dispatch(
      callsOf(batch, (call) => durations[call]!),
      registry,
      { ...rest, clock, onEvent },
    ),
  );
  const spans = spansOf(events);
  if (spans.size !== batch.length) throw new Error(`${spans.size} of ${batch.length} calls started`);
  return violations(batch, (earlier, later) => spans.get(earlier)!.end < spans.get(later)!.start);
}

async function inEveryRun(check: (batch: Batch) => Promise<string | false>): Promise<string[]> {
  const faults: string[] = [];
  for (const batch of BATCHES) {
    const fault = await check(batch);
    if (fault !== false) faults.push(`${batch.join(', ')}: ${fault}`);
  }
  return faults.slice(0, 10);
}

describe.each(Object.keys(DURATIONS))('when calls take %s', (pattern) => {
  const durations = DURATIONS[pattern]!;

  // Calls that all fit under the cap show every missing wait; two permits show what the order of the queue does.
  test.each([5, 2])(
    'dataflow under %d permits starts no call before those it conflicts with have ended',
    async (maxConcurrency) => {
      // The accesses decide, and they are the same in every row of DECLARATIONS: one row is all of them.
      expect(
        await inEveryRun(async (batch) => {
          const found = await violationsOfRun(batch, DECLARATIONS[0]!, {
            strategy: 'dataflow',
            maxConcurrency,
            durations,
          });
          return found.length > 0 && `runs ${found.join(' ')} out of order`;
        }),
      ).toEqual([]);
    },
    60_000,
  );
});

describe.each(named(DECLARATIONS))('with %s', (_, declarations) => {
  test('first-fit and batches run out of order exactly what their plans put out of order', async () => {
    const registry = registryOf(declarations);
    expect(
      await inEveryRun(async (batch) => {
        for (const strategy of ['first-fit', 'batches'] as const) {
          const planned = violationsOfPlan(batch, plan(callsOf(batch), registry, { strategy }));
          const ran = await violationsOfRun(batch, declarations, {
            strategy,
            maxConcurrency: 5,
            durations: DURATIONS['all alike']!,
          });
          if (String(planned) !== String(ran))
            return `${strategy} planned ${planned.join(' ')}, ran ${ran.join(' ')}`;
        }
        return false;
      }),
    ).toEqual([]);
  }, 60_000);
});
