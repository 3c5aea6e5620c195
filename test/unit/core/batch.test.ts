import { describe, expect, test } from 'vitest';
import { parseBatch } from '../../../src/core/batch.ts';

const anthropic = [
  { type: 'text', text: 'Let me look.' },
  { type: 'tool_use', id: 'toolu_1', name: 'read', input: { file_path: 'a' } },
  { type: 'tool_use', id: 'toolu_2', name: 'stat', input: {} },
];
const openai = [
  { id: 'call_a', type: 'function', function: { name: 'read', arguments: '{"file_path":"a"}' } },
  { id: 'call_b', type: 'function', function: { name: 'stat', arguments: '' } },
];
const read = { name: 'read', input: { file_path: 'a' } };
const stat = { name: 'stat', input: {} };

describe('the forms that people paste', () => {
  test.each([
    ['plain calls', [{ ...read, id: 'x' }, { tool: 'stat' }], ['x', 'call-2']],
    ['plain calls under "calls"', { calls: [read, stat] }, ['call-1', 'call-2']],
    ['Anthropic content blocks', anthropic, ['toolu_1', 'toolu_2']],
    ['an Anthropic message', { role: 'assistant', content: anthropic }, ['toolu_1', 'toolu_2']],
    ['OpenAI tool_calls', openai, ['call_a', 'call_b']],
    ['an OpenAI message', { role: 'assistant', content: null, tool_calls: openai }, ['call_a', 'call_b']],
    ['an OpenAI response', { choices: [{ message: { tool_calls: openai } }] }, ['call_a', 'call_b']],
    [
      'OpenAI Responses items',
      {
        output: [
          { type: 'reasoning' },
          { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"file_path":"a"}' },
          { type: 'function_call', call_id: 'c2', name: 'stat', arguments: '{}' },
        ],
      },
      ['c1', 'c2'],
    ],
  ])('%s', (_name, value, ids) => {
    const { calls, errors } = parseBatch(JSON.stringify(value));
    expect(errors).toEqual([]);
    expect(calls).toEqual([
      { id: ids[0], ...read },
      { id: ids[1], ...stat },
    ]);
  });
});

test('case 28: arguments that are no JSON stay a call, whose error says what to do', () => {
  const text = JSON.stringify([
    { id: 'a', function: { name: 'read', arguments: '{"c":1}{"c":2}' } },
    openai[0],
  ]);
  const { calls } = parseBatch(text);
  expect(calls).toHaveLength(2);
  expect(calls![0]!.inputError).toContain('not valid JSON');
  expect(calls![1]!.inputError).toBeUndefined();
});

test('an input of the wrong kind is kept for the soft error that names it', () => {
  expect(parseBatch('[{"name":"read","input":null}]').calls![0]!.input).toBeNull();
});

describe('what cannot be read says where and what is accepted', () => {
  test.each([
    ['[{"name": "read",}]', 1, 18, 'property name'],
    ['{\n  "name": "read"\n}', 1, 1, 'No tool calls were found'],
    ['[]', 1, 1, 'empty'],
    ['[{"type":"text","text":"hi"}]', 1, 1, 'empty'],
    ['[\n {"name":"read"},\n {"input":{}}\n]', 3, 2, 'needs a "name"'],
    ['[\n 5\n]', 2, 2, 'must be an object'],
    ['[{"id":7,"name":"read"}]', 1, 2, '"id"'],
    ['[{"role":"user","content":"hi"}]', 1, 2, 'list of messages'],
    ['', 1, 1, 'A value is expected here.'],
    ['// no', 1, 1, 'JSON has no comments.'],
  ])('%j', (text, line, column, part) => {
    const { calls, errors } = parseBatch(text);
    expect(calls).toBeUndefined();
    expect(errors[0]).toMatchObject({ line, column });
    expect(errors.map(({ message }) => message).join(' ')).toContain(part);
  });
});
