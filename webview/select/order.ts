/** Completion order against slot order: the pairs that the order zone joins by lines. */
import type { CallStatus } from '../../src/core/state.ts';
import { rowsOf } from '../../src/core/table.ts';
import { perState } from './perState.ts';

export interface OrderPair {
  /** The call's index, which is its slot. */
  readonly call: number;
  /** 1 for the call that ended first; undefined while it has not ended. */
  readonly completion: number | undefined;
  readonly filled: boolean;
  readonly status: CallStatus;
}

/** One pair a call, in slot order. */
export const orderPairs = perState((state): readonly OrderPair[] => {
  const pairs: OrderPair[] = [];
  for (const row of rowsOf(state.calls))
    pairs.push({
      call: row.index,
      completion: row.completion,
      filled: row.slotFilledAt !== undefined,
      status: row.status,
    });
  return pairs;
});

/** `1st`, `2nd`, `3rd`, `11th`. */
export function ordinal(n: number): string {
  const tens = n % 100;
  const suffix = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${suffix}`;
}
