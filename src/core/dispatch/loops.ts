/**
 * Loop detection (DESIGN section 4): the same tool with the same input and the same result, N times in a row in one
 * session. One check a session; calls count in request order, whatever the completion order.
 */
import { equalJson } from '../equal.ts';
import type { ToolCall, ToolResult } from '../model.ts';

/** What the model was told, as far as it makes two results the same. */
export type Told = Pick<ToolResult, 'content' | 'isError'>;

/** Remembers the last call of a session, and how often it came in a row. */
export interface LoopCheck {
  /** Asked before a call runs: why it would go on with a loop, if it would. */
  goesOn(call: ToolCall): string | undefined;
  /** Takes in one more result: why it completes a loop, if it does. */
  completes(call: ToolCall, told: Told): string | undefined;
}

/**
 * A session's loop check; pass the same one to each `dispatch` of the session.
 * @param limit how many times in a row make a loop
 * @throws {RangeError} for a limit below 2: one call is no loop.
 */
export function createLoopCheck(limit = 5): LoopCheck {
  if (!(limit >= 2)) throw new RangeError(`A loop takes at least 2 calls, so its limit cannot be ${limit}.`);
  let last: ToolCall | undefined;
  let told: Told | undefined;
  let times = 0;

  const isLast = (call: ToolCall) =>
    last !== undefined && last.name === call.name && equalJson(last.input, call.input);
  const sentence = ({ name }: ToolCall) =>
    `loop detected: ${name} was called ${times} times in a row with the same input and the same result. Try something else.`;

  return {
    goesOn: (call) => (times >= limit && isLast(call) ? sentence(call) : undefined),
    completes(call, { content, isError }) {
      const same = isLast(call) && told?.isError === isError && equalJson(told.content, content);
      times = same ? times + 1 : 1;
      last = call;
      told = { content, isError };
      return times >= limit ? sentence(call) : undefined;
    },
  };
}

/** Tells a session's check of a batch's results in request order: a result waits here for those before it. */
export class ResultRow {
  readonly #calls: readonly ToolCall[];
  readonly #check: LoopCheck;
  readonly #ended = new Map<number, Told>();
  #next = 0;

  constructor(calls: readonly ToolCall[], check: LoopCheck) {
    this.#calls = calls;
    this.#check = check;
  }

  /** The call whose result completes a loop, now that this one has ended too. */
  take(index: number, told: Told): { readonly by: number; readonly reason: string } | undefined {
    this.#ended.set(index, told);
    for (let next = this.#ended.get(this.#next); next; next = this.#ended.get(this.#next)) {
      const by = this.#next++;
      this.#ended.delete(by);
      const call = this.#calls[by];
      const reason = call && this.#check.completes(call, next);
      if (reason !== undefined) return { by, reason };
    }
    return undefined;
  }
}
