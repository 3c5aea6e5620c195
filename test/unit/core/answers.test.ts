/** What stands in a call's slot, or in the refusal of a batch, word for word: the model acts on these sentences. */
import { describe, expect, test } from 'vitest';
import { dispatch } from '../../../src/core/dispatch/dispatch.ts';
import { createGate } from '../../../src/core/dispatch/gate.ts';
import { createSlots } from '../../../src/core/dispatch/slots.ts';
import type { ToolCall } from '../../../src/core/model.ts';
import { createRegistry } from '../../../src/core/tools.ts';
import { calls, designTools, dispatched, nap, ofType, tool } from './helpers.ts';

describe('a tool’s answer', () => {
  test.each<[string, unknown, { content: unknown; isError: boolean; error?: string }]>([
    ['text', 'done', { content: 'done', isError: false }],
    ['nothing', undefined, { content: '', isError: false }],
    ['a number', 7, { content: '7', isError: false }],
    ['an object without content', { a: 1 }, { content: '{"a":1}', isError: false }],
    ['content that is text', { content: 'x' }, { content: 'x', isError: false }],
    [
      'content in blocks',
      { content: [{ type: 'text', text: 'x' }] },
      { content: [{ type: 'text', text: 'x' }], isError: false },
    ],
    ['content that is an object', { content: { a: 1 } }, { content: '{"a":1}', isError: false }],
    ['content that is nothing', { content: undefined }, { content: '', isError: false }],
    ['an error in text', { content: 'no', isError: true }, { content: 'no', isError: true, error: 'no' }],
    [
      'an error in blocks',
      { content: [{ type: 'text', text: 'no' }], isError: true },
      { content: [{ type: 'text', text: 'no' }], isError: true, error: 'the tool reported an error' },
    ],
    [
      'what is no error, though it is not false either',
      { content: 'x', isError: 'yes' },
      { content: 'x', isError: false },
    ],
  ])('that is %s', async (_name, output, { content, isError, error }) => {
    const { results, events } = await dispatched(calls('It'), () => [
      tool('It', { run: async () => output as never }),
    ]);
    expect(results[0]).toMatchObject({ content, isError });
    expect(ofType(events, 'call-ended')[0]!.error).toBe(error);
  });
});

test('a slot that stays empty becomes an error with the call’s own id', () => {
  const slots = createSlots(calls('Read(a)', 'Stat'));
  slots.fill(1, { toolCallId: 't2', name: 'Stat', content: 'ok', isError: false, durationMs: 1 });
  expect(slots.results()).toEqual([
    {
      toolCallId: 't1',
      name: 'Read',
      content: 'no result: the call ended without an answer, which is a fault of the dispatcher.',
      isError: true,
      durationMs: 0,
    },
    { toolCallId: 't2', name: 'Stat', content: 'ok', isError: false, durationMs: 1 },
  ]);
});

describe('a batch is refused, and told why', () => {
  const read = (id: unknown, more = {}): ToolCall => ({
    id: id as string,
    name: 'Read',
    input: { path: 'a' },
    ...more,
  });

  test.each([[''], [undefined], [7]])('when a call has the id %j', async (id) => {
    await expect(dispatch([read('t1'), read(id)], designTools)).rejects.toThrow(
      'Call #2 has an empty id. Give every call of a batch an id of its own.',
    );
  });

  test.each<[string, Partial<ToolCall>]>([
    ['another tool', { name: 'Grep' }],
    ['another input', { input: { path: 'b' } }],
    ['an input that could not be read', { inputError: 'The input is no JSON.' }],
  ])('when one id stands twice, once with %s', async (_name, more) => {
    await expect(dispatch([read('t1'), read('t1', more)], designTools)).rejects.toThrow(
      'Id "t1" stands twice with different calls. Give every call an id of its own.',
    );
  });

  test.each([[Number.NaN], ['4']])('when its cap is %s', async (maxConcurrency) => {
    await expect(
      dispatch([read('t1')], designTools, { maxConcurrency: maxConcurrency as number }),
    ).rejects.toThrow(new RangeError(`maxConcurrency must be a number, not ${maxConcurrency}.`));
  });
});

describe('a nested call that can never have what it needs is told', () => {
  const access = (resource: string) => () => [{ resource, mode: 'write' as const }];

  test('which call above it holds it, and what to do', async () => {
    let told: unknown;
    await dispatched(calls('Parent'), () => [
      tool('Parent', {
        accesses: access('/w'),
        run: async (_input, context) => {
          [told] = await context.dispatch(calls('Child'));
          return '';
        },
      }),
      tool('Child', { accesses: access('/w/a') }),
    ]);
    expect(told).toMatchObject({
      isError: true,
      content:
        'not run: Parent "t1", which dispatched this call, holds /w/a, and waiting for it would never end. ' +
        'Let Parent declare only what it touches itself, or dispatch only what it does not hold.',
    });
  });

  test('which call of another batch waits for it in turn; the error is a soft one', async () => {
    const gate = createGate();
    const told: unknown[] = [];
    const { events } = await dispatched(
      calls('Parent(a)'),
      (clock) => {
        const registry = createRegistry([
          tool('Parent', {
            accesses: ({ path }) => access(`/${path}`)(),
            run: async ({ path }, context) => {
              await nap(clock, 10);
              const [result] = await context.dispatch(calls(`Child(${path === 'a' ? 'b' : 'a'})`), {
                onEvent: (event) => void (event.type === 'call-ended' && told.push(event.outcome)),
              });
              told.push(result!.content);
              return '';
            },
          }),
          tool('Child', { accesses: ({ path }) => access(`/${path}`)() }),
        ]);
        void dispatch(calls('Parent(b)'), registry, { gate, clock });
        return registry;
      },
      { gate },
    );
    expect(ofType(events, 'run-ended')).toHaveLength(1);
    expect(told.slice(0, 2)).toEqual([
      'soft',
      'not run: Parent "t1" of another batch holds /b and waits for what this batch holds, so waiting would never end. Call again later.',
    ]);
  });
});
