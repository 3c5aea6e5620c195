/**
 * What happens to one call, under every strategy (DESIGN section 4): schema check, before-hook, loop check, permit,
 * gate, the run itself, after-hook, slot.
 */
import type { Declared } from '../declare.ts';
import type { ToolCall } from '../model.ts';
import type { Tool } from '../tools.ts';
import { circular, type Ending, failure, heldAbove, interrupted, nameOf, notRun } from './endings.ts';
import { Execution } from './execute.ts';
import type { Visitor } from './gate.ts';
import { askBefore, type Hooks, tellAfter } from './hooks.ts';
import type { Rank, Waiter } from './permits.ts';
import type { Run } from './run.ts';

/** For an index without a declaration, which is a fault of the dispatcher. */
export const NOT_DECLARED: Declared = { safe: false, accesses: [], refusal: 'The call was never declared.' };

/** What calls that are under way together tell the strategy that runs them. */
export interface Course {
  /** The call has ended and its slot is filled, its permit not yet returned: who waits for it may line up. */
  ended?(index: number): void;
  /** Nothing of the call is left, its permit returned. */
  over(index: number): void;
  /** The dispatcher itself failed. */
  failed(error: unknown): void;
}

/** One call's way from its turn to its slot. Small, since all calls of a wave wait at once: see the bench. */
export class Turn implements Waiter {
  readonly rank: Rank | undefined;
  readonly #run: Run;
  readonly #index: number;
  readonly #call: ToolCall;
  readonly #declared: Declared;
  readonly #course: Course;

  constructor(run: Run, index: number, declared: Declared, course: Course, rank?: Rank) {
    this.rank = rank;
    this.#run = run;
    this.#index = index;
    this.#call = run.calls[index] as ToolCall; // strategies place the run's own calls only
    this.#declared = declared;
    this.#course = course;
  }

  begin(): void {
    const refused = this.#refusal() ?? blocked(this.#run, this.#index, this.#call);
    if (refused instanceof Promise) refused.then((end) => this.#lineUp(end), this.#course.failed);
    else this.#lineUp(refused);
  }

  /** A permit has become free, and it is this call's turn. */
  grant(permit: number): boolean {
    // After a stop it waits for nothing but to be withdrawn: many such are no chain of grants on the stack.
    if (this.#run.stop || !this.#run.waiting.delete(this)) return false;
    this.#hold(permit);
    return true;
  }

  /** The run has stopped while the call waited for a permit. */
  withdraw(): void {
    this.#end(notRun(this.#run.stop));
  }

  /** The end of a call that cannot run at all, whatever its turn. */
  #refusal(): Ending | undefined {
    const { stop, registry, gate } = this.#run;
    const { refusal } = this.#declared;
    if (stop) return notRun(stop);
    if (refusal !== undefined) return failure('soft', refusal);
    if (!registry.get(this.#call.name)) return unknown(this.#call);
    const visitor = this.#visitor();
    const above = visitor.parent && gate.heldByAncestor(visitor);
    return above && heldAbove(above);
  }

  #lineUp(refused: Ending | undefined): void {
    const { stop, permits, waiting } = this.#run;
    if (refused || stop) {
      this.#end(refused ?? notRun(stop));
      return;
    }
    const permit = permits.tryTake();
    if (permit !== undefined) this.#hold(permit);
    else {
      waiting.add(this);
      permits.wait(this);
    }
  }

  #hold(permit: number): void {
    runWithPermit(this.#run, this.#index, this.#visitor(), permit, this.rank, this.#course).then(
      () => this.#course.over(this.#index),
      this.#course.failed,
    );
  }

  #end(ending: Ending): void {
    settle(this.#run, this.#index, this.#call, ending, 0);
    this.#course.ended?.(this.#index);
    this.#course.over(this.#index);
  }

  #visitor(): Visitor {
    const { lineage } = this.#run;
    return {
      batch: this.#run,
      accesses: this.#declared.accesses,
      parent: lineage?.parent,
      call: this.#call,
    };
  }
}

/** From the permit taken to the permit returned. */
async function runWithPermit(
  run: Run,
  index: number,
  visitor: Visitor,
  permit: number,
  rank: Rank | undefined,
  course: Course,
): Promise<void> {
  const { call } = visitor;
  run.emit('permit-taken', { call: index, permit });
  const execution = new Execution(run, index, call, { visitor, permit, rank });
  let closed = run.stop ? notRun(run.stop) : passGate(run, index, visitor);
  if (closed instanceof Promise) {
    await closed;
    closed = run.stop && notRun(run.stop); // perhaps since it was let in
  }
  const tool = run.registry.get(call.name);
  if (closed || !tool) {
    settle(run, index, call, closed ?? unknown(call), 0);
    await null; // a permit is never given back within its grant: many such calls would be as deep a stack
  } else await start(run, index, call, tool, execution);
  run.gate.leave(visitor);
  course.ended?.(index);
  if (execution.lent) await execution.lent;
  run.emit('permit-returned', { call: index, permit });
  run.permits.giveBack(permit);
}

function unknown({ name }: ToolCall): Ending {
  return failure('soft', `Unknown tool "${name}".`);
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

/** Waits until no call of another batch is in the way, or the run stops; or the end of a call that must not wait. */
function passGate(run: Run, index: number, visitor: Visitor): Promise<void> | Ending | undefined {
  let open = () => {};
  const admission = run.gate.enter(visitor, () => open());
  if (admission.state === 'inside') return undefined;
  const { obstacle } = admission;
  if (admission.state === 'refused') return circular(obstacle);
  run.emit('gate-waiting', { call: index, resource: obstacle.resource, behind: nameOf(obstacle.visitor) });
  return new Promise((resolve) => {
    const forget = run.whenStopped(resolve);
    open = () => {
      forget();
      resolve();
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
  if (run.stop) return settle(run, index, call, interrupted(run.stop), 0); // by whoever was told of the start
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
