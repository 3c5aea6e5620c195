/** What a caller does around every call (DESIGN section 4): before it, where it may block it, and after it. */
import { HardError, messageOf } from '../errors.ts';
import type { ToolCall, ToolResult } from '../model.ts';
import { isRecord } from '../record.ts';
import type { Run } from './run.ts';

export interface HookContext {
  /** The call's place in its batch. */
  readonly index: number;
  /** Aborted when the batch stops. */
  readonly signal: AbortSignal;
}

/** Nothing, or why the call must not run. */
export type BeforeAnswer = undefined | { readonly block: string };

export interface Hooks {
  /**
   * Asked before a call takes a permit; the call waits as long as this takes. A blocked call gets a soft error with
   * the sentence. A throw blocks too: unsure means unsafe. A thrown HardError ends the batch.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing
  before?(call: ToolCall, context: HookContext): BeforeAnswer | void | Promise<BeforeAnswer | void>;
  /**
   * Told of a call that ran, before its slot is filled. A throw is logged and changes nothing; a thrown HardError
   * ends the batch.
   */
  after?(call: ToolCall, result: ToolResult, context: HookContext): unknown;
}

/** What a before-hook came to. `stopped`: the run ended while it was asked. */
export type Verdict =
  | { readonly how: 'go' | 'stopped' }
  | { readonly how: 'block' | 'hard'; readonly reason: string };

const GO: Verdict = { how: 'go' };
const STOPPED: Verdict = { how: 'stopped' };

/** Asks the before-hook, and does not wait for it any longer once the run stops. Never rejects. */
export function askBefore(run: Run, index: number, call: ToolCall, hooks: Hooks): Promise<Verdict> {
  return new Promise((resolve) => {
    const forget = run.whenStopped(() => resolve(STOPPED));
    const answer = async () => hooks.before?.(call, { index, signal: run.signal });
    answer()
      .then(verdictOf)
      .catch((error: unknown): Verdict => {
        const how = error instanceof HardError ? 'hard' : 'block';
        return { how, reason: messageOf(error) };
      })
      .then((verdict) => {
        forget();
        resolve(verdict);
      });
  });
}

function verdictOf(answer: unknown): Verdict {
  const block = isRecord(answer) ? answer.block : answer;
  if (block === undefined || block === null || (block === false && isRecord(answer))) return GO;
  if (typeof block === 'string' && isRecord(answer)) return { how: 'block', reason: block || 'blocked.' };
  return {
    how: 'block',
    reason: 'The before-hook must return nothing or { block: "why" }, so the call was blocked.',
  };
}

/** Tells the after-hook; after a stop it has the grace period. The reason of a HardError that it threw. Never rejects. */
export function tellAfter(
  run: Run,
  index: number,
  call: ToolCall,
  result: ToolResult,
  hooks: Hooks,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const forget = run.whenStopped(() => void run.graceOver.then(() => resolve(undefined)));
    const answer = async () => hooks.after?.(call, result, { index, signal: run.signal });
    answer().then(
      () => {
        forget();
        resolve(undefined);
      },
      (error: unknown) => {
        forget();
        if (error instanceof HardError) return resolve(messageOf(error));
        run.log(`The after-hook threw on call #${index + 1} (${call.name}): ${messageOf(error)}`, error);
        resolve(undefined);
      },
    );
  });
}
