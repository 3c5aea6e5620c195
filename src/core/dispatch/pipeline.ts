/**
 * What happens to one call, under every strategy (DESIGN section 4): schema check, before-hook, loop check, permit,
 * gate, the run itself, after-hook, slot.
 */
import type { Declared } from '../declare.ts';
import type { ToolCall } from '../model.ts';
import type { Tool } from '../tools.ts';
import { circular, type Ending, failure, heldAbove, nameOf, notRun } from './endings.ts';
import { Execution } from './execute.ts';
import type { Visitor } from './gate.ts';
import { askBefore, type Hooks, tellAfter } from './hooks.ts';
import type { Rank } from './permits.ts';
import type { Run } from './run.ts';

/** For an index without a declaration, which is a fault of the dispatcher. */
export const NOT_DECLARED: Declared = { safe: false, accesses: [], refusal: 'The call was never declared.' };

/** What a strategy without waves adds to a call's turn. */
export interface Turn {
  /** Its rank among the calls that wait for a permit. */
  readonly rank: Rank;
  /** The call has ended and its slot is filled, its permit not yet returned: who waits for it may line up. */
  ended(): void;
}

/** Runs one call from its turn to its slot. Never rejects. */
export async function runCall(run: Run, index: number, declared: Declared, turn?: Turn): Promise<void> {
  const call = run.calls[index];
  if (!call) return;
  const tool = run.registry.get(call.name);
  const visitor = { batch: run, accesses: declared.accesses, parent: run.lineage?.parent, call };
  let refused = refusal(run, declared, tool, visitor) ?? blocked(run, index, call);
  if (refused instanceof Promise) refused = await refused;
  if (refused || !tool) {
    settle(run, index, call, refused ?? failure('soft', `Unknown tool "${call.name}".`), 0);
    turn?.ended();
    return;
  }
  const permit = run.permits.tryTake() ?? (await run.takePermit(turn?.rank));
  if (permit === undefined) {
    settle(run, index, call, notRun(run.stop), 0);
    turn?.ended();
    return;
  }
  run.emit('permit-taken', { call: index, permit });
  const held = { visitor, permit, rank: turn?.rank };
  const execution = new Execution(run, index, call, held);
  let closed = run.stop ? notRun(run.stop) : passGate(run, index, visitor); // stopped since the grant?
  if (closed instanceof Promise) closed = await closed;
  if (closed) settle(run, index, call, closed, 0);
  else await start(run, index, call, tool, execution);
  run.gate.leave(visitor);
  turn?.ended();
  if (execution.lent) await execution.lent;
  run.permits.giveBack(permit);
  run.emit('permit-returned', { call: index, permit });
}

/** The end of a call that cannot run at all, whatever its turn. */
function refusal(run: Run, declared: Declared, tool: Tool | undefined, visitor: Visitor): Ending | undefined {
  if (run.stop) return notRun(run.stop);
  if (declared.refusal !== undefined || !tool) return failure('soft', declared.refusal ?? 'Unknown tool.');
  const above = visitor.parent && run.gate.heldByAncestor(visitor);
  return above && heldAbove(above);
}

/** The end of a call that the before-hook or the session's loop check does not let run. */
function blocked(run: Run, index: number, call: ToolCall): Promise<Ending | undefined> | Ending | undefined {
  const { hooks } = run.options;
  return hooks?.before ? askHook(run, index, call, hooks) : looped(run, call);
}

async function askHook(run: Run, index: number, call: ToolCall, hooks: Hooks): Promise<Ending | undefined> {
  const verdict = await askBefore(run, index, call, hooks);
  if (verdict.how === 'block') return failure('soft', verdict.reason);
  if (verdict.how === 'hard') return failure('hard', verdict.reason);
  return verdict.how === 'stopped' ? notRun(run.stop) : looped(run, call);
}

function looped(run: Run, call: ToolCall): Ending | undefined {
  const loop = run.options.loopCheck?.goesOn(call);
  return loop === undefined ? undefined : failure('hard', loop);
}

/** Waits until no call of another batch is in the way; the end of a call that must not wait, or was kept from starting. */
function passGate(
  run: Run,
  index: number,
  visitor: Visitor,
): Promise<Ending | undefined> | Ending | undefined {
  let open = () => {};
  const admission = run.gate.enter(visitor, () => open());
  if (admission.state === 'inside') return undefined;
  const { obstacle } = admission;
  if (admission.state === 'refused') return circular(obstacle);
  run.emit('gate-waiting', { call: index, resource: obstacle.resource, behind: nameOf(obstacle.visitor) });
  return new Promise((resolve) => {
    const forget = run.whenStopped(() => resolve(notRun(run.stop)));
    open = () => {
      forget();
      resolve(run.stop && notRun(run.stop));
    };
  });
}

async function start(
  run: Run,
  index: number,
  call: ToolCall,
  tool: Tool,
  execution: Execution,
): Promise<void> {
  const startedAt = run.clock.now();
  run.emit('call-started', { call: index });
  const ending = await execution.run(tool);
  const durationMs = run.clock.now() - startedAt;
  const { hooks } = run.options;
  if (hooks?.after) {
    const hard = await tellAfter(run, index, call, resultOf(call, ending, durationMs), hooks);
    if (hard !== undefined) run.end({ how: 'aborted', reason: hard, by: index });
  }
  settle(run, index, call, ending, durationMs);
}

/** The call has ended: says so, ends the batch where it must, and fills the slot. */
export function settle(run: Run, index: number, call: ToolCall, own: Ending, durationMs: number): void {
  const ending = lastOfLoop(run, index, call, own);
  if (ending.outcome === 'hard') run.end({ how: 'aborted', reason: ending.error ?? '', by: index });
  const { outcome, error } = ending;
  const completion = outcome === 'never-started' ? undefined : run.nextCompletion();
  run.emit('call-ended', {
    call: index,
    outcome,
    ...(completion !== undefined && { completion }),
    ...(error !== undefined && { error }),
  });
  if (outcome === 'soft') run.softErrors++;
  // After an abort no result is handed out, so no slot is filled.
  if (!run.stop || run.options.onHardError === 'answer-all') {
    run.fill(index, resultOf(call, ending, durationMs));
  }
}

/** Tells the session's loop check of this result: the call that completes a loop ends with a hard error. */
function lastOfLoop(run: Run, index: number, call: ToolCall, ending: Ending): Ending {
  const { outcome } = ending;
  if (!run.row || run.stop || (outcome !== 'ok' && outcome !== 'soft')) return ending;
  const loop = run.row.take(index, resultOf(call, ending, 0));
  if (!loop) return ending;
  if (loop.by === index) return failure('hard', loop.reason);
  run.end({ how: 'aborted', reason: loop.reason, by: loop.by }); // its own result stands already
  return ending;
}

function resultOf(call: ToolCall, { content, outcome }: Ending, durationMs: number) {
  return { toolCallId: call.id, name: call.name, content, isError: outcome !== 'ok', durationMs };
}
