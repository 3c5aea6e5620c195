/** The parts of a VS Code language model's response: each call comes whole. */
import { adapt, createReader, ended, type StreamReader } from './adapt.ts';
import type { StreamEvent } from './streamEvent.ts';

/** @param parts `LanguageModelChatResponse.stream`. Told by their shape, as core knows no `vscode`. */
export function fromVsCodeStream(
  parts: AsyncIterable<unknown>,
): AsyncGenerator<StreamEvent, void, undefined> {
  return adapt(parts, createVsCodeReader());
}

/** The end of the stream is the message's end, and nothing says why it ended: an error is thrown instead. */
export function createVsCodeReader(): StreamReader {
  let calls = 0;
  return createReader({
    *read(part) {
      const { callId, name } = part;
      if (typeof callId !== 'string' || typeof name !== 'string' || !('input' in part)) return;
      const index = calls++;
      const text = JSON.stringify(part.input);
      yield { type: 'call-opened', index, id: callId, name };
      if (text !== undefined) yield { type: 'input-fragment', index, text };
      yield { type: 'call-closed', index };
    },
    end: () => [ended(undefined, false)],
  });
}
