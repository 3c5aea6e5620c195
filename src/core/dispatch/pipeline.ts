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
export class Turn implements Waiter, Job {
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

  /** The call's turn has come. If it began early, that run is it, or is first got out of the way. */
  begin(): void {
    const early = this.#run.early.get(this.#index);
    if (!early) this.#enter();
    else if (early.counts) early.adopt(this.#call, this.#course);
    else {
      this.#run.early.delete(this.#index);
      early.gone.then(() => this.#enter(), this.#course.failed);
    }
  }

  #enter(): void {
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
    const run = this.#run;
    const index = this.#index;
    const visitor = this.#visitor();
    const execution = new Execution(run, index, this.#call, { visitor, permit, rank: this.rank });
    runWithPermit(run, index, visitor, permit, execution, this).then(
      () => this.#course.over(index),
      this.#course.failed,
    );
  }

  conclude(ending: Ending, ranMs: number | undefined): Promise<void> | undefined {
    return conclude(this.#run, this.#index, this.#call, ending, ranMs);
  }

  left(): void {
    this.#course.ended?.(this.#index);
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

/** Who wants a call to run once, and what is to be done with its end. */
export interface Job {
  /** Asked before the tool runs: nobody wants it any more. */
  readonly dropped?: boolean;
  started?(): void;
  /** How it ended, before it leaves the gate. `ran`: the tool was called, for so many milliseconds. */
  conclude(ending: Ending, durationMs: number | undefined): Promise<void> | undefined;
  /** It has left the gate: who waits for it may line up. Its permit is not yet returned. */
  left?(): void;
}

/** From the permit taken to the permit returned. */
export async function runWithPermit(
  run: Run,
  index: number,
  visitor: Visitor,
  permit: number,
  execution: Execution,
  job: Job,
): Promise<void> {
  run.emit('permit-taken', { call: index, permit });
  try {
    let closed = run.stop ? notRun(run.stop) : passGate(run, index, visitor);
    if (closed instanceof Promise) {
      await closed;
      closed = run.stop && notRun(run.stop); // perhaps since it was let in
    }
    const tool = run.registry.get(visitor.call.name);
    if (closed || !tool || job.dropped) {
      const concluded = job.conclude(closed ?? unknown(visitor.call), undefined);
      await concluded; // a permit is never given back within its grant: many such calls would be as deep a stack
    } else await start(run, index, tool, execution, job);
  } finally {
    run.gate.leave(visitor);
    job.left?.();
    if (execution.lent) await execution.lent;
    run.emit('permit-returned', { call: index, permit });
    run.permits.giveBack(permit);
  }
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

/** The end of a call that would go on with a loop. */
export function looped(run: Run, call: ToolCall): Ending | undefined {
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

async function start(run: Run, index: number, tool: Tool, execution: Execution, job: Job): Promise<void> {
  const startedAt = run.clock.now();
  job.started?.();
  run.emit('call-started', { call: index });
  if (run.stop) {
    await job.conclude(interrupted(run.stop), undefined); // by whoever was told of the start
    return;
  }
  const ending = await execution.run(tool);
  const concluded = job.conclude(ending, run.clock.now() - startedAt);
  if (concluded) await concluded;
}

/** The end of a call that counts: tells the after-hook of one that ran, and settles it. */
export function conclude(
  run: Run,
  index: number,
  call: ToolCall,
  ending: Ending,
  ranMs: number | undefined,
): Promise<void> | undefined {
  const { hooks } = run.options;
  if (!hooks?.after || ranMs === undefined) {
    settle(run, index, call, ending, ranMs ?? 0);
    return undefined;
  }
  return tellAfter(run, index, call, resultOf(call, ending, ranMs), hooks).then((hard) => {
    if (hard !== undefined) run.end({ how: 'aborted', reason: hard, by: index });
    settle(run, index, call, ending, ranMs);
  });
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
  if (run.handsOut) run.fill(index, resultOf(call, ending, durationMs), ending.onHandOut);
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
