/** Ids that stand twice in one message (DESIGN section 4; https://github.com/HKUDS/nanobot/issues/4442). */
import { equalJson } from '../equal.ts';
import { BatchRefused } from '../errors.ts';
import type { ToolCall } from '../model.ts';

/**
 * The calls to run: of several with one id and the same tool and input, the first.
 * @throws {BatchRefused} for an empty id, or one id with different inputs: no result could be told apart.
 */
export function distinctCalls(calls: readonly ToolCall[]): readonly ToolCall[] {
  const byId = new Map<string, ToolCall>();
  for (const [index, call] of calls.entries()) {
    if (typeof call.id !== 'string' || call.id === '') {
      throw new BatchRefused(emptyId(index));
    }
    const first = byId.get(call.id);
    if (!first) byId.set(call.id, call);
    else if (!sameCall(first, call)) {
      throw new BatchRefused(idTwice(call.id));
    }
  }
  return byId.size === calls.length ? calls : [...byId.values()];
}

export const emptyId = (index: number) =>
  `Call #${index + 1} has an empty id. Give every call of a batch an id of its own.`;

export const idTwice = (id: string) =>
  `Id "${id}" stands twice with different calls. Give every call an id of its own.`;

/** Whether two calls of one id may share one result. */
export function sameCall(a: ToolCall, b: ToolCall): boolean {
  return a.name === b.name && a.inputError === b.inputError && equalJson(a.input, b.input);
}
