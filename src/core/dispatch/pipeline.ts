/**
 * What happens to one call, under every strategy: schema check, permit, the run itself raced against the end of the
 * batch and the call's time limit, slot (DESIGN section 4).
 */
import type { Declared } from '../declare.ts';
import { HardError, messageOf } from '../errors.ts';
import type { Outcome, ToolCall, ToolContent } from '../model.ts';
import type { Tool, ToolContext, ToolOutput } from '../tools.ts';
import type { Rank } from './permits.ts';
import type { Run, Stop } from './run.ts';

/** How a call ended, and what its slot says. */
interface Ending {
  readonly outcome: Outcome;
  readonly content: ToolContent;
  readonly error?: string;
}

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
  const permit = await attempt(run, index, declared, turn?.rank);
  turn?.ended();
  if (permit === undefined) return;
  run.permits.giveBack(permit);
  run.emit('permit-returned', { call: index, permit });
}

/** Fills the call's slot, one way or another; the permit that it still holds, if it took one. */
async function attempt(
  run: Run,
  index: number,
  declared: Declared,
  rank: Rank | undefined,
): Promise<number | undefined> {
  const call = run.calls[index];
  if (!call || run.stop) {
    if (call) neverStarted(run, index, call, run.stop);
    return undefined;
  }
  const tool = run.registry.get(call.name);
  if (declared.refusal !== undefined || !tool) {
    const error = declared.refusal ?? `Unknown tool "${call.name}".`;
    settle(run, index, call, { outcome: 'soft', content: error, error }, 0);
    return undefined;
  }
  const permit = run.permits.tryTake() ?? (await run.permits.take(rank));
  if (permit === undefined) {
    neverStarted(run, index, call, run.stop);
    return undefined;
  }
  run.emit('permit-taken', { call: index, permit });
  if (run.stop) {
    neverStarted(run, index, call, run.stop); // stopped between the grant and this turn
    return permit;
  }
  const startedAt = run.clock.now();
  run.emit('call-started', { call: index });
  const ending = await race(run, index, call, tool);
  if (ending.outcome === 'hard') run.end({ how: 'aborted', reason: ending.error ?? '', by: index });
  settle(run, index, call, ending, run.clock.now() - startedAt);
  return permit;
}

/** The slot of a call that the end of the batch kept from starting. */
export function neverStarted(run: Run, index: number, call: ToolCall, stop: Stop | undefined): void {
  const why = stop?.by === undefined ? 'the batch was cancelled' : `call #${stop.by + 1} ended the batch`;
  const content = `not run: ${why} before this call started${stop?.how === 'aborted' ? ` (${stop.reason})` : ''}.`;
  run.emit('call-ended', { call: index, outcome: 'never-started', error: content });
  if (handsOut(run)) run.fill(index, call, { content, isError: true, durationMs: 0 });
}

/** After an abort no result is handed out, so no slot is filled. */
function handsOut(run: Run): boolean {
  return !run.stop || run.options.onHardError === 'answer-all';
}

function settle(run: Run, index: number, call: ToolCall, ending: Ending, durationMs: number): void {
  const { outcome, content, error } = ending;
  const completion = run.nextCompletion();
  run.emit('call-ended', { call: index, outcome, completion, ...(error !== undefined && { error }) });
  if (outcome === 'soft') run.softErrors++;
  if (handsOut(run)) run.fill(index, call, { content, isError: outcome !== 'ok', durationMs });
}

/** The tool's own answer, or what came first: the end of the batch and of its grace period, or the time limit. */
function race(run: Run, index: number, call: ToolCall, tool: Tool): Promise<Ending> {
  const limit = tool.timeoutMs ?? run.options.timeoutMs;
  return new Promise((resolve) => {
    let ended = false;
    let forgetTimer = () => {};
    let forgetStop: () => void = () => {};
    const own = limit === undefined ? undefined : new AbortController();

    const end = (ending: Ending) => {
      if (ended)
        return run.log(`Call #${index + 1} (${call.name}) answered after its end; the answer is dropped.`);
      ended = true;
      forgetTimer();
      forgetStop();
      resolve(ending);
    };
    if (limit !== undefined) {
      forgetTimer = run.clock.after(limit, () => {
        const error = `timed out after ${limit} ms.`;
        end({ outcome: 'soft', content: error, error });
        own?.abort(new Error(error));
      });
    }
    forgetStop = run.whenStopped(() => {
      own?.abort(run.signal.reason);
      void run.graceOver.then(() => {
        if (!ended) end(interrupted(run, 'it did not end within the grace period and may still be running'));
      });
    });
    const context: ToolContext = {
      signal: own?.signal ?? run.signal,
      report: ({ resource, mode }) => {
        if (!ended) run.emit('access-observed', { call: index, resource, mode });
      },
      progress: (message) => {
        if (!ended) run.emit('call-progress', { call: index, message });
      },
    };
    invoke(tool, call.input as Record<string, unknown>, context).then(
      (output) =>
        end(
          run.stop
            ? interrupted(run, 'it ended all the same, so its effects may have happened')
            : read(output),
        ),
      (error: unknown) => end(failed(run, error)),
    );
  });
}

/** A throw before the first await is a rejection like any other. */
async function invoke(tool: Tool, input: Record<string, unknown>, context: ToolContext): Promise<ToolOutput> {
  return tool.run(input, context);
}

function failed(run: Run, error: unknown): Ending {
  if (run.stop) return interrupted(run);
  const message = messageOf(error);
  return { outcome: error instanceof HardError ? 'hard' : 'soft', content: message, error: message };
}

function interrupted(run: Run, more?: string): Ending {
  const why =
    run.stop?.how === 'aborted'
      ? `interrupted: ${run.stop.reason}`
      : 'interrupted by user: the batch was cancelled';
  const error = `${why}${more === undefined ? '' : `; ${more}`}.`;
  return { outcome: 'cancelled', content: error, error };
}

/** A tool's answer as content: text and blocks as they are, anything else as JSON. */
function read(output: unknown): Ending {
  if (typeof output === 'string') return { outcome: 'ok', content: output };
  if (typeof output !== 'object' || output === null || !('content' in output)) {
    return { outcome: 'ok', content: output === undefined ? '' : (JSON.stringify(output) ?? String(output)) };
  }
  const { content } = output;
  const isError = 'isError' in output && output.isError === true;
  const readable: ToolContent =
    typeof content === 'string' || Array.isArray(content) ? content : (JSON.stringify(content) ?? '');
  if (!isError) return { outcome: 'ok', content: readable };
  return {
    outcome: 'soft',
    content: readable,
    error: typeof readable === 'string' ? readable : 'the tool reported an error',
  };
}
