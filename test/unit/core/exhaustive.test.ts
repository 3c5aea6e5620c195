/** Plans of every batch that there is, up to five calls: what each strategy promises, and what first-fit costs. */
import { describe, expect, test } from 'vitest';
import type { StrategyName } from '../../../src/core/model.ts';
import { plan } from '../../../src/core/plan/plan.ts';
import { STRATEGY_NAMES } from '../../../src/core/plan/strategies.ts';
import {
  BATCHES,
  type Batch,
  callsOf,
  countByLength,
  DECLARATIONS,
  inEveryBatch,
  mustKeepOrder,
  named,
  registryOf,
  sum,
  violationsOfPlan,
} from './exhaustive.ts';

test('the batches are all there are: 5 + 25 + 125 + 625 + 3,125', () => {
  expect(countByLength(() => true)).toEqual([5, 25, 125, 625, 3125]);
  expect(new Set(BATCHES.map(String)).size).toBe(3905);
});

describe.each(named(DECLARATIONS))('plans with %s', (_, declarations) => {
  const registry = registryOf(declarations);
  const planOf = (batch: Batch, strategy: StrategyName) => plan(callsOf(batch), registry, { strategy });

  test.each(STRATEGY_NAMES)(
    '%s places every call once, and says the same in its decisions as in its waves',
    (strategy) => {
      expect(
        inEveryBatch((batch) => {
          const { waves, decisions } = planOf(batch, strategy);
          const placed = waves.flat().sort((one, other) => one - other);
          return [
            String(placed) !== String([...batch.keys()]) && `places ${placed}`,
            waves.some((members) => members.length === 0) && 'has an empty wave',
            decisions.length !== batch.length && `has ${decisions.length} decisions`,
            decisions.some(({ call, wave }, index) => call !== index || !waves[wave]?.includes(call)) &&
              'decides otherwise than its waves',
          ];
        }),
      ).toEqual([]);
    },
  );

  test('no two calls of a wave conflict under the strategy that put them there', () => {
    const safe = (batch: Batch, call: number) => declarations.isSafe(batch[call]!);
    const aloneIfUnsafe = (batch: Batch, members: readonly number[]) =>
      members.length === 1 || members.every((call) => safe(batch, call));
    const mayShare: Record<StrategyName, (batch: Batch, members: readonly number[]) => boolean> = {
      sequential: (_, members) => members.length === 1,
      batches: aloneIfUnsafe,
      'first-fit'(batch, members) {
        const keys = members.flatMap((call) => declarations.keyOf(batch[call]!) ?? []);
        return aloneIfUnsafe(batch, members) && new Set(keys).size === keys.length;
      },
      dataflow: (batch, members) =>
        members.every((later) =>
          members.every((earlier) => earlier >= later || !mustKeepOrder(batch[earlier]!, batch[later]!)),
        ),
    };
    expect(
      inEveryBatch((batch) =>
        STRATEGY_NAMES.map((strategy) => {
          const wave = planOf(batch, strategy).waves.find((members) => !mayShare[strategy](batch, members));
          return wave !== undefined && `${strategy} puts ${wave} together`;
        }),
      ),
    ).toEqual([]);
  });

  test('sequential and dataflow keep the order of every two calls that conflict', () => {
    expect(
      inEveryBatch((batch) =>
        (['sequential', 'dataflow'] as const).map((strategy) => {
          const found = violationsOfPlan(batch, planOf(batch, strategy));
          return found.length > 0 && `${strategy} swaps ${found.join(' ')}`;
        }),
      ),
    ).toEqual([]);
  });

  test('a wave of dataflow is one more than the longest chain of conflicts before it, and waitsFor is that conflict', () => {
    expect(
      inEveryBatch((batch) => {
        const chain: number[] = [];
        return planOf(batch, 'dataflow').decisions.map(({ call, wave, waitsFor }) => {
          const before = [...batch.keys()].filter(
            (earlier) => earlier < call && mustKeepOrder(batch[earlier]!, batch[call]!),
          );
          chain[call] = 1 + Math.max(-1, ...before.map((earlier) => chain[earlier]!));
          return (
            (wave !== chain[call] || String(waitsFor) !== String(before)) &&
            `#${call} in wave ${wave} waits for ${waitsFor}, not in ${chain[call]} for ${before}`
          );
        });
      }),
    ).toEqual([]);
  });

  test('batches keeps the order across every unsafe call', () => {
    expect(
      inEveryBatch((batch) => {
        const acrossUnsafe = violationsOfPlan(batch, planOf(batch, 'batches')).filter(([earlier, later]) =>
          batch.slice(earlier, later + 1).some((kind) => !declarations.isSafe(kind)),
        );
        return [acrossUnsafe.length > 0 && `swaps ${acrossUnsafe.join(' ')}`];
      }),
    ).toEqual([]);
  });
});

/** Of the 5, 25, 125, 625 and 3,125 batches, those in which a call is planned before or with one it should follow. */
const OUT_OF_ORDER: Record<string, Record<'batches' | 'first-fit', number[]>> = {
  'unkeyed reads, published edits': { batches: [0, 0, 0, 0, 0], 'first-fit': [0, 0, 8, 116, 1044] },
  'unkeyed reads, fine-grained edits': { batches: [0, 6, 62, 398, 2320], 'first-fit': [0, 4, 58, 438, 2642] },
  'keyed reads, published edits': { batches: [0, 0, 0, 0, 0], 'first-fit': [0, 0, 4, 56, 512] },
  'keyed reads, fine-grained edits': { batches: [0, 6, 62, 398, 2320], 'first-fit': [0, 0, 8, 88, 736] },
};

describe('what a strategy costs in order', () => {
  test.each(named(DECLARATIONS))('%s: the batches out of order are exactly these', (_, declarations) => {
    const registry = registryOf(declarations);
    const counts = STRATEGY_NAMES.map((strategy) => {
      const outOfOrder = countByLength(
        (batch) => violationsOfPlan(batch, plan(callsOf(batch), registry, { strategy })).length > 0,
      );
      return [strategy, outOfOrder] as const;
    });
    for (const [strategy, outOfOrder] of counts) {
      if (sum(outOfOrder) === 0) continue;
      const shares = outOfOrder.map((count, at) => `${at + 1}: ${percent(count, 5 ** (at + 1))}`);
      console.info(
        `${declarations.name}, ${strategy}: ${percent(sum(outOfOrder), BATCHES.length)} out of order (${shares.join(', ')})`,
      );
    }
    expect(Object.fromEntries(counts)).toEqual({
      sequential: [0, 0, 0, 0, 0],
      dataflow: [0, 0, 0, 0, 0],
      ...OUT_OF_ORDER[declarations.name],
    });
  });
});

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}
