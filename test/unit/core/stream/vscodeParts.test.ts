import { describe, expect, test } from 'vitest';
import { createVsCodeReader, fromVsCodeStream } from '../../../../src/core/stream/vscodeParts.ts';
import { collect, readAll, source, told } from './adapterHelpers.ts';

// The shapes of vscode's parts, whose classes only an extension host has.
class LanguageModelTextPart {
  constructor(readonly value: string) {}
}
class LanguageModelToolCallPart {
  constructor(
    readonly callId: string,
    readonly name: string,
    readonly input: unknown,
  ) {}
}

const read = (...parts: unknown[]) => told(readAll(createVsCodeReader(), parts));
const call = (id: string, input: unknown) => new LanguageModelToolCallPart(id, 'read', input);

test('each call comes whole, under a number of its own; the end of the parts is the end of the message', () => {
  const parts = [
    new LanguageModelTextPart('Let me look.'),
    call('a', { file_path: 'a.ts' }),
    call('b', { file_path: 'b.ts' }),
  ];
  expect(read(...parts)).toEqual([
    'open 0 a read',
    '0 + {"file_path":"a.ts"}',
    'close 0',
    'open 1 b read',
    '1 + {"file_path":"b.ts"}',
    'close 1',
    'end -',
  ]);
});

describe('case 13: a call', () => {
  test.each([
    ['with an empty input', {}, ['0 + {}']],
    ['without input', undefined, []],
    ['with null', null, ['0 + null']],
    ['with a function, which is no JSON', () => 0, []],
  ])('%s', (_name, input, pieces) => {
    expect(read(call('a', input))).toEqual(['open 0 a read', ...pieces, 'close 0', 'end -']);
  });
});

test('other parts are passed over: data, results, thoughts, and what is no part', () => {
  expect(
    read(
      null,
      'text',
      { mimeType: 'image/png', data: new Uint8Array(1) },
      { callId: 'a', content: [] },
      { callId: 'a', name: 'read' },
      { callId: 1, name: 'read', input: {} },
      { value: 'thinking', id: 't' },
    ),
  ).toEqual(['end -']);
});

test('an input that cannot be written as JSON breaks the stream', () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  expect(read(call('a', circle), call('b', {}))).toEqual([expect.stringMatching(/^broken: .*circular/i)]);
});

describe('as a stream', () => {
  test('ends with its source', async () => {
    expect(told(await collect(fromVsCodeStream(source([call('a', {})]))))).toEqual([
      'open 0 a read',
      '0 + {}',
      'close 0',
      'end -',
    ]);
  });

  test('a source that throws breaks it, with the error as the reason', async () => {
    const events = source([call('a', {})], new Error('The model is not available.'));
    expect(told(await collect(fromVsCodeStream(events))).slice(-2)).toEqual([
      'close 0',
      'broken: The model is not available.',
    ]);
  });

  test.each([
    ['no source', undefined],
    ['a thing that is none', 7],
  ])('%s breaks it', async (_name, thing) => {
    const lines = told(await collect(fromVsCodeStream(thing as unknown as AsyncIterable<unknown>)));
    expect(lines).toEqual([expect.stringMatching(/^broken: ./)]);
  });

  test('a taker that leaves closes the source', async () => {
    let closed = false;
    async function* parts() {
      try {
        for (;;) yield call('a', {});
      } finally {
        closed = true;
      }
    }
    for await (const event of fromVsCodeStream(parts())) {
      expect(event.type).toBe('call-opened');
      break;
    }
    expect(closed).toBe(true);
  });

  test('a source that throws when it is closed changes nothing for the taker who left', async () => {
    const stream = fromVsCodeStream({
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: call('a', {}) }),
        return: async () => {
          throw new Error('already closed');
        },
      }),
    });
    expect((await stream.next()).value).toMatchObject({ type: 'call-opened' });
    expect(await stream.return()).toEqual({ done: true, value: undefined });
  });
});
