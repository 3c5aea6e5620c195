import type OpenAI from 'openai';
import { Stream } from 'openai/core/streaming';
import { describe, expect, test } from 'vitest';
import { createOpenAiReader, fromOpenAiStream } from '../../../../src/core/stream/openAi.ts';
import { createOpenAiResponsesReader } from '../../../../src/core/stream/openAiResponses.ts';
import { checkCuts, collect, readAll, source, told } from './adapterHelpers.ts';
import {
  added,
  argumentsDone,
  completed,
  created,
  delta,
  errorEvent,
  failed,
  incomplete,
  itemDone,
  reasoning,
  responseOfThree,
} from './openAiEvents.ts';

const read = (...events: unknown[]) => told(readAll(createOpenAiResponsesReader(), events));
const ENDED_EARLY = 'broken: The stream ended before the message did.';
const THREE = [
  'open 0 call_1 read',
  '0 + {"file_pa',
  '0 + th":"a.ts"}',
  'close 0',
  'open 1 call_2 read',
  '1 + {"file_path":',
  '1 + "b.ts"}',
  'close 1',
  'open 2 call_3 list',
  'close 2',
  'end completed',
];

describe('a response', () => {
  test('of reasoning and calls: the calls, counted from 0, with what the pieces left out', () => {
    expect(read(...responseOfThree)).toEqual(THREE);
  });

  test('is told from chat chunks by its shape', () => {
    expect(told(readAll(createOpenAiReader(), responseOfThree))).toEqual(THREE);
    expect(told(readAll(createOpenAiReader(), [errorEvent('Bad key.')]))).toEqual(['broken: Bad key.']);
    const later = readAll(createOpenAiReader(), [created(), added(0), errorEvent('Bad key.')]);
    expect(told(later)).toEqual(['open 0 call_0 read', 'broken: Bad key.']);
  });

  test('that is cut before any of its events is broken, and no unfinished call counts as complete', () => {
    checkCuts(createOpenAiResponsesReader, responseOfThree, ({ type }) => type === 'response.completed');
    checkCuts(createOpenAiReader, responseOfThree, ({ type }) => type === 'response.completed');
  });

  test('calls that arrive in turns are kept apart', () => {
    expect(
      read(
        added(0),
        added(1),
        delta(1, '{"b":'),
        delta(0, '{"a":1}'),
        delta(1, '2}'),
        itemDone(1, '{"b":2}'),
      ),
    ).toEqual([
      'open 0 call_0 read',
      'open 1 call_1 read',
      '1 + {"b":',
      '0 + {"a":1}',
      '1 + 2}',
      'close 1',
      ENDED_EARLY,
    ]);
  });

  test('of a server whose items have another id in each event: the output index tells them apart', () => {
    expect(
      read(
        added(0, { id: 'x1' }),
        added(1, { id: 'x2' }),
        delta(0, '{"a":1}', 'x3'),
        argumentsDone(0, '{"a":1}', 'x4'),
        itemDone(0, '{"a":1}', { id: 'x5' }),
        itemDone(1, '{"b":2}', { id: 'x6' }),
        completed(),
      ),
    ).toEqual([
      'open 0 call_0 read',
      'open 1 call_1 read',
      '0 + {"a":1}',
      'close 0',
      '1 + {"b":2}',
      'close 1',
      'end completed',
    ]);
  });

  test('of a server that gives all items one output index: their ids tell them apart', () => {
    const [a, b] = [
      { id: 'fc_a', call_id: 'A' },
      { id: 'fc_b', call_id: 'B' },
    ];
    expect(
      read(
        added(0, a),
        added(0, b),
        delta(0, '{"a":1}', 'fc_a'),
        delta(0, '{"b":2}', 'fc_b'),
        itemDone(0, '{"a":1}', a),
        itemDone(0, '{"b":2}', b),
        completed(),
      ),
    ).toEqual([
      'open 0 A read',
      'open 1 B read',
      '0 + {"a":1}',
      '1 + {"b":2}',
      'close 0',
      'close 1',
      'end completed',
    ]);
  });

  test('of a server that only tells what is done: each call at once', () => {
    expect(
      read(itemDone(0, '{"a":1}', { call_id: 'A' }), itemDone(0, '{"b":2}', { call_id: 'B' }), completed()),
    ).toEqual([
      'open 0 A read',
      '0 + {"a":1}',
      'close 0',
      'open 1 B read',
      '1 + {"b":2}',
      'close 1',
      'end completed',
    ]);
  });

  test('what is told twice counts once', () => {
    const whole = '{"a":1}';
    const events = [added(0), added(0), itemDone(0, whole), argumentsDone(0, whole), itemDone(0, whole)];
    expect(read(...events, completed())).toEqual([
      'open 0 call_0 read',
      '0 + {"a":1}',
      'close 0',
      'end completed',
    ]);
  });
});

describe('case 12: a response that was cut off', () => {
  test('closes what was complete, and leaves the rest open', () => {
    expect(
      read(
        added(0),
        itemDone(0, '{"a":1}'),
        added(1, { name: 'write' }),
        delta(1, '{"path":"a.md","content":"abc'),
        itemDone(1, '{"path":"a.md","content":"abc', { status: 'incomplete' }),
        incomplete('max_output_tokens'),
      ),
    ).toEqual([
      'open 0 call_0 read',
      '0 + {"a":1}',
      'close 0',
      'open 1 call_1 write',
      '1 + {"path":"a.md","content":"abc',
      'end max_output_tokens, cut off',
    ]);
  });

  test('without a reason is cut off all the same', () => {
    expect(read(incomplete())).toEqual(['end incomplete, cut off']);
  });
});

describe('what makes no sense, and what failed, breaks the stream', () => {
  test.each([
    ['pieces before their call', [delta(1, '{}')], 'Arguments came for a tool call that had not begun.'],
    [
      'whole arguments before their call',
      [argumentsDone(1, '{}')],
      'Arguments came for a tool call that had not begun.',
    ],
    [
      'pieces after the end of their call',
      [itemDone(0, '{}'), delta(0, '{}')],
      'Arguments came for a tool call after its end.',
    ],
    [
      'whole arguments that differ from the pieces',
      [delta(0, '{"a":1'), argumentsDone(0, '{"a":2}')],
      'The whole arguments of a tool call differ from the pieces sent before.',
    ],
    [
      'an item that differs from the pieces',
      [delta(0, '{"a":1'), itemDone(0, '')],
      'The whole arguments of a tool call differ from the pieces sent before.',
    ],
    ['a call without id', [added(1, { call_id: '' })], 'A tool call began without an id or a name.'],
    ['a failed response', [failed('The server had an error.')], 'The server had an error.'],
    ['an error', [errorEvent('Rate limit reached.')], 'Rate limit reached.'],
    ['an error inside', [{ type: 'error', error: { message: 'Too long.' } }], 'Too long.'],
    [
      'a failure without words',
      [{ type: 'response.failed' }],
      'The provider reported an error without saying which.',
    ],
    ['a cancelled response', [{ type: 'response.cancelled' }], 'The response was cancelled.'],
  ])('%s', (_name, events, reason) => {
    const lines = read(added(0), ...events, added(5), completed());
    expect(lines.at(-1)).toBe(`broken: ${reason}`);
    expect(lines.filter((line) => line.startsWith('broken'))).toHaveLength(1);
  });
});

test('what does no harm is passed over: other items, unknown events, empty pieces, events without content', () => {
  expect(
    read(
      created(),
      reasoning(0),
      null,
      [],
      { type: 'response.new_kind' },
      { type: 'response.output_item.added', output_index: 4 },
      {
        type: 'response.output_item.done',
        output_index: 4,
        item: { type: 'custom_tool_call', call_id: 'x' },
      },
      { type: 'response.custom_tool_call_input.delta', output_index: 4, delta: 'text' },
      { type: 'response.function_call_arguments.delta', output_index: 9, delta: '' },
      { type: 'response.function_call_arguments.done', output_index: 9 },
      completed(),
    ),
  ).toEqual(['end completed']);
});

describe('as a stream', () => {
  test('a source that throws breaks it, with the error as the reason', async () => {
    const events = source([created(), added(0)], new Error('socket hang up'));
    expect(told(await collect(fromOpenAiStream(events)))).toEqual([
      'open 0 call_0 read',
      'broken: socket hang up',
    ]);
  });

  test('recorded bytes, decoded by the SDK', async () => {
    const stream = Stream.fromSSEResponse<OpenAI.Responses.ResponseStreamEvent>(
      new Response(RECORDED),
      new AbortController(),
    );
    expect(told(await collect(fromOpenAiStream(stream)))).toEqual([
      'open 0 call_unLAR8MvFNptuiZK6K6HCy5k get_weather',
      '0 + {"',
      '0 + location":"Paris"}',
      'close 0',
      'end completed',
    ]);
  });
});

const RECORDED = `event: response.created
data: {"type":"response.created","sequence_number":0,"response":{"id":"resp_67ca","object":"response","created_at":1741290958,"status":"in_progress","error":null,"incomplete_details":null,"output":[]}}

event: response.output_item.added
data: {"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"type":"function_call","id":"fc_67ca","call_id":"call_unLAR8MvFNptuiZK6K6HCy5k","name":"get_weather","arguments":"","status":"in_progress"}}

event: response.function_call_arguments.delta
data: {"type":"response.function_call_arguments.delta","sequence_number":2,"item_id":"fc_67ca","output_index":0,"delta":"{\\""}

event: response.function_call_arguments.delta
data: {"type":"response.function_call_arguments.delta","sequence_number":3,"item_id":"fc_67ca","output_index":0,"delta":"location\\":\\"Paris\\"}"}

event: response.function_call_arguments.done
data: {"type":"response.function_call_arguments.done","sequence_number":4,"item_id":"fc_67ca","output_index":0,"arguments":"{\\"location\\":\\"Paris\\"}"}

event: response.output_item.done
data: {"type":"response.output_item.done","sequence_number":5,"output_index":0,"item":{"type":"function_call","id":"fc_67ca","call_id":"call_unLAR8MvFNptuiZK6K6HCy5k","name":"get_weather","arguments":"{\\"location\\":\\"Paris\\"}","status":"completed"}}

event: response.completed
data: {"type":"response.completed","sequence_number":6,"response":{"id":"resp_67ca","object":"response","created_at":1741290958,"status":"completed","error":null,"incomplete_details":null,"output":[]}}

`;
