/** Events as OpenAI sends them, checked against the SDK's types, and whole recorded messages of them. */
import type OpenAI from 'openai';

type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;
type Choice = OpenAI.Chat.Completions.ChatCompletionChunk.Choice;
type Delta = OpenAI.Chat.Completions.ChatCompletionChunk.Choice.Delta;
type CallPiece = OpenAI.Chat.Completions.ChatCompletionChunk.Choice.Delta.ToolCall;
type Event = OpenAI.Responses.ResponseStreamEvent;

export const chunk = (delta: Delta, finish_reason: Choice['finish_reason'] = null) =>
  ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_760_000_000,
    model: 'gpt-5',
    choices: [{ index: 0, delta, finish_reason }],
  }) satisfies Chunk;

/** A chunk with pieces of calls. */
export const toolCalls = (...tool_calls: CallPiece[]) => chunk({ tool_calls });

/** The first piece of a call as OpenAI sends it. */
export const first = (index: number, id: string, name: string, text = '') =>
  toolCalls({ index, id, type: 'function', function: { name, arguments: text } });

export const more = (index: number, text: string) => toolCalls({ index, function: { arguments: text } });

export const finish = (reason: Choice['finish_reason']) => chunk({}, reason);

export const usageChunk = {
  ...chunk({}),
  choices: [],
  usage: { prompt_tokens: 90, completion_tokens: 40, total_tokens: 130 },
} satisfies Chunk;

/** A chunk of a server that does not keep to the types. */
export const sloppy = (...tool_calls: unknown[]) => ({ choices: [{ index: 0, delta: { tool_calls } }] });

/** One entry of such a chunk, with what is not null. */
export const item = (index: number | null, id: string | null, name: string | null, text?: unknown) => ({
  ...(index !== null && { index }),
  ...(id !== null && { id }),
  function: { ...(name !== null && { name }), ...(text !== undefined && { arguments: text }) },
});

/** Two calls in pieces, then one without arguments. */
export const chatOfThree: readonly Chunk[] = [
  chunk({ role: 'assistant', content: null }),
  first(0, 'call_a', 'read'),
  more(0, '{"file_pa'),
  more(0, 'th":"a.ts"'),
  more(0, '}'),
  first(1, 'call_b', 'read'),
  more(1, '{"file_path":'),
  more(1, '"b.ts"}'),
  first(2, 'call_c', 'list'),
  finish('tool_calls'),
  usageChunk,
];

let sequence_number = 0;
const next = () => sequence_number++;

const response = (more: Partial<OpenAI.Responses.Response> = {}) =>
  ({
    id: 'resp_1',
    access_programs: null,
    object: 'response',
    created_at: 1_760_000_000,
    model: 'gpt-5',
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    output: [],
    output_text: '',
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    ...more,
  }) satisfies OpenAI.Responses.Response;

export const created = () =>
  ({ type: 'response.created', sequence_number: next(), response: response() }) satisfies Event;

export const reasoning = (output_index: number) =>
  ({
    type: 'response.output_item.added',
    sequence_number: next(),
    output_index,
    item: { type: 'reasoning', id: `rs_${output_index}`, summary: [] },
  }) satisfies Event;

type Item = Partial<OpenAI.Responses.ResponseFunctionToolCall>;

const call = (output_index: number, item: Item) =>
  ({
    type: 'function_call',
    id: `fc_${output_index}`,
    call_id: `call_${output_index}`,
    name: 'read',
    arguments: '',
    status: 'in_progress',
    ...item,
  }) satisfies OpenAI.Responses.ResponseFunctionToolCall;

export const added = (output_index: number, item: Item = {}) =>
  ({
    type: 'response.output_item.added',
    sequence_number: next(),
    output_index,
    item: call(output_index, item),
  }) satisfies Event;

export const delta = (output_index: number, text: string, item_id = `fc_${output_index}`) =>
  ({
    type: 'response.function_call_arguments.delta',
    sequence_number: next(),
    output_index,
    item_id,
    delta: text,
  }) satisfies Event;

export const argumentsDone = (output_index: number, text: string, item_id = `fc_${output_index}`) =>
  ({
    type: 'response.function_call_arguments.done',
    sequence_number: next(),
    output_index,
    item_id,
    arguments: text,
  }) satisfies Event;

export const itemDone = (output_index: number, text: string, item: Item = {}) =>
  ({
    type: 'response.output_item.done',
    sequence_number: next(),
    output_index,
    item: call(output_index, { status: 'completed', arguments: text, ...item }),
  }) satisfies Event;

export const completed = () =>
  ({
    type: 'response.completed',
    sequence_number: next(),
    response: response({ status: 'completed' }),
  }) satisfies Event;

export const incomplete = (reason?: OpenAI.Responses.Response.IncompleteDetails['reason']) =>
  ({
    type: 'response.incomplete',
    sequence_number: next(),
    response: response({ status: 'incomplete', incomplete_details: reason ? { reason } : null }),
  }) satisfies Event;

export const failed = (message: string) =>
  ({
    type: 'response.failed',
    sequence_number: next(),
    response: response({ status: 'failed', error: { code: 'server_error', message } }),
  }) satisfies Event;

export const errorEvent = (message: string) =>
  ({
    type: 'error',
    sequence_number: next(),
    code: 'server_error',
    message,
    param: null,
  }) satisfies Event;

/** Reasoning, a call in pieces, a call whole at its end, a call without arguments. */
export const responseOfThree: readonly Event[] = [
  created(),
  reasoning(0),
  added(1),
  delta(1, '{"file_pa'),
  delta(1, 'th":"a.ts"}'),
  argumentsDone(1, '{"file_path":"a.ts"}'),
  itemDone(1, '{"file_path":"a.ts"}'),
  added(2),
  delta(2, '{"file_path":'),
  itemDone(2, '{"file_path":"b.ts"}'),
  added(3, { name: 'list' }),
  argumentsDone(3, ''),
  itemDone(3, '', { name: 'list' }),
  completed(),
];
