/** The results' places, sized before anything runs: a call writes the slot of its own index (rule R8). */
import type { ToolCall, ToolResult } from '../model.ts';

export interface Slots {
  /** The first final answer of a call counts: false, and nothing happens, for any later one. */
  fill(index: number, result: ToolResult): boolean;
  /** All results in request order; a slot that stayed empty becomes a soft error with its call's own id. */
  results(): ToolResult[];
}

export function createSlots(calls: readonly ToolCall[]): Slots {
  const slots = new Array<ToolResult | undefined>(calls.length).fill(undefined);
  return {
    fill(index, result) {
      if (slots[index]) return false;
      slots[index] = result;
      return true;
    },
    results: () => calls.map((call, index) => slots[index] ?? empty(call)),
  };
}

function empty(call: ToolCall): ToolResult {
  return {
    toolCallId: call.id,
    name: call.name,
    content: 'no result: the call ended without an answer, which is a fault of the dispatcher.',
    isError: true,
    durationMs: 0,
  };
}
