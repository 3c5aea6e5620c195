/** How a call ended, and the sentences that its slot then holds (DESIGN section 4). */
import { HardError, messageOf } from '../errors.ts';
import type { Outcome, ToolContent } from '../model.ts';
import { isRecord } from '../record.ts';
import type { Obstacle } from './gate.ts';
import type { Stop } from './run.ts';

export interface Ending {
  readonly outcome: Outcome;
  readonly content: ToolContent;
  readonly error?: string;
  /** What the tool wants done when this is handed out. */
  readonly onHandOut?: readonly (() => void)[];
}

/** An ending that is one sentence. */
export function failure(outcome: Outcome, error: string): Ending {
  return { outcome, content: error, error };
}

/** A tool's answer as content: text and blocks as they are, anything else as JSON, and what has none a soft error. */
export function answered(output: unknown): Ending {
  try {
    return readable(output);
  } catch (error) {
    return failure('soft', `The tool's answer cannot be read: ${messageOf(error)}`);
  }
}

function readable(output: unknown): Ending {
  if (typeof output === 'string') return { outcome: 'ok', content: output };
  if (!isRecord(output) || !('content' in output)) {
    return { outcome: 'ok', content: output === undefined ? '' : (JSON.stringify(output) ?? String(output)) };
  }
  const { content, isError } = output;
  const text: ToolContent =
    typeof content === 'string' || Array.isArray(content) ? content : (JSON.stringify(content) ?? '');
  if (isError !== true) return { outcome: 'ok', content: text };
  const error = typeof text === 'string' ? text : 'the tool reported an error';
  return { outcome: 'soft', content: text, error };
}

/** A tool's throw: a soft error, or a hard one that ends the batch. */
export function thrown(error: unknown): Ending {
  return failure(error instanceof HardError ? 'hard' : 'soft', messageOf(error));
}

/** A call over its own limit. */
export function timedOut(limitMs: number): Ending {
  return failure('soft', `timed out after ${limitMs} ms.`);
}

/** A call that was running when the batch stopped. */
export function interrupted({ how, reason, limitMs }: Stop, more?: string): Ending {
  const why =
    limitMs !== undefined
      ? `timed out after ${limitMs} ms, the limit of the whole batch`
      : how === 'aborted'
        ? `interrupted: ${reason}`
        : 'interrupted by user: the batch was cancelled';
  return failure('cancelled', more === undefined ? `${why.replace(/\.$/, '')}.` : `${why}; ${more}.`);
}

/** A call that the end of the batch kept from starting. */
export function notRun(stop: Stop | undefined): Ending {
  const { by, how, limitMs, reason } = stop ?? {};
  const why =
    by !== undefined
      ? `call #${by + 1} ended the batch`
      : limitMs !== undefined
        ? `the batch timed out after ${limitMs} ms`
        : 'the batch was cancelled';
  const more = how === 'aborted' && limitMs === undefined ? ` (${reason})` : '';
  return failure('never-started', `not run: ${why} before this call started${more}.`);
}

/** A nested call that needs what a call above it holds. */
export function heldAbove({ visitor, resource }: Obstacle): Ending {
  return failure(
    'soft',
    `not run: ${nameOf(visitor)}, which dispatched this call, holds ${resource}, and waiting for it would never end. ` +
      `Let ${visitor.call.name} declare only what it touches itself, or dispatch only what it does not hold.`,
  );
}

/** A nested call that would close a circle with another batch. */
export function circular({ visitor, resource }: Obstacle): Ending {
  return failure(
    'soft',
    `not run: ${nameOf(visitor)} of another batch holds ${resource} and waits for what this batch holds, so waiting would never end. Call again later.`,
  );
}

/** A call as sentences name it where its number would mislead: it is of another batch. */
export function nameOf({ call }: Obstacle['visitor']): string {
  return `${call.name} "${call.id}"`;
}
