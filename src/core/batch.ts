/**
 * Reads a batch from JSON text: plain calls, Anthropic content blocks, OpenAI `tool_calls` and `function_call` items,
 * alone or inside the message or response that brought them (DESIGN section 9).
 */

import { messageOf } from './errors.ts';
import type { ToolCall } from './model.ts';
import { parseLocated, type TextError } from './positions.ts';
import { isRecord } from './record.ts';

/** What a person may paste, for the error that says so. */
export const BATCH_FORMS =
  'plain calls [{ "name": "read", "input": { … } }], Anthropic content blocks [{ "type": "tool_use", … }], or OpenAI tool_calls [{ "function": { "name": …, "arguments": "…" } }]';

export interface ParsedBatch {
  /** In the order of the text; absent where `errors` is not empty. */
  readonly calls?: readonly ToolCall[];
  readonly errors: readonly TextError[];
}

/** Never throws: what is wrong comes back with its line and column. A call with unreadable arguments stays a call. */
export function parseBatch(text: string): ParsedBatch {
  const located = parseLocated(text);
  if (located.errors.length > 0) return { errors: located.errors };
  const found = findCalls(located.value, '');
  if (!found) {
    return {
      errors: [{ ...located.at(''), message: `No tool calls were found. Waves reads ${BATCH_FORMS}.` }],
    };
  }
  const errors: TextError[] = [];
  const calls: ToolCall[] = [];
  for (const [index, item] of found.items.entries()) {
    const call = readCall(item, calls.length);
    if (typeof call === 'string') errors.push({ ...located.at(`${found.pointer}/${index}`), message: call });
    else if (call) calls.push(call);
  }
  if (errors.length > 0) return { errors };
  if (calls.length === 0) {
    return {
      errors: [{ ...located.at(found.pointer), message: 'The batch is empty: it holds no tool call.' }],
    };
  }
  return { calls, errors: [] };
}

/** The list that holds the calls, however deep the provider wraps it. */
function findCalls(
  value: unknown,
  pointer: string,
): { items: readonly unknown[]; pointer: string } | undefined {
  if (Array.isArray(value)) return { items: value, pointer };
  if (!isRecord(value)) return undefined;
  for (const name of ['calls', 'tool_calls', 'content', 'output']) {
    if (Array.isArray(value[name])) return { items: value[name], pointer: `${pointer}/${name}` };
  }
  if (Array.isArray(value.choices)) return findCalls(value.choices[0], `${pointer}/choices/0`);
  if (isRecord(value.message)) return findCalls(value.message, `${pointer}/message`);
  return undefined;
}

/** A call; undefined for a block that is none (text, say); a sentence for one that cannot be read. */
function readCall(item: unknown, index: number): ToolCall | string | undefined {
  if (!isRecord(item)) return `A tool call must be an object. Waves reads ${BATCH_FORMS}.`;
  if (isRecord(item.function)) {
    const { name, arguments: text } = item.function;
    return named(item.id, name, argumentsOf(text), index);
  }
  if (item.type === 'function_call')
    return named(item.call_id ?? item.id, item.name, argumentsOf(item.arguments), index);
  if (typeof item.role === 'string')
    return 'This is a list of messages. Give the content or the tool_calls of one assistant message.';
  if (typeof item.type === 'string' && item.type !== 'tool_use') return undefined;
  return named(item.id, item.name ?? item.tool, { input: 'input' in item ? item.input : {} }, index);
}

type Input = Pick<ToolCall, 'input' | 'inputError'>;

function named(id: unknown, name: unknown, input: Input, index: number): ToolCall | string {
  if (typeof name !== 'string' || name === '') return 'A tool call needs a "name" that is not empty.';
  if (id !== undefined && typeof id !== 'string') return 'The "id" of a tool call must be a string.';
  return { id: id ?? `call-${index + 1}`, name, ...input };
}

/** OpenAI sends arguments as text; the empty text means no arguments. */
function argumentsOf(text: unknown): Input {
  if (typeof text !== 'string') return { input: text ?? {} };
  if (text.trim() === '') return { input: {} };
  try {
    return { input: JSON.parse(text) };
  } catch (error) {
    const inputError = `The arguments are not valid JSON (${messageOf(error)}). Send the whole arguments again as one JSON object.`;
    return { input: text, inputError };
  }
}
