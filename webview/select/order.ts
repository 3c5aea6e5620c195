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
