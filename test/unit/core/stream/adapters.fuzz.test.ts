/** Whatever a provider sends, and however a connection mangles it: readers never throw, and their streams obey the laws. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StreamReader } from '../../../../src/core/stream/adapt.ts';
import { createAnthropicReader } from '../../../../src/core/stream/anthropic.ts';
import { createOpenAiReader } from '../../../../src/core/stream/openAi.ts';
import { createOpenAiChatReader } from '../../../../src/core/stream/openAiChat.ts';
import { createOpenAiResponsesReader } from '../../../../src/core/stream/openAiResponses.ts';
import { createVsCodeReader } from '../../../../src/core/stream/vscodeParts.ts';
import { callsOf, readAll } from './adapterHelpers.ts';
import { twoReads } from './anthropicEvents.ts';
import { chatOfThree, responseOfThree } from './openAiEvents.ts';

const parts = ['a', 'b'].map((callId) => ({ callId, name: 'read', input: { callId } }));
const FORMATS: readonly [string, () => StreamReader, readonly unknown[]][] = [
  ['Anthropic', createAnthropicReader, twoReads],
  ['OpenAI chat', createOpenAiChatReader, chatOfThree],
  ['OpenAI Responses', createOpenAiResponsesReader, responseOfThree],
  ['OpenAI', createOpenAiReader, [...chatOfThree, ...responseOfThree]],
  ['VS Code', createVsCodeReader, parts],
];

/** Values that look enough like events to be read: the words of the formats, at places where they may not belong. */
const word = fc.constantFrom('', 'a', 'b', ' ', '{', '}', '{}', '{"a":1}', '"', '\\');
const key = fc.oneof(fc.integer({ min: 0, max: 2 }), fc.constantFrom(null, undefined, 'x', Number.NaN, -1));
const someText = fc.oneof({ weight: 8, arbitrary: word }, { weight: 1, arbitrary: fc.anything() });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary }, { weight: 1, arbitrary: fc.anything() });

const anthropicLike = fc.record(
  {
    type: fc.constantFrom(
      'message_start',
      ...Array(4).fill('content_block_start'),
      ...Array(6).fill('content_block_delta'),
      ...Array(3).fill('content_block_stop'),
      'message_delta',
      'message_stop',
      'error',
      'ping',
    ),
    index: key,
    content_block: maybe(
      fc.record(
        {
          type: fc.constantFrom('tool_use', 'tool_use', 'text', 'server_tool_use'),
          id: someText,
          name: someText,
          input: fc.anything(),
        },
        { requiredKeys: ['type'] },
      ),
    ),
    delta: maybe(
      fc.record(
        { type: fc.constant('input_json_delta'), partial_json: someText, stop_reason: someText },
        { requiredKeys: ['type'] },
      ),
    ),
    error: fc.anything(),
  },
  { requiredKeys: ['type'] },
);

const tool = fc.record(
  {
    index: key,
    id: someText,
    type: fc.constantFrom('function', 'function', 'custom'),
    function: maybe(fc.record({ name: someText, arguments: someText }, { requiredKeys: [] })),
  },
  { requiredKeys: [] },
);
const chatLike = fc.record(
  {
    choices: maybe(
      fc.array(
        maybe(
          fc.record(
            {
              index: fc.constantFrom(0, 0, 0, 1, null),
              delta: maybe(
                fc.record(
                  {
                    tool_calls: maybe(fc.array(maybe(tool), { maxLength: 3 })),
                    function_call: fc.anything(),
                  },
                  { requiredKeys: [] },
                ),
              ),
              finish_reason: fc.constantFrom(null, null, null, null, '', 'stop', 'length', 7),
            },
            { requiredKeys: [] },
          ),
        ),
        { maxLength: 2 },
      ),
    ),
    error: fc.constantFrom(null, null, null, {}, 'bad'),
  },
  { requiredKeys: ['choices'] },
);

const responsesLike = fc.record(
  {
    type: fc.constantFrom(
      ...Array(3).fill('response.output_item.added'),
      ...Array(5).fill('response.function_call_arguments.delta'),
      ...Array(2).fill('response.function_call_arguments.done'),
      ...Array(2).fill('response.output_item.done'),
      'response.created',
      'response.completed',
      'response.incomplete',
      'response.failed',
      'error',
    ),
    output_index: key,
    item_id: someText,
    delta: someText,
    arguments: someText,
    item: maybe(
      fc.record(
        {
          type: fc.constantFrom('function_call', 'function_call', 'reasoning'),
          id: someText,
          call_id: someText,
          name: someText,
          arguments: someText,
          status: fc.constantFrom('completed', 'incomplete', undefined),
        },
        { requiredKeys: ['type'] },
      ),
    ),
    response: fc.anything(),
  },
  { requiredKeys: ['type'] },
);

const partLike = fc.record({ callId: someText, name: someText, input: fc.anything() }, { requiredKeys: [] });

const anyEvent = fc.oneof(
  { weight: 4, arbitrary: anthropicLike },
  { weight: 4, arbitrary: chatLike },
  { weight: 4, arbitrary: responsesLike },
  { weight: 2, arbitrary: partLike },
  { weight: 1, arbitrary: fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }) },
);
const likes: Record<string, fc.Arbitrary<unknown>> = {
  Anthropic: anthropicLike,
  'OpenAI chat': chatLike,
  'OpenAI Responses': responsesLike,
  OpenAI: fc.oneof(chatLike, responsesLike),
  'VS Code': partLike,
};

/** Events lost, repeated and out of order, and the connection cut. */
const mangled = (events: readonly unknown[]) =>
  fc
    .record({
      drops: fc.array(fc.nat(events.length - 1), { maxLength: 3 }),
      repeats: fc.array(fc.nat(events.length - 1), { maxLength: 3 }),
      swaps: fc.array(fc.tuple(fc.nat(events.length - 1), fc.nat(events.length - 1)), { maxLength: 3 }),
      length: fc.option(fc.nat(events.length), { nil: undefined }),
    })
    .map(({ drops, repeats, swaps, length }) => {
      const order = events.flatMap((_, index) =>
        drops.includes(index) ? [] : repeats.includes(index) ? [index, index] : [index],
      );
      for (const [a, b] of swaps) {
        if (a < order.length && b < order.length) [order[a], order[b]] = [order[b]!, order[a]!];
      }
      return order.slice(0, length).map((index) => events[index]);
    });

describe.each(FORMATS)('%s', (name, create, real) => {
  test.each([
    ['values of any kind', fc.array(anyEvent, { maxLength: 30 })],
    ['values in the words of the format', fc.array(likes[name]!, { maxLength: 30 })],
    ['a real message, mangled', mangled(real)],
  ])('%s: no throw, and a stream that obeys the laws', (_what, lists) => {
    fc.assert(
      fc.property(lists, (events) => {
        const reader = create();
        const read = readAll(reader, events);
        callsOf(read);
        expect(read.length).toBeGreaterThan(0);
        expect([...reader.read(real[0]), ...reader.end()]).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('an event that throws when it is looked at breaks the stream', () => {
    const hostile = new Proxy(
      {},
      {
        get() {
          throw new Error('hands off');
        },
        has() {
          throw new Error('hands off');
        },
      },
    );
    expect(create().read(hostile)).toEqual([{ type: 'stream-broken', reason: 'hands off' }]);
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(create().read(proxy)).toMatchObject([{ type: 'stream-broken' }]);
  });
});
