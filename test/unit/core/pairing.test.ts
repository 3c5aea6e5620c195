import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkPairing, repairPairing } from '../../../src/core/pairing/pairing.ts';

const use = (id: string) => ({ type: 'tool_use', id, name: 'read', input: {} });
const result = (id: string, content = `r ${id}`) => ({ type: 'tool_result', tool_use_id: id, content });
const note = { type: 'text', text: 'note' };
const missing = (id: string) => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'tool result missing due to an internal error',
  is_error: true,
});
const assistant = (...content: unknown[]) => ({ role: 'assistant', content });
const user = (...content: unknown[]) => ({ role: 'user', content });
const kinds = (messages: Record<string, unknown>[]) => checkPairing(messages).map(({ kind }) => kind);

describe("Anthropic's form", () => {
  const good = [
    { role: 'user', content: 'hi' },
    assistant(note, use('a'), use('b')),
    user(result('a'), result('b'), note),
    assistant(note),
  ];

  test('a sound conversation has no problem, and repair leaves it as it is', () => {
    expect(checkPairing(good)).toEqual([]);
    expect(repairPairing(good)).toEqual(good);
  });

  test.each([
    [
      'case 4: results are missing',
      [assistant(use('a'), use('b')), user(result('a'))],
      ['missing-result'],
      [assistant(use('a'), use('b')), user(result('a'), missing('b'))],
    ],
    [
      'case 4: nothing follows at all',
      [assistant(use('a'))],
      ['missing-result'],
      [assistant(use('a')), user(missing('a'))],
    ],
    [
      'an assistant message follows',
      [assistant(use('a')), assistant(note)],
      ['missing-result'],
      [assistant(use('a')), user(missing('a')), assistant(note)],
    ],
    [
      'case 31: text stands between the results',
      [assistant(use('a'), use('b')), user(result('a'), note, result('b'))],
      ['not-first'],
      [assistant(use('a'), use('b')), user(result('a'), result('b'), note)],
    ],
    [
      'text stands before the results',
      [assistant(use('a')), user(note, result('a'))],
      ['not-first'],
      [assistant(use('a')), user(result('a'), note)],
    ],
    [
      'case 9: the wrong order',
      [assistant(use('a'), use('b')), user(result('b'), result('a'))],
      ['wrong-order'],
      [assistant(use('a'), use('b')), user(result('a'), result('b'))],
    ],
    [
      'case 30: two results for one call',
      [assistant(use('a')), user(result('a', 'first'), result('a', 'second'))],
      ['duplicate-result'],
      [assistant(use('a')), user(result('a', 'first'))],
    ],
    [
      'a result without a call',
      [user(note, result('x')), assistant(note)],
      ['orphan-result'],
      [user(note), assistant(note)],
    ],
    [
      'case 15: one id twice in one message',
      [assistant(use('a'), use('a')), user(result('a'))],
      ['duplicate-call'],
      [assistant(use('a')), user(result('a'))],
    ],
    [
      'the result comes later',
      [assistant(use('a')), assistant(note), user(result('a'))],
      ['not-next'],
      [assistant(use('a')), user(result('a')), assistant(note)],
    ],
    [
      'the user speaks in plain text',
      [assistant(use('a')), { role: 'user', content: 'stop' }],
      ['missing-result'],
      [assistant(use('a')), user(missing('a'), { type: 'text', text: 'stop' })],
    ],
  ])('%s', (_name, messages, problems, repaired) => {
    expect(kinds(messages)).toEqual(problems);
    expect(repairPairing(messages)).toEqual(repaired);
    expect(checkPairing(repairPairing(messages))).toEqual([]);
  });

  test('one id reused in a later turn is sound (case 15)', () => {
    expect(
      checkPairing([assistant(use('a')), user(result('a')), assistant(use('a')), user(result('a'))]),
    ).toEqual([]);
  });

  test('a problem says where, as people count', () => {
    expect(checkPairing([assistant(use('a'))])[0]).toEqual({
      kind: 'missing-result',
      message: 0,
      id: 'a',
      text: 'Message 1: call "a" (read) has no result.',
    });
  });
});

describe("OpenAI's form", () => {
  const calls = (...ids: string[]) => ({
    role: 'assistant',
    content: null,
    tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } })),
  });
  const answer = (id: string) => ({ role: 'tool', tool_call_id: id, content: `r ${id}` });
  const lost = (id: string) => ({
    role: 'tool',
    tool_call_id: id,
    content: 'Error: tool result missing due to an internal error',
  });
  const text = { role: 'user', content: 'hi' };

  test.each([
    [
      'sound',
      [calls('a', 'b'), answer('a'), answer('b'), text],
      [],
      [calls('a', 'b'), answer('a'), answer('b'), text],
    ],
    [
      'missing',
      [calls('a', 'b'), answer('b'), text],
      ['missing-result'],
      [calls('a', 'b'), lost('a'), answer('b'), text],
    ],
    [
      'the wrong order',
      [calls('a', 'b'), answer('b'), answer('a')],
      ['wrong-order'],
      [calls('a', 'b'), answer('a'), answer('b')],
    ],
    ['a message between', [calls('a'), text, answer('a')], ['not-next'], [calls('a'), answer('a'), text]],
    [
      'an orphan',
      [text, answer('x'), calls('a'), answer('a')],
      ['orphan-result'],
      [text, calls('a'), answer('a')],
    ],
    [
      'a second answer',
      [calls('a'), answer('a'), answer('a')],
      ['duplicate-result'],
      [calls('a'), answer('a')],
    ],
    ['one id twice', [calls('a', 'a'), answer('a')], ['duplicate-call'], [calls('a'), answer('a')]],
  ])('%s', (_name, messages, problems, repaired) => {
    expect(kinds(messages)).toEqual(problems);
    expect(repairPairing(messages)).toEqual(repaired);
  });
});

test('whatever the conversation, what is repaired is sound, keeps every call once, and repairing again changes nothing', () => {
  const id = fc.constantFrom('a', 'b', 'c');
  const block = fc.oneof(
    id.map(use),
    id.map((one) => result(one)),
    fc.constant(note),
  );
  const message = fc.oneof(
    fc
      .array(block, { minLength: 1, maxLength: 4 })
      .map((content) => assistant(...content.filter(({ type }) => type !== 'tool_result'))),
    fc
      .array(block, { minLength: 1, maxLength: 4 })
      .map((content) => user(...content.filter(({ type }) => type !== 'tool_use'))),
  );
  fc.assert(
    fc.property(fc.array(message, { maxLength: 8 }), (messages) => {
      const repaired = repairPairing(messages);
      expect(checkPairing(repaired)).toEqual([]);
      expect(repairPairing(repaired)).toEqual(repaired);
      const callIds = (list: Record<string, unknown>[]) =>
        list.flatMap(({ content }) => [
          ...new Set(
            (content as { type: string; id: string }[])
              .filter(({ type }) => type === 'tool_use')
              .map((one) => one.id),
          ),
        ]);
      expect(callIds(repaired)).toEqual(callIds(messages));
    }),
    { numRuns: 3000 },
  );
});
