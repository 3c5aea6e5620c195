/** The SDKs' own streams fit the adapters without a cast: the compiler checks this file, see `npm run check`. */
import type Anthropic from '@anthropic-ai/sdk';
import type { MessageStream } from '@anthropic-ai/sdk/lib/MessageStream';
import type OpenAI from 'openai';
import type { Stream } from 'openai/core/streaming';
import type { ChatCompletionStream } from 'openai/lib/ChatCompletionStream';
import type { ResponseStream } from 'openai/lib/responses/ResponseStream';
import { expect, test } from 'vitest';
import type { LanguageModelChatResponse } from 'vscode';
import { fromAnthropicStream } from '../../../../src/core/stream/anthropic.ts';
import { fromOpenAiStream } from '../../../../src/core/stream/openAi.ts';
import type { StreamEvent } from '../../../../src/core/stream/streamEvent.ts';
import { fromVsCodeStream } from '../../../../src/core/stream/vscodeParts.ts';

type Takes<Source> = (source: Source) => AsyncIterable<StreamEvent>;

test('what the SDKs give, the adapters take', () => {
  const anthropic: {
    events: Takes<AsyncIterable<Anthropic.RawMessageStreamEvent>>;
    beta: Takes<AsyncIterable<Anthropic.Beta.BetaRawMessageStreamEvent>>;
    helper: Takes<MessageStream>;
  } = { events: fromAnthropicStream, beta: fromAnthropicStream, helper: fromAnthropicStream };
  const openAi: {
    chunks: Takes<Stream<OpenAI.Chat.Completions.ChatCompletionChunk>>;
    chunksHelper: Takes<ChatCompletionStream>;
    responses: Takes<Stream<OpenAI.Responses.ResponseStreamEvent>>;
    responsesHelper: Takes<ResponseStream>;
  } = {
    chunks: fromOpenAiStream,
    chunksHelper: fromOpenAiStream,
    responses: fromOpenAiStream,
    responsesHelper: fromOpenAiStream,
  };
  const vscode: Takes<LanguageModelChatResponse['stream']> = fromVsCodeStream;
  // @ts-expect-error -- A stream of another kind is no stream of Anthropic's.
  const wrong: Takes<Stream<OpenAI.Chat.Completions.ChatCompletionChunk>> = fromAnthropicStream;
  for (const adapter of [...Object.values(anthropic), ...Object.values(openAi), vscode, wrong])
    expect(adapter).toBeTypeOf('function');
});
