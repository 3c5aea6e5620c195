/** Runs a batch: plan, waves, permits, results in request order (DESIGN section 4). */
import { messageOf } from '../errors.ts';
import type { ToolCall, ToolResult } from '../model.ts';
import { planDeclared } from '../plan/plan.ts';
import { strategyOf } from '../plan/strategies.ts';
import type { Registry } from '../tools.ts';
import { conduct } from './conductor.ts';
import { declared } from './declared.ts';
import { distinctCalls } from './duplicates.ts';
import { handOut, watchForEnd } from './handOut.ts';
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
export async function runBatch(
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
    const declarations = await declared(run, calls);
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
  return handOut(run);
}
