/** OpenAI's two formats behind one name: what an event looks like says which it is. */
import { adapt, createReader, type StreamReader } from './adapt.ts';
import { createOpenAiChatReader, type OpenAiChatChunk } from './openAiChat.ts';
import { createOpenAiResponsesReader, type OpenAiResponsesEvent } from './openAiResponses.ts';
import type { StreamEvent } from './streamEvent.ts';

export type OpenAiStreamEvent = OpenAiChatChunk | OpenAiResponsesEvent;

export function fromOpenAiStream(
  events: AsyncIterable<OpenAiStreamEvent>,
): AsyncGenerator<StreamEvent, void, undefined> {
  return adapt(events, createOpenAiReader());
}

/** The first event that is told by its shape decides for the whole message. */
export function createOpenAiReader(): StreamReader {
  const chat = createOpenAiChatReader();
  let reader: StreamReader | undefined;
  return createReader({
    *read(event) {
      reader ??= readerFor(event, chat);
      if (reader) yield* reader.read(event);
    },
    end: () => (reader ?? chat).end(),
  });
}

function readerFor(event: Readonly<Record<string, unknown>>, chat: StreamReader): StreamReader | undefined {
  if (typeof event.type === 'string' && event.type.startsWith('response.'))
    return createOpenAiResponsesReader();
  return 'choices' in event || 'error' in event || event.type === 'error' ? chat : undefined;
}
