/** Events as Anthropic sends them, checked against the SDK's types, and whole recorded messages of them. */
import type Anthropic from '@anthropic-ai/sdk';

type Event = Anthropic.RawMessageStreamEvent;

const usage = {
  cache_creation: null,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  inference_geo: null,
  input_tokens: 472,
  output_tokens: 2,
  output_tokens_details: null,
  server_tool_use: null,
  service_tier: 'standard',
  speed: null,
} satisfies Anthropic.Usage;

export const messageStart = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [],
    container: null,
    diagnostics: null,
    stop_details: null,
    stop_reason: null,
    stop_sequence: null,
    usage,
  },
} satisfies Event;

export const textStart = (index: number) =>
  ({
    type: 'content_block_start',
    index,
    content_block: { type: 'text', text: '', citations: null },
  }) satisfies Event;

export const text = (index: number, words: string) =>
  ({
    type: 'content_block_delta',
    index,
    delta: { type: 'text_delta', text: words },
  }) satisfies Event;

export const toolStart = (index: number, id: string, name: string, input: unknown = {}) =>
  ({
    type: 'content_block_start',
    index,
    content_block: { type: 'tool_use', id, name, input, caller: { type: 'direct' } },
  }) satisfies Event;

export const serverToolStart = (index: number, input: unknown = {}) =>
  ({
    type: 'content_block_start',
    index,
    content_block: {
      type: 'server_tool_use',
      id: 'srvtoolu_1',
      name: 'web_search',
      input,
      caller: { type: 'direct' },
    },
  }) satisfies Event;

export const json = (index: number, partial_json: string) =>
  ({
    type: 'content_block_delta',
    index,
    delta: { type: 'input_json_delta', partial_json },
  }) satisfies Event;

export const blockStop = (index: number) => ({ type: 'content_block_stop', index }) satisfies Event;

export const messageDelta = (stop_reason: Anthropic.StopReason) =>
  ({
    type: 'message_delta',
    delta: { stop_reason, stop_sequence: null, stop_details: null, container: null },
    usage: {
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      input_tokens: 472,
      output_tokens: 89,
      output_tokens_details: null,
      server_tool_use: null,
    },
  }) satisfies Event;

export const messageStop = { type: 'message_stop' } satisfies Event;

export const end = (reason: Anthropic.StopReason): Event[] => [messageDelta(reason), messageStop];

/** Not of the SDK's types: its decoder throws this one. */
export const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };

/** Text, a search that the provider runs, two calls in pieces, one without input, one whose input came whole. */
export const twoReads: readonly Event[] = [
  messageStart,
  textStart(0),
  text(0, 'Let me '),
  text(0, 'look.'),
  blockStop(0),
  serverToolStart(1),
  json(1, '{"query":"x"}'),
  blockStop(1),
  toolStart(2, 'toolu_a', 'read'),
  json(2, ''),
  json(2, '{"file_pa'),
  json(2, 'th": "a'),
  json(2, '.ts"}'),
  blockStop(2),
  toolStart(3, 'toolu_b', 'read'),
  json(3, '{"file_path": "b.ts"}'),
  blockStop(3),
  toolStart(4, 'toolu_c', 'list'),
  blockStop(4),
  toolStart(5, 'toolu_d', 'read', { file_path: 'd.ts' }),
  blockStop(5),
  ...end('tool_use'),
];
