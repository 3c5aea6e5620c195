import type Anthropic from '@anthropic-ai/sdk';
import { Stream } from '@anthropic-ai/sdk/core/streaming';
import { describe, expect, test } from 'vitest';
import { createAnthropicReader, fromAnthropicStream } from '../../../../src/core/stream/anthropic.ts';
import { checkCuts, collect, readAll, source, told } from './adapterHelpers.ts';
import {
  blockStop,
  end,
  json,
  messageDelta,
  messageStart,
  messageStop,
  overloaded,
  serverToolStart,
  text,
  textStart,
  toolStart,
  twoReads,
} from './anthropicEvents.ts';

const read = (...events: unknown[]) => told(readAll(createAnthropicReader(), events));
const ENDED_EARLY = 'broken: The stream ended before the message did.';

describe('a message', () => {
  test('of text, server tools and calls: the calls, piece by piece, under the index of their block', () => {
    expect(read(...twoReads)).toEqual([
      'open 2 toolu_a read',
      '2 + {"file_pa',
      '2 + th": "a',
      '2 + .ts"}',
      'close 2',
      'open 3 toolu_b read',
      '3 + {"file_path": "b.ts"}',
      'close 3',
      'open 4 toolu_c list',
      'close 4',
      'open 5 toolu_d read',
      '5 + {"file_path":"d.ts"}',
      'close 5',
      'end tool_use',
    ]);
  });

  test('that is cut before any of its events is broken, and no unfinished call counts as complete', () => {
    checkCuts(createAnthropicReader, twoReads, ({ type }) => type === 'message_stop');
  });

  test('of text alone has no calls', () => {
    expect(read(messageStart, textStart(0), text(0, 'Done.'), blockStop(0), ...end('end_turn'))).toEqual([
      'end end_turn',
    ]);
  });

  test('that says no reason ends without one', () => {
    expect(read(messageStart, messageStop)).toEqual(['end -']);
  });

  test('after its end, nothing is read', () => {
    expect(read(messageStop, toolStart(0, 'a', 'read'), overloaded)).toEqual(['end -']);
  });

  test('keeps what came in pieces where the start held input too', () => {
    expect(read(toolStart(0, 'a', 'read', { old: 1 }), json(0, '{}'), blockStop(0), messageStop)).toEqual([
      'open 0 a read',
      '0 + {}',
      'close 0',
      'end -',
    ]);
  });
});

describe('case 12: a message that was cut off', () => {
  test.each(['max_tokens', 'model_context_window_exceeded', 'refusal'] as const)(
    'by %s says so',
    (reason) => {
      const events = [toolStart(0, 'a', 'write'), json(0, '{"path":"a.md","content":"abc'), blockStop(0)];
      expect(read(...events, ...end(reason))).toEqual([
        'open 0 a write',
        '0 + {"path":"a.md","content":"abc',
        'close 0',
        `end ${reason}, cut off`,
      ]);
    },
  );

  test.each(['tool_use', 'end_turn', 'stop_sequence', 'pause_turn'] as const)('not by %s', (reason) => {
    expect(read(...end(reason))).toEqual([`end ${reason}`]);
  });
});

describe('case 13: a call without input', () => {
  test.each([
    ['an empty delta', [json(0, '')], []],
    ['no delta', [], []],
    ['spaces', [json(0, '  ')], ['0 +   ']],
  ])('%s, then its end: closed', (_name, deltas, pieces) => {
    expect(read(toolStart(0, 'a', 'list'), ...deltas, blockStop(0), ...end('tool_use'))).toEqual([
      'open 0 a list',
      ...pieces,
      'close 0',
      'end tool_use',
    ]);
  });

  test('whose stream dies before its end is broken, never closed', () => {
    expect(read(toolStart(0, 'a', 'write'))).toEqual(['open 0 a write', ENDED_EARLY]);
    expect(read(toolStart(0, 'a', 'write'), overloaded)).toEqual(['open 0 a write', 'broken: Overloaded']);
  });

  test('whose end is missing though the message ended stays open', () => {
    expect(read(toolStart(0, 'a', 'write'), ...end('tool_use'))).toEqual(['open 0 a write', 'end tool_use']);
  });
});

describe('what makes no sense breaks the stream', () => {
  test.each([
    ['input for a block that had not begun', [json(1, '{}')], 'Input came for a block that had not begun.'],
    [
      'input without a block',
      [{ type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: '{' } }],
      'Input came for a block that had not begun.',
    ],
    [
      'input after the end of its call',
      [blockStop(0), json(0, ' {}')],
      'Input came for block 0 after its end.',
    ],
    [
      'a second call in one block',
      [blockStop(0), toolStart(0, 'b', 'read')],
      'Block 0, which holds a tool call, began a second time.',
    ],
    ['text in the block of a call', [textStart(0)], 'Block 0, which holds a tool call, began a second time.'],
    ['a second message', [messageStart], 'A second message began before the first had ended.'],
    ['a call without id', [toolStart(1, '', 'read')], 'A tool call began without an index, an id or a name.'],
    [
      'a call without name',
      [{ type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'b' } }],
      'A tool call began without an index, an id or a name.',
    ],
    [
      'a call without index',
      [{ type: 'content_block_start', content_block: { type: 'tool_use', id: 'b', name: 'read' } }],
      'A tool call began without an index, an id or a name.',
    ],
    [
      'an error without a message',
      [{ type: 'error' }],
      'The provider reported an error without saying which.',
    ],
    ['an error in words', [{ type: 'error', error: 'Too busy.' }], 'Too busy.'],
  ])('%s', (_name, events, reason) => {
    const told = read(toolStart(0, 'a', 'read'), ...events, json(0, '{}'), ...end('tool_use'));
    expect(told.at(-1)).toBe(`broken: ${reason}`);
    expect(told.filter((line) => line.startsWith('broken'))).toHaveLength(1);
  });
});

test('what does no harm is passed over: pings, unknown events and blocks, ends that come twice, empty pieces', () => {
  expect(
    read(
      { type: 'ping' },
      { type: 'vendor_event', index: 0 },
      null,
      'text',
      { type: 'content_block_start', index: 0 },
      { type: 'content_block_start', index: 0, content_block: { type: 'new_kind' } },
      { type: 'content_block_start', content_block: { type: 'text' } },
      json(0, '{"not":"ours"}'),
      toolStart(1, 'a', 'list'),
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: null } },
      { type: 'content_block_delta', index: 1 },
      blockStop(1),
      blockStop(1),
      json(1, ''),
      blockStop(7),
      { type: 'content_block_stop' },
      { type: 'message_delta', delta: {} },
      { type: 'message_delta' },
      serverToolStart(2, { query: 'x' }),
      blockStop(2),
      ...end('tool_use'),
    ),
  ).toEqual(['open 1 a list', 'close 1', 'end tool_use']);
});

describe('as a stream', () => {
  test('a source that throws breaks it, with the error as the reason', async () => {
    const events = source([messageStart, toolStart(0, 'a', 'write')], new Error('socket hang up'));
    expect(told(await collect(fromAnthropicStream(events)))).toEqual([
      'open 0 a write',
      'broken: socket hang up',
    ]);
  });

  test('a source that goes on after the message is closed, not read', async () => {
    let closed = false;
    async function* endless() {
      try {
        yield* twoReads;
        for (;;) yield messageDelta('end_turn');
      } finally {
        closed = true;
      }
    }
    const events = await collect(fromAnthropicStream(endless()));
    expect(told(events).at(-1)).toBe('end tool_use');
    expect(closed).toBe(true);
  });

  test('recorded bytes, decoded by the SDK', async () => {
    const stream = Stream.fromSSEResponse<Anthropic.RawMessageStreamEvent>(
      new Response(RECORDED),
      new AbortController(),
    );
    expect(told(await collect(fromAnthropicStream(stream)))).toEqual([
      'open 1 toolu_01T1x1fJ34qAmk2tNTrN7Up6 get_weather',
      '1 + {"location":',
      '1 +  "San',
      '1 +  Francisco, CA"}',
      'close 1',
      'end tool_use',
    ]);
  });

  test('case 27: bytes cut inside a character, at every place', async () => {
    const events = [
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 't1', name: 'note', input: {} },
      },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: '{"t":"😀é"}' },
      },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_stop' },
    ];
    const bytes = new TextEncoder().encode(
      events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
    );
    for (let at = 0; at <= bytes.length; at++) {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(bytes.slice(0, at));
          controller.enqueue(bytes.slice(at));
          controller.close();
        },
      });
      const stream = Stream.fromSSEResponse<Anthropic.RawMessageStreamEvent>(
        new Response(body),
        new AbortController(),
      );
      const lines = told(await collect(fromAnthropicStream(stream)));
      expect(lines).toEqual(['open 0 t1 note', '0 + {"t":"😀é"}', 'close 0', 'end -']);
    }
  });

  test('recorded bytes that end in an error, decoded by the SDK, which throws it', async () => {
    const cut = RECORDED.slice(
      0,
      RECORDED.indexOf('event: content_block_stop\ndata: {"type":"content_block_stop","index":1'),
    );
    const failed = `${cut}event: error\ndata: ${JSON.stringify(overloaded)}\n\n`;
    const stream = Stream.fromSSEResponse<Anthropic.RawMessageStreamEvent>(
      new Response(failed),
      new AbortController(),
    );
    const lines = told(await collect(fromAnthropicStream(stream)));
    expect(lines.at(-1)).toMatch(/^broken: .*Overloaded/);
    expect(lines).not.toContain('close 1');
  });
});

const RECORDED = `event: message_start
data: {"type":"message_start","message":{"id":"msg_014p7gG3wDgGV9EUtLvnow3U","type":"message","role":"assistant","model":"claude-sonnet-4-5","stop_sequence":null,"usage":{"input_tokens":472,"output_tokens":2},"content":[],"stop_reason":null}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: ping
data: {"type": "ping"}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Let me check."}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_01T1x1fJ34qAmk2tNTrN7Up6","name":"get_weather","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\\"location\\":"}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":" \\"San"}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":" Francisco, CA\\"}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":89}}

event: message_stop
data: {"type":"message_stop"}

`;
