/** OpenAI's Responses events (https://platform.openai.com/docs/api-reference/responses-streaming). */
import { isRecord } from '../record.ts';
import { broken, createReader, ended, type StreamReader, sentenceOf } from './adapt.ts';
import type { StreamEvent } from './streamEvent.ts';

/** Any event: what more is read depends on its type. The SDK's `ResponseStreamEvent` is one. */
export interface OpenAiResponsesEvent {
  readonly type: string;
}

type Event = Readonly<Record<string, unknown>>;

interface Call {
  readonly index: number;
  readonly id: string;
  sent: string;
  closed: boolean;
}

/** Calls are counted from 0 in their order. What the provider runs itself, and custom tools, are none of ours. */
export function createOpenAiResponsesReader(): StreamReader {
  const byItem = new Map<string, Call>();
  const byOutput = new Map<number, Call>();
  let count = 0;

  /** Some servers give an item another id in each event, others one `output_index` to all: a known id says more. */
  function find({ output_index: output, item_id, item }: Event): Call | undefined {
    const id = item_id ?? (isRecord(item) ? item.id : undefined);
    const call = typeof id === 'string' ? byItem.get(id) : undefined;
    return call ?? (typeof output === 'number' ? byOutput.get(output) : undefined);
  }

  function* open(event: Event, item: Event): Iterable<StreamEvent> {
    const { call_id: id, name } = item;
    if (typeof id !== 'string' || id === '' || typeof name !== 'string')
      return yield broken('A tool call began without an id or a name.');
    if (find(event)?.id === id) return;
    const call: Call = { index: count++, id, sent: '', closed: false };
    if (typeof item.id === 'string') byItem.set(item.id, call);
    if (typeof event.output_index === 'number') byOutput.set(event.output_index, call);
    yield { type: 'call-opened', index: call.index, id, name };
  }

  function* write(call: Call | undefined, text: unknown): Iterable<StreamEvent> {
    if (typeof text !== 'string' || text === '') return;
    if (!call) return yield broken('Arguments came for a tool call that had not begun.');
    if (call.closed) return yield broken('Arguments came for a tool call after its end.');
    call.sent += text;
    yield { type: 'input-fragment', index: call.index, text };
  }

  /** The whole arguments: what the deltas left out is still to be sent. */
  function* complete(call: Call | undefined, whole: unknown): Iterable<StreamEvent> {
    if (typeof whole !== 'string') return;
    const sent = call?.sent ?? '';
    if (!whole.startsWith(sent))
      return yield broken('The whole arguments of a tool call differ from the pieces sent before.');
    yield* write(call, whole.slice(sent.length));
  }

  function* done(event: Event, item: Event): Iterable<StreamEvent> {
    const begun = find(event);
    // A server may leave out that an item was added, and give each item the same `output_index`.
    if (!begun || (begun.closed && begun.id !== item.call_id)) yield* open(event, item);
    const call = find(event);
    yield* complete(call, item.arguments);
    if (!call || call.closed || item.status === 'incomplete') return;
    call.closed = true;
    yield { type: 'call-closed', index: call.index };
  }

  function* read(event: Event): Iterable<StreamEvent> {
    const response = isRecord(event.response) ? event.response : {};
    const item = isRecord(event.item) && event.item.type === 'function_call' ? event.item : undefined;
    switch (event.type) {
      case 'response.output_item.added':
        if (item) yield* open(event, item);
        return;
      case 'response.function_call_arguments.delta':
        return yield* write(find(event), event.delta);
      case 'response.function_call_arguments.done':
        return yield* complete(find(event), event.arguments);
      case 'response.output_item.done':
        if (item) yield* done(event, item);
        return;
      case 'response.completed':
        return yield ended('completed', false);
      case 'response.incomplete':
        return yield ended(reasonOf(response.incomplete_details), true);
      case 'response.failed':
        return yield broken(sentenceOf(response));
      case 'response.cancelled':
        return yield broken('The response was cancelled.');
      case 'error':
        return yield broken(sentenceOf(event));
    }
  }

  return createReader({ read });
}

function reasonOf(details: unknown): string {
  return isRecord(details) && typeof details.reason === 'string' ? details.reason : 'incomplete';
}
