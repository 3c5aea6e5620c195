/** What ends a run from outside, and what its caller gets in the end (DESIGN section 4). */
import { whenAborted } from '../abort.ts';
import { BatchAborted, BatchRefused } from '../errors.ts';
import type { ToolResult } from '../model.ts';
import type { Run } from './run.ts';

/** Ends the run when its caller cancels it, when the call that dispatched it is over, or at its limit. */
export function watchForEnd(run: Run): () => void {
  const forgets: (() => void)[] = [];
  for (const signal of [run.options.signal, run.lineage?.signal]) {
    if (!signal) continue;
    const cancel = () =>
      run.end({ how: 'cancelled', reason: 'The batch was cancelled.', cause: signal.reason });
    if (signal.aborted) cancel();
    else forgets.push(whenAborted(signal, cancel));
  }
  const limitMs = run.options.runTimeoutMs;
  if (limitMs !== undefined) {
    const reason = `The batch timed out after ${limitMs} ms.`;
    forgets.push(run.clock.after(limitMs, () => run.end({ how: 'aborted', reason, limitMs })));
  }
  return () => {
    for (const forget of forgets) forget();
  };
}

/**
 * The results, in request order.
 * @throws {BatchAborted | BatchRefused} where none is handed out.
 */
export function handOut(run: Run): ToolResult[] {
  const { stop, softErrors } = run;
  if (!stop) {
    run.emit('run-ended', { how: 'done', softErrors });
    return run.results();
  }
  const { how, reason, by, cause } = stop;
  if (how === 'cancelled' && run.handsOut) run.emit('run-ended', { how, softErrors });
  else run.emit('run-aborted', { how, reason, ...(by !== undefined && { by }) });
  if (stop.discards === 'refused') throw new BatchRefused(reason);
  if (!run.handsOut) throw new BatchAborted(reason, how, by, cause);
  return run.results();
}
