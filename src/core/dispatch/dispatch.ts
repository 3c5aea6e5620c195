/** Runs a batch: plan, waves, permits, results in request order (DESIGN section 4). */
import { whenAborted } from '../abort.ts';
import { type Declared, declare } from '../declare.ts';
import { BatchAborted, messageOf } from '../errors.ts';
import type { ToolCall, ToolResult } from '../model.ts';
import { planDeclared } from '../plan/plan.ts';
import { strategyOf } from '../plan/strategies.ts';
import { resolveKeys } from '../resolve.ts';
import type { Registry } from '../tools.ts';
import { conduct } from './conductor.ts';
import { distinctCalls } from './duplicates.ts';
import type { Lineage } from './nested.ts';
import { capOf, type DispatchOptions } from './options.ts';
import { Run } from './run.ts';
import { tellDecision, tellFindings } from './tell.ts';

/**
 * Runs the calls and resolves to their results in request order, one a call.
 * @throws {BatchRefused} when ids make the batch unusable; nothing ran.
 * @throws {BatchAborted} in `abort` mode after a hard error or a cancellation; no result is handed out.
 * @throws {RangeError} for a strategy or cap that does not exist.
 */
export async function dispatch(
  batch: readonly ToolCall[],
  registry: Registry,
  options: DispatchOptions = {},
): Promise<ToolResult[]> {
  return runBatch(batch, registry, options);
}

/** The same for a batch that a running call dispatches: its lineage says whose permits it uses and what is held above. */
async function runBatch(
  batch: readonly ToolCall[],
  registry: Registry,
  options: DispatchOptions,
  lineage?: Lineage,
): Promise<ToolResult[]> {
  const calls = distinctCalls(batch);
  const strategy = strategyOf(options.strategy ?? 'sequential');
  const cap = lineage?.permits.count ?? capOf(options.maxConcurrency, strategy.defaultCap, calls.length);
  const run = new Run({ calls, registry, options, cap, lineage, runBatch });
  const onHardError = options.onHardError ?? 'abort';
  run.emit('batch-received', {
    strategy: strategy.name,
    permits: cap,
    onHardError,
    calls: calls.map(({ id, name, input }) => ({ id, name, input })),
  });
  const forget = watchForEnd(run);
  try {
    const declarations = await declared(run);
    const rule = calls.length < 2 ? strategyOf('sequential') : strategy;
    const placement = planDeclared(declarations, rule.name);
    if (run.observed) {
      for (const decision of placement.decisions) tellDecision(run, decision, declarations);
      tellFindings(run, placement);
    }
    run.emit('run-started', { waves: placement.waves.length });
    await conduct({ run, strategy: rule, placement });
  } catch (error) {
    run.end({ how: 'aborted', reason: `The dispatcher failed: ${messageOf(error)}`, cause: error });
  } finally {
    forget();
    run.close();
  }
  return finish(run, onHardError === 'abort');
}

/** Ends the run when its caller cancels it, when the call that dispatched it is over, or at its limit. */
function watchForEnd(run: Run): () => void {
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

/** What the calls' tools declare, each resource by its one key where the caller can tell it. */
function declared(run: Run): readonly Declared[] | Promise<readonly Declared[]> {
  const declarations = run.calls.map((call) => declare(call, run.registry));
  const { resolve } = run.options;
  if (!resolve || run.stop) return declarations; // after a stop nothing is asked any more
  return new Promise((done, failed) => {
    const forget = run.whenStopped(() => done(declarations)); // nothing will run
    resolveKeys(declarations, (resource) => resolve(resource))
      .then(done, failed)
      .finally(forget);
  });
}

function finish(run: Run, rejects: boolean): ToolResult[] {
  const { stop, softErrors } = run;
  if (!stop) {
    run.emit('run-ended', { how: 'done', softErrors });
    return run.slots.results();
  }
  const { how, reason, by, cause } = stop;
  if (how === 'cancelled' && !rejects) run.emit('run-ended', { how, softErrors });
  else run.emit('run-aborted', { how, reason, ...(by !== undefined && { by }) });
  if (rejects) throw new BatchAborted(reason, how, by, cause);
  return run.slots.results();
}
