import type OpenAI from 'openai';
import { Stream } from 'openai/core/streaming';
import { describe, expect, test } from 'vitest';
import { createOpenAiReader, fromOpenAiStream } from '../../../../src/core/stream/openAi.ts';
import { createOpenAiChatReader } from '../../../../src/core/stream/openAiChat.ts';
import { checkCuts, collect, readAll, source, told } from './adapterHelpers.ts';
import {
  chatOfThree,
  chunk,
  finish,
  first,
  item,
  more,
  sloppy,
  toolCalls,
  usageChunk,
} from './openAiEvents.ts';

const read = (...events: unknown[]) => told(readAll(createOpenAiChatReader(), events));
const ENDED_EARLY = 'broken: The stream ended before the message did.';

const THREE = [
  'open 0 call_a read',
  '0 + {"file_pa',
  '0 + th":"a.ts"',
  '0 + }',
  'close 0',
  'open 1 call_b read',
  '1 + {"file_path":',
  '1 + "b.ts"}',
  'close 1',
  'open 2 call_c list',
  'close 2',
  'end tool_calls',
];

describe('a message', () => {
  test('of calls in pieces: a call is closed when it is one whole object and a later call has begun', () => {
    expect(read(...chatOfThree)).toEqual(THREE);
  });

  test('is told from Responses events by its shape', () => {
    expect(told(readAll(createOpenAiReader(), chatOfThree))).toEqual(THREE);
    expect(told(readAll(createOpenAiReader(), [{ error: { message: 'Bad key.' } }]))).toEqual([
      'broken: Bad key.',
    ]);
    expect(told(readAll(createOpenAiReader(), [{ id: 'ping' }]))).toEqual([ENDED_EARLY]);
  });

  test('that is cut before any of its events is broken, and no unfinished call counts as complete', () => {
    const isEnd = ({ choices }: (typeof chatOfThree)[number]) => choices[0]?.finish_reason === 'tool_calls';
    checkCuts(createOpenAiChatReader, chatOfThree, isEnd);
    checkCuts(createOpenAiReader, chatOfThree, isEnd);
  });

  test('of text alone has no calls', () => {
    expect(read(chunk({ role: 'assistant', content: 'Done.' }), finish('stop'), usageChunk)).toEqual([
      'end stop',
    ]);
  });

  test('whose last calls come with the reason to stop', () => {
    const { choices, ...rest } = first(0, 'A', 'f', '{"c":1}');
    expect(read({ ...rest, choices: [{ ...choices[0], finish_reason: 'tool_calls' }] })).toEqual([
      'open 0 A f',
      '0 + {"c":1}',
      'close 0',
      'end tool_calls',
    ]);
  });

  test('that stops with another word than tool_calls: the calls count', () => {
    expect(read(first(0, 'A', 'f', '{"c":1}'), finish('stop'))).toEqual([
      'open 0 A f',
      '0 + {"c":1}',
      'close 0',
      'end stop',
    ]);
  });

  test('calls in turns: a call with others behind it is closed when its text is one whole object', () => {
    expect(
      read(first(0, 'A', 'f', '{"c"'), first(1, 'B', 'f', '{"c"'), more(0, ':1}'), more(1, ':2}')),
    ).toEqual([
      'open 0 A f',
      '0 + {"c"',
      'open 1 B f',
      '1 + {"c"',
      '0 + :1}',
      'close 0',
      '1 + :2}',
      ENDED_EARLY,
    ]);
  });

  test('brackets and quotes in strings end nothing', () => {
    const whole = String.raw`{"a":"}\"}\\","b":[{"c":"{"}]}`;
    const pieces = [...whole].map((text) => more(0, text));
    const lines = read(first(0, 'A', 'f'), first(1, 'B', 'f'), ...pieces.slice(0, -1));
    expect(lines).not.toContain('close 0');
    expect(read(first(0, 'A', 'f'), first(1, 'B', 'f'), ...pieces)).toContain('close 0');
  });

  test('of which only the first choice counts', () => {
    const [choice] = first(0, 'X', 'g', '{}').choices;
    const other = { ...first(0, 'A', 'f', '{"c":1}'), choices: [{ ...choice, index: 1 }] };
    expect(read(other, { ...other, choices: [{ index: 1, delta: {}, finish_reason: 'stop' }] })).toEqual([
      ENDED_EARLY,
    ]);
    expect(read({ choices: [{ delta: choice!.delta }, { delta: choice!.delta }] })).toEqual([
      'open 0 X g',
      '0 + {}',
      ENDED_EARLY,
    ]);
  });

  test('with the function_call of old: one call, whose id is made up', () => {
    expect(
      read(
        chunk({ function_call: { name: 'f', arguments: '' } }),
        chunk({ function_call: { arguments: '{"c"' } }),
        chunk({ function_call: { arguments: ':1}' } }),
        finish('function_call'),
      ),
    ).toEqual(['open 0 call_1 f', '0 + {"c"', '0 + :1}', 'close 0', 'end function_call']);
  });
});

describe('case 12: a message that was cut off', () => {
  test.each(['length', 'content_filter', 'model_length', 'insufficient_system_resource'])(
    'by %s: only what is one whole object is closed',
    (reason) => {
      expect(
        read(
          first(0, 'A', 'f', '{"c":1}'),
          first(1, 'B', 'list'),
          first(2, 'C', 'write', '{"path":"a.md","content":"abc'),
          { choices: [{ index: 0, delta: {}, finish_reason: reason }] },
        ),
      ).toEqual([
        'open 0 A f',
        '0 + {"c":1}',
        'close 0',
        'open 1 B list',
        'open 2 C write',
        '2 + {"path":"a.md","content":"abc',
        `end ${reason}, cut off`,
      ]);
    },
  );

  test('a last call that is one whole object is closed', () => {
    expect(read(first(0, 'A', 'f', '{"c":1}'), finish('length'))).toEqual([
      'open 0 A f',
      '0 + {"c":1}',
      'close 0',
      'end length, cut off',
    ]);
  });
});

test('case 13: without arguments, or with spaces, a call is closed by the end of the message and not before', () => {
  const events = [first(0, 'A', 'list'), first(1, 'B', 'list', ' '), first(2, 'C', 'list')];
  const begun = ['open 0 A list', 'open 1 B list', '1 +  ', 'open 2 C list'];
  expect(read(...events)).toEqual([...begun, ENDED_EARLY]);
  expect(read(...events, finish('tool_calls'))).toEqual([
    ...begun,
    'close 0',
    'close 1',
    'close 2',
    'end tool_calls',
  ]);
});

test('arguments that come as an object become its text', () => {
  expect(
    read(sloppy(item(0, 'A', 'f', { c: 1 })), sloppy(item(1, 'B', 'f', null)), finish('tool_calls')),
  ).toEqual(['open 0 A f', '0 + {"c":1}', 'close 0', 'open 1 B f', 'close 1', 'end tool_calls']);
});

describe('what makes no sense, and what failed, breaks the stream', () => {
  test('more input for a call that was complete', () => {
    expect(
      read(first(0, 'A', 'f', '{}'), first(1, 'B', 'f', '{}'), more(0, ' '), more(0, '{}'), finish('stop')),
    ).toEqual([
      'open 0 A f',
      '0 + {}',
      'close 0',
      'open 1 B f',
      '1 + {}',
      'broken: More input came for call "f", which was complete.',
    ]);
  });

  test.each([
    ['an error in place of a chunk', { error: { message: 'Out of memory.' } }, 'Out of memory.'],
    ['an error event', { type: 'error', message: 'Out of memory.' }, 'Out of memory.'],
    ['an error in words', { error: 'Out of memory.' }, 'Out of memory.'],
    [
      'an error as the reason to stop',
      { choices: [{ index: 0, delta: {}, finish_reason: 'error' }] },
      'The provider reported an error without saying which.',
    ],
  ])('%s', (_name, event, reason) => {
    expect(read(first(0, 'A', 'f', '{}'), event, finish('stop'))).toEqual([
      'open 0 A f',
      '0 + {}',
      `broken: ${reason}`,
    ]);
  });
});

test('what does no harm is passed over: chunks without choices, custom tools, empty reasons, no error', () => {
  expect(
    read(
      null,
      { object: 'ping' },
      { choices: null },
      { choices: [null, 'x'], error: null },
      { choices: [{ index: 0, delta: null, finish_reason: '' }] },
      { choices: [{ index: 0, delta: { tool_calls: null, function_call: null } }] },
      { choices: [{ index: 0, delta: { tool_calls: [null, 'x', { type: 'custom', id: 'X' }] } }] },
      toolCalls({ index: 0, custom: { name: 'patch', input: 'text' } }),
      usageChunk,
      finish('stop'),
    ),
  ).toEqual(['end stop']);
});

describe('as a stream', () => {
  test('a source that throws breaks it, with the error as the reason', async () => {
    const events = source([first(0, 'A', 'f')], new Error('socket hang up'));
    expect(told(await collect(fromOpenAiStream(events)))).toEqual(['open 0 A f', 'broken: socket hang up']);
  });

  test('recorded bytes, decoded by the SDK', async () => {
    const stream = Stream.fromSSEResponse<OpenAI.Chat.Completions.ChatCompletionChunk>(
      new Response(RECORDED),
      new AbortController(),
    );
    expect(told(await collect(fromOpenAiStream(stream)))).toEqual([
      'open 0 call_DdmO9pD3xa9XTPNJ32zg2hcA get_weather',
      '0 + {"location":',
      '0 + "Paris"}',
      'close 0',
      'end tool_calls',
    ]);
  });

  test('recorded bytes that end in an error, decoded by the SDK, which throws it', async () => {
    const cut = RECORDED.slice(0, RECORDED.lastIndexOf('data: {"id"'));
    const failed = `${cut}data: {"error":{"message":"Out of memory.","code":500}}\n\n`;
    const stream = Stream.fromSSEResponse<OpenAI.Chat.Completions.ChatCompletionChunk>(
      new Response(failed),
      new AbortController(),
    );
    const lines = told(await collect(fromOpenAiStream(stream)));
    expect(lines.at(-1)).toMatch(/^broken: .*Out of memory/);
    expect(lines).not.toContain('close 0');
  });
});

const RECORDED = `data: {"id":"chatcmpl-123","object":"chat.completion.chunk","created":1760000000,"model":"gpt-4o","choices":[{"index":0,"delta":{"role":"assistant","content":null},"finish_reason":null}]}

data: {"id":"chatcmpl-123","object":"chat.completion.chunk","created":1760000000,"model":"gpt-4o","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_DdmO9pD3xa9XTPNJ32zg2hcA","type":"function","function":{"name":"get_weather","arguments":""}}]},"finish_reason":null}]}

data: {"id":"chatcmpl-123","object":"chat.completion.chunk","created":1760000000,"model":"gpt-4o","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\\"location\\":"}}]},"finish_reason":null}]}

data: {"id":"chatcmpl-123","object":"chat.completion.chunk","created":1760000000,"model":"gpt-4o","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\\"Paris\\"}"}}]},"finish_reason":null}]}

data: {"id":"chatcmpl-123","object":"chat.completion.chunk","created":1760000000,"model":"gpt-4o","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}

data: [DONE]

`;
