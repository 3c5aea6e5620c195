/** OpenAI's chat-completion chunks, and those of the many servers that speak that format. */
import { isRecord } from '../record.ts';
import { broken, createReader, ended, type StreamReader, sentenceOf } from './adapt.ts';
import { type CallItem, createChatCalls } from './openAiCalls.ts';
import type { StreamEvent } from './streamEvent.ts';

/** What is read of a chunk. The SDK's `ChatCompletionChunk` is one. */
export interface OpenAiChatChunk {
  readonly choices: readonly {
    readonly index?: number;
    readonly finish_reason?: string | null;
    readonly delta?: {
      readonly tool_calls?: readonly object[] | null;
      /** How calls came before there were `tool_calls`: one at most. */
      readonly function_call?: object | null;
    } | null;
  }[];
}

/**
 * The model did not end these messages itself. `length` and `content_filter` are OpenAI's words, `model_length` is
 * Mistral's, `insufficient_system_resource` DeepSeek's.
 */
const CUT_OFF: ReadonlySet<string> = new Set([
  'length',
  'content_filter',
  'model_length',
  'insufficient_system_resource',
]);

/** Reads the first choice. Calls are counted from 0 in their order; those that the server gives no id get one. */
export function createOpenAiChatReader(): StreamReader {
  const calls = createChatCalls();

  function* read(chunk: Readonly<Record<string, unknown>>): Iterable<StreamEvent> {
    // How gateways tell an error once the stream has begun.
    if (isRecord(chunk.error) || filled(chunk.error) || chunk.type === 'error')
      return yield broken(sentenceOf(chunk));
    if (!Array.isArray(chunk.choices)) return;
    for (const [position, choice] of chunk.choices.entries()) {
      if (!isRecord(choice) || (choice.index ?? position) !== 0) continue;
      for (const item of itemsOf(choice.delta)) yield* calls.add(item);
      const reason = choice.finish_reason;
      if (typeof reason !== 'string' || reason === '') continue;
      // OpenRouter's and Mistral's word for a server that failed while it answered.
      if (reason === 'error') return yield broken(sentenceOf(choice));
      const cutOff = CUT_OFF.has(reason);
      yield* calls.end(cutOff);
      return yield ended(reason, cutOff);
    }
  }

  return createReader({ read });
}

function itemsOf(delta: unknown): CallItem[] {
  if (!isRecord(delta)) return [];
  const tools: unknown[] = Array.isArray(delta.tool_calls) ? delta.tool_calls : [];
  const items = tools.filter(isRecord).filter(isFunction).map(itemOf);
  if (!isRecord(delta.function_call)) return items;
  return [...items, itemOf({ index: 'function_call', function: delta.function_call })];
}

/** Custom tools take free text, not JSON. They are none of ours. */
function isFunction(tool: Record<string, unknown>): boolean {
  return tool.type !== 'custom' && !isRecord(tool.custom);
}

function itemOf(tool: Readonly<Record<string, unknown>>): CallItem {
  const { index, id } = tool;
  const named = isRecord(tool.function) ? tool.function : {};
  return {
    index: typeof index === 'number' || typeof index === 'string' ? index : undefined,
    id: filled(id),
    name: filled(named.name),
    text: textOf(named.arguments),
  };
}

function filled(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Some servers send the arguments as an object. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : (JSON.stringify(value) ?? '');
}
