/** How long a call ran. One that began early may have ended before it was closed, and counts as ended only then. */
import type { CallRow, ViewState } from './state.ts';
import { rowsOf } from './table.ts';

/** When its tool had ended, in milliseconds since the run began; undefined while it has not. */
export function ranUntil({ endedAt, permitReturnedAt }: CallRow): number | undefined {
  if (permitReturnedAt === undefined) return endedAt;
  return endedAt === undefined ? permitReturnedAt : Math.min(endedAt, permitReturnedAt);
}

/** For how many milliseconds it ran, if it has ended; 0 for one that never started. */
function ranMs(row: CallRow): number {
  const until = ranUntil(row);
  return row.startedAt === undefined || until === undefined ? 0 : until - row.startedAt;
}

/** How long all calls ran, added up. What was thrown away does not count. */
export function workedMs({ calls }: ViewState): number {
  let total = 0;
  for (const row of rowsOf(calls)) total += ranMs(row);
  return total;
}
