/** Anthropic's message stream (https://platform.claude.com/docs/en/build-with-claude/streaming). */
import { isRecord } from '../record.ts';
import { adapt, broken, createReader, ended, type StreamReader, sentenceOf } from './adapt.ts';
import type { StreamEvent } from './streamEvent.ts';

/** What is read of an event. The SDK's `RawMessageStreamEvent` is one. */
export interface AnthropicStreamEvent {
  readonly type: string;
  readonly index?: number;
  readonly content_block?: {
    readonly type: string;
    readonly id?: string;
    readonly name?: string;
    readonly input?: unknown;
  };
  /** With `partial_json` or `stop_reason`. */
  readonly delta?: object;
}

/** The model did not end these messages itself. */
const CUT_OFF: ReadonlySet<string> = new Set(['max_tokens', 'model_context_window_exceeded', 'refusal']);

interface Block {
  /** A call for us to run. What the provider runs itself (`server_tool_use`, `mcp_tool_use`) is none. */
  readonly isCall: boolean;
  /** Input that came whole with the start. It counts only if no deltas follow. */
  whole: string;
  closed: boolean;
}

export function fromAnthropicStream(
  events: AsyncIterable<AnthropicStreamEvent>,
): AsyncGenerator<StreamEvent, void, undefined> {
  return adapt(events, createAnthropicReader());
}

/**
 * A call's index is that of its content block. The provider sends a block's stop even where the token limit cut the
 * block, so a closed call of a message that was cut off may be incomplete.
 */
export function createAnthropicReader(): StreamReader {
  const blocks = new Map<number, Block>();
  let stopReason: string | undefined;

  function* start(index: unknown, block: unknown): Iterable<StreamEvent> {
    if (!isRecord(block)) return;
    if (typeof index === 'number' && blocks.get(index)?.isCall)
      return yield broken(`Block ${index}, which holds a tool call, began a second time.`);
    if (block.type !== 'tool_use') {
      if (typeof index === 'number') blocks.set(index, { isCall: false, whole: '', closed: false });
      return;
    }
    const { id, name, input } = block;
    if (typeof index !== 'number' || typeof id !== 'string' || id === '' || typeof name !== 'string')
      return yield broken('A tool call began without an index, an id or a name.');
    const given = isRecord(input) && Object.keys(input).length > 0;
    blocks.set(index, { isCall: true, whole: given ? (JSON.stringify(input) ?? '') : '', closed: false });
    yield { type: 'call-opened', index, id, name };
  }

  function* delta(index: unknown, change: unknown): Iterable<StreamEvent> {
    if (!isRecord(change) || change.type !== 'input_json_delta') return;
    const text = change.partial_json;
    if (typeof text !== 'string' || text === '') return;
    const block = typeof index === 'number' ? blocks.get(index) : undefined;
    if (typeof index !== 'number' || !block)
      return yield broken('Input came for a block that had not begun.');
    if (!block.isCall) return;
    if (block.closed) return yield broken(`Input came for block ${index} after its end.`);
    block.whole = '';
    yield { type: 'input-fragment', index, text };
  }

  function* stop(index: unknown): Iterable<StreamEvent> {
    if (typeof index !== 'number') return;
    const block = blocks.get(index);
    if (!block?.isCall || block.closed) return;
    block.closed = true;
    if (block.whole !== '') yield { type: 'input-fragment', index, text: block.whole };
    yield { type: 'call-closed', index };
  }

  function* read(event: Readonly<Record<string, unknown>>): Iterable<StreamEvent> {
    switch (event.type) {
      case 'message_start':
        if ([...blocks.values()].some(({ isCall }) => isCall))
          yield broken('A second message began before the first had ended.');
        return;
      case 'content_block_start':
        return yield* start(event.index, event.content_block);
      case 'content_block_delta':
        return yield* delta(event.index, event.delta);
      case 'content_block_stop':
        return yield* stop(event.index);
      case 'message_delta':
        if (isRecord(event.delta) && typeof event.delta.stop_reason === 'string')
          stopReason = event.delta.stop_reason;
        return;
      case 'message_stop':
        return yield ended(stopReason, stopReason !== undefined && CUT_OFF.has(stopReason));
      case 'error':
        return yield broken(sentenceOf(event));
    }
  }

  return createReader({ read });
}
