import { describe, expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/core/clock.ts';
import { dispatch } from '../../../src/core/dispatch/dispatch.ts';
import { BatchAborted, HardError } from '../../../src/core/errors.ts';
import type { WavesEvent } from '../../../src/core/events.ts';
import { createRegistry } from '../../../src/core/tools.ts';
import { calls, designTools, ofType, permitsOf, sleep, tool } from './helpers.ts';

const six = calls('Read(a)', 'Read(b)', 'Edit(c)', 'Grep', 'Read(a)', 'Stat');

function recorder() {
  const events: WavesEvent[] = [];
  return { events, onEvent: (event: WavesEvent) => void events.push(event) };
}

describe('a batch that goes well', () => {
  test('the worked example holds four permits in wave 1 and fills slots in request order', async () => {
    const { events, onEvent } = recorder();
    const results = await dispatch(six, designTools, { strategy: 'first-fit', onEvent });
    expect(results.map(({ toolCallId }) => toolCallId)).toEqual(['t1', 't2', 't3', 't4', 't5', 't6']);
    expect(results.every(({ isError }) => !isError)).toBe(true);
    expect(permitsOf(events)).toEqual({ most: 4, heldAtEnd: 0 });
    expect(ofType(events, 'wave-started').map(({ wave }) => wave)).toEqual([0, 1, 2]);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  });

  test('case 9: results come back in request order, whatever the completion order', async () => {
    const registry = createRegistry([tool('slow', { ms: 50 }), tool('quick', { ms: 5 })]);
    const { events, onEvent } = recorder();
    const results = await dispatch(calls('slow', 'nothing', 'quick'), registry, {
      strategy: 'first-fit',
      onEvent,
    });
    expect(results.map(({ toolCallId }) => toolCallId)).toEqual(['t1', 't2', 't3']);
    expect(ofType(events, 'call-ended').map(({ call, completion }) => [call, completion])).toEqual([
      [2, 1],
      [0, 2],
      [1, 3],
    ]);
  });

  test('a wave of five under three permits starts three and admits the rest as permits free', async () => {
    const clock = createVirtualClock();
    const registry = createRegistry([
      tool('work', {
        run: (input) => new Promise((resolve) => clock.after(Number(input.path), () => resolve('done'))),
      }),
    ]);
    const { events, onEvent } = recorder();
    const batch = calls('work(30)', 'work(10)', 'work(20)', 'work(10)', 'work(10)');
    await clock.runUntil(
      dispatch(batch, registry, { strategy: 'first-fit', maxConcurrency: 3, clock, onEvent }),
    );
    expect(ofType(events, 'call-started').map(({ call, t }) => [call, t])).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
      [3, 10],
      [4, 20],
    ]);
    expect(permitsOf(events)).toEqual({ most: 3, heldAtEnd: 0 });
  });

  test('case 8: an unsafe call is a full barrier under batches and sequential', async () => {
    const running = new Set<string>();
    const seen: string[][] = [];
    const spy = (name: string, safe: boolean) =>
      tool(name, {
        safe,
        async run() {
          running.add(name);
          seen.push([...running]);
          await sleep(3);
          running.delete(name);
          return '';
        },
      });
    const registry = createRegistry([spy('Read', true), spy('Grep', true), spy('Shell', false)]);
    for (const strategy of ['batches', 'sequential'] as const) {
      seen.length = 0;
      await dispatch(calls('Read', 'Shell', 'Grep'), registry, { strategy });
      expect(seen).toEqual([['Read'], ['Shell'], ['Grep']]);
    }
  });

  test('fewer than two calls go straight through, with the same events', async () => {
    const { events, onEvent } = recorder();
    const [only] = await dispatch(calls('Read(a)'), designTools, { strategy: 'first-fit', onEvent });
    expect(only).toMatchObject({ toolCallId: 't1', content: 'Read a', isError: false });
    expect(ofType(events, 'decision-made')[0]).toMatchObject({ rule: 'R15', wave: 0 });
    expect(await dispatch([], designTools, { strategy: 'first-fit' })).toEqual([]);
  });

  test('the default is sequential, since only declarations make anything else safe', async () => {
    const { events, onEvent } = recorder();
    await dispatch(six, designTools, { onEvent });
    expect(events[0]).toMatchObject({ strategy: 'sequential' });
    expect(permitsOf(events).most).toBe(1);
  });

  test.each([
    [0, 1],
    [-3, 1],
    [1, 1],
    [2.9, 2],
    [100, 6],
    [Number.POSITIVE_INFINITY, 6],
  ])('maxConcurrency %d gives %d permits to six calls', async (maxConcurrency, permits) => {
    const { events, onEvent } = recorder();
    await dispatch(six, designTools, { strategy: 'first-fit', maxConcurrency, onEvent });
    expect(events[0]).toMatchObject({ permits });
  });

  test('what a tool returns becomes content; the id is stamped whatever it says', async () => {
    const returns = (value: unknown) => tool(`r${returns.count++}`, { run: () => value as never });
    returns.count = 0;
    const blocks = [{ type: 'text', text: 'hi' }];
    const tools = [
      'text',
      { content: 'c', isError: true, toolCallId: 'mine' },
      { content: blocks },
      { a: 1 },
      undefined,
      7,
    ].map(returns);
    const results = await dispatch(calls('r0', 'r1', 'r2', 'r3', 'r4', 'r5'), createRegistry(tools), {
      strategy: 'batches',
    });
    expect(results.map(({ content, isError }) => [content, isError])).toEqual([
      ['text', false],
      ['c', true],
      [blocks, false],
      ['{"a":1}', false],
      ['', false],
      ['7', false],
    ]);
    expect(results[1]!.toolCallId).toBe('t2');
  });
});

describe('soft errors', () => {
  test('case 10: one failure cancels nobody', async () => {
    let ran = 0;
    const registry = createRegistry([
      tool('Read', {
        run: (input) => {
          ran++;
          if (input.path === 'bad') throw new Error('no such file');
          return `got ${input.path}`;
        },
      }),
    ]);
    const { events, onEvent } = recorder();
    const batch = calls('Read(a)', 'Read(bad)', 'Read(c)', 'Read(d)', 'Read(e)');
    for (const onHardError of ['abort', 'answer-all'] as const) {
      ran = 0;
      const results = await dispatch(batch, registry, { strategy: 'batches', onHardError, onEvent });
      expect(results.map(({ content, isError }) => (isError ? `! ${content}` : content))).toEqual([
        'got a',
        '! no such file',
        'got c',
        'got d',
        'got e',
      ]);
      expect(ran).toBe(5);
    }
    expect(ofType(events, 'run-ended')[0]).toMatchObject({ how: 'done', softErrors: 1 });
  });

  test('a throw before the first await and a rejection are the same', async () => {
    const registry = createRegistry([
      tool('sync', {
        run: () => {
          throw new Error('sync');
        },
      }),
      tool('async', {
        run: async () => {
          throw new Error('async');
        },
      }),
      tool('odd', {
        run: () => {
          throw undefined;
        },
      }),
    ]);
    const results = await dispatch(calls('sync', 'async', 'odd'), registry, { strategy: 'batches' });
    expect(results.map(({ content }) => content)).toEqual([
      'sync',
      'async',
      'Something was thrown that is no Error: undefined',
    ]);
  });

  test('case 49: an unknown tool gets a result of its own, and the others run', async () => {
    const results = await dispatch(calls('Read(a)', 'Raed', 'Stat'), designTools, { strategy: 'first-fit' });
    expect(results.map(({ isError }) => isError)).toEqual([false, true, false]);
    expect(results[1]!.content).toContain('Did you mean "Read"?');
  });

  test('a declaration that throws runs the call alone, with the reason in its decision', async () => {
    const registry = createRegistry([
      tool('odd', {
        isSafeForConcurrentExecution: () => {
          throw new Error('broken');
        },
      }),
      tool('Read'),
    ]);
    const { events, onEvent } = recorder();
    const results = await dispatch(calls('Read(a)', 'odd', 'Read(b)'), registry, {
      strategy: 'first-fit',
      onEvent,
    });
    expect(results.every(({ isError }) => !isError)).toBe(true);
    expect(ofType(events, 'call-declared')[1]).toMatchObject({
      safe: false,
      failure: 'isSafeForConcurrentExecution threw: broken',
    });
    expect(ofType(events, 'decision-made')[1]).toMatchObject({ rule: 'R4', wave: 1, closed: true });
    expect(ofType(events, 'decision-made')[1]!.reason).toContain('broken');
  });

  test('input that is no JSON, or refused by the schema, never reaches the tool', async () => {
    let ran = 0;
    const registry = createRegistry([
      tool('Write', {
        inputSchema: { type: 'object', required: ['path'] },
        run: () => {
          ran++;
          return '';
        },
      }),
    ]);
    const batch = [
      { id: 'a', name: 'Write', input: '{"pa', inputError: 'The arguments are not valid JSON.' },
      { id: 'b', name: 'Write', input: {} },
      { id: 'c', name: 'Write', input: null },
    ];
    const { events, onEvent } = recorder();
    const results = await dispatch(batch, registry, { strategy: 'first-fit', onEvent });
    expect(results.map(({ content }) => content)).toEqual([
      'The arguments are not valid JSON.',
      'The input does not fit the schema: the input lacks "path". Call again with the input corrected.',
      'The input must be an object, not null.',
    ]);
    expect(ran).toBe(0);
    expect(ofType(events, 'permit-taken')).toEqual([]);
  });

  test('case 5: a tool over its limit is answered, its siblings at once, and its late answer is dropped', async () => {
    const clock = createVirtualClock();
    const logged: string[] = [];
    const waited = (ms: number) => new Promise<string>((resolve) => clock.after(ms, () => resolve('ok')));
    const registry = createRegistry([
      tool('quick', { run: () => waited(5) }),
      tool('stuck', {
        timeoutMs: 200,
        run: async () => {
          await waited(900);
          throw new Error('late');
        },
      }),
      tool('last', { run: () => waited(2000) }),
    ]);
    const { events, onEvent } = recorder();
    const results = await clock.runUntil(
      dispatch(calls('quick', 'stuck', 'quick', 'last'), registry, {
        strategy: 'batches',
        clock,
        onEvent,
        log: (text) => logged.push(text),
      }),
    );
    expect(results.map(({ content }) => content)).toEqual(['ok', 'timed out after 200 ms.', 'ok', 'ok']);
    expect(ofType(events, 'slot-filled').map(({ call, t }) => [call, t])).toEqual([
      [0, 5],
      [2, 5],
      [1, 200],
      [3, 2000],
    ]);
    expect(logged).toEqual(['Call #2 (stuck) answered after its end; the answer is dropped.']);
  });
});

describe('stopping', () => {
  const started: string[] = [];
  const controller = () => new AbortController();
  function registry(abort: AbortController, at: string) {
    started.length = 0;
    const spy = (name: string, more: Parameters<typeof tool>[1]) =>
      tool(name, {
        ...more,
        async run(input, context) {
          started.push(`${name} ${input.path}`);
          if (input.path === at) setTimeout(() => abort.abort(), 5);
          await sleep(input.path === at ? 1000 : 1, context.signal);
          return `${name} ${input.path}`;
        },
      });
    return createRegistry([spy('Read', {}), spy('Edit', { safe: false })]);
  }
  const batch = calls('Read(a)', 'Edit(b)', 'Edit(c)', 'Read(d)');

  test('case 4: cancelled in wave 2 under answer-all: four results, ended calls keep theirs', async () => {
    const abort = controller();
    const { events, onEvent } = recorder();
    const tools = registry(abort, 'b');
    const results = await dispatch(batch, tools, {
      strategy: 'batches',
      onHardError: 'answer-all',
      signal: abort.signal,
      onEvent,
    });
    expect(results.map(({ toolCallId, isError }) => [toolCallId, isError])).toEqual([
      ['t1', false],
      ['t2', true],
      ['t3', true],
      ['t4', true],
    ]);
    expect(results[0]!.content).toBe('Read a');
    expect(results[1]!.content).toMatch(/^interrupted by user/);
    expect(results[2]!.content).toMatch(/^not run: the batch was cancelled/);
    for (const { content, isError } of results) if (isError) expect(content).toContain('cancelled');
    expect(started).toEqual(['Read a', 'Edit b']);
    expect(events.at(-1)).toMatchObject({ type: 'run-ended', how: 'cancelled' });
    expect(ofType(events, 'call-ended').map(({ call, outcome }) => [call, outcome])).toEqual([
      [0, 'ok'],
      [1, 'cancelled'],
      [2, 'never-started'],
      [3, 'never-started'],
    ]);
    expect(permitsOf(events).heldAtEnd).toBe(0);
  });

  test('cancelled in wave 2 under abort: rejects, no result, and the recording says what had ended', async () => {
    const abort = controller();
    const { events, onEvent } = recorder();
    const error = await dispatch(batch, registry(abort, 'b'), {
      strategy: 'batches',
      signal: abort.signal,
      onEvent,
    }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(BatchAborted);
    expect(error).toMatchObject({ code: 'BATCH_ABORTED', how: 'cancelled', by: undefined });
    expect(started).toEqual(['Read a', 'Edit b']);
    expect(ofType(events, 'call-ended').map(({ outcome }) => outcome)).toEqual([
      'ok',
      'cancelled',
      'never-started',
      'never-started',
    ]);
    expect(ofType(events, 'slot-filled').map(({ call }) => call)).toEqual([0]);
    expect(events.at(-1)).toMatchObject({ type: 'run-aborted', how: 'cancelled' });
  });

  test('a signal aborted before the start runs nothing', async () => {
    const abort = controller();
    abort.abort();
    const tools = registry(abort, 'z');
    await expect(dispatch(batch, tools, { signal: abort.signal })).rejects.toBeInstanceOf(BatchAborted);
    const results = await dispatch(batch, tools, { signal: abort.signal, onHardError: 'answer-all' });
    expect(results.map(({ content }) => content)).toEqual(
      batch.map(() => 'not run: the batch was cancelled before this call started.'),
    );
    expect(started).toEqual([]);
  });

  test('case 7: calls that wait for a permit when the batch stops never run, and every permit comes back', async () => {
    const abort = controller();
    const { events, onEvent } = recorder();
    const results = await dispatch(calls('Read(a)', 'Read(x)', 'Read(y)'), registry(abort, 'a'), {
      strategy: 'batches',
      maxConcurrency: 1,
      onHardError: 'answer-all',
      signal: abort.signal,
      onEvent,
    });
    await sleep(20);
    expect(started).toEqual(['Read a']);
    expect(results.map(({ content }) => String(content).slice(0, 11))).toEqual([
      'interrupted',
      'not run: th',
      'not run: th',
    ]);
    expect(permitsOf(events)).toEqual({ most: 1, heldAtEnd: 0 });
  });

  test('case 11: a hard error stops starting, aborts the running, and rejects only when they have settled', async () => {
    const effects: string[] = [];
    const tools = createRegistry([
      tool('boom', {
        async run() {
          await sleep(10);
          throw new HardError('disk on fire');
        },
      }),
      tool('Write', {
        async run(_input, { signal }) {
          await sleep(15);
          effects.push(signal.aborted ? 'saw the abort' : 'missed it');
          await sleep(15);
          effects.push('settled');
          return 'written';
        },
      }),
      tool('later', {
        run: () => {
          effects.push('later ran');
          return '';
        },
      }),
    ]);
    const { events, onEvent } = recorder();
    const error = await dispatch(calls('boom', 'Write', 'later'), tools, {
      strategy: 'batches',
      maxConcurrency: 2,
      onEvent,
    }).catch((e: unknown) => e);
    expect(error).toMatchObject({ how: 'aborted', by: 0, message: 'disk on fire' });
    expect(effects).toEqual(['saw the abort', 'settled']);
    await sleep(20);
    expect(effects).toHaveLength(2);
    expect(ofType(events, 'call-ended').map(({ call, outcome }) => [call, outcome])).toEqual([
      [0, 'hard'],
      [2, 'never-started'],
      [1, 'cancelled'],
    ]);
    expect(ofType(events, 'call-ended')[2]!.error).toContain('its effects may have happened');
  });

  test('a hard error under answer-all gives every call one result', async () => {
    const tools = createRegistry([
      tool('boom', {
        run: () => {
          throw new HardError('stop');
        },
      }),
      tool('Read', { ms: 50 }),
      tool('Edit', { safe: false }),
    ]);
    const results = await dispatch(calls('boom', 'Read(a)', 'Edit(b)'), tools, {
      strategy: 'batches',
      onHardError: 'answer-all',
    });
    expect(results.map(({ content }) => content)).toEqual([
      'stop',
      'interrupted: stop.',
      'not run: call #1 ended the batch before this call started (stop).',
    ]);
  });

  test('case 5: a tool that ignores its signal holds the batch no longer than the grace period', async () => {
    const clock = createVirtualClock();
    const abort = controller();
    const tools = createRegistry([
      tool('deaf', { run: () => new Promise(() => {}) }),
      tool('quick', { run: () => 'kept' }),
    ]);
    clock.after(50, () => abort.abort());
    const { events, onEvent } = recorder();
    const results = await clock.runUntil(
      dispatch(calls('quick', 'deaf'), tools, {
        strategy: 'batches',
        onHardError: 'answer-all',
        signal: abort.signal,
        graceMs: 300,
        clock,
        onEvent,
      }),
    );
    expect(results[0]!.content).toBe('kept');
    expect(results[1]!.content).toContain('did not end within the grace period');
    expect(events.at(-1)).toMatchObject({ type: 'run-ended', t: 350 });
  });

  test('case X1: many batches on one signal leave no listener behind', async () => {
    const abort = controller();
    let listeners = 0;
    const { signal } = abort;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = ((...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    }) as never;
    signal.removeEventListener = ((...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    }) as never;
    const twelve = calls(...Array.from({ length: 12 }, (_, index) => `Read(${index})`));
    for (let batchNumber = 0; batchNumber < 200; batchNumber++) {
      await dispatch(twelve, designTools, { strategy: 'first-fit', signal });
      expect(listeners).toBe(0);
    }
  });
});

describe('ids', () => {
  test('case 15: one id twice with equal inputs runs once and has one result', async () => {
    const batch = [
      { id: 'x', name: 'Read', input: { path: 'a', q: 1 } },
      { id: 'x', name: 'Read', input: { q: 1, path: 'a' } },
    ];
    expect(await dispatch(batch, designTools)).toHaveLength(1);
  });
  test.each([
    [
      'one id with different inputs',
      [
        { id: 'x', name: 'Read', input: { path: 'a' } },
        { id: 'x', name: 'Read', input: { path: 'b' } },
      ],
    ],
    [
      'one id with different tools',
      [
        { id: 'x', name: 'Read', input: {} },
        { id: 'x', name: 'Stat', input: {} },
      ],
    ],
    ['an empty id', [{ id: '', name: 'Read', input: {} }]],
  ])('case 15: %s refuses the batch before anything runs', async (_name, batch) => {
    const { events, onEvent } = recorder();
    await expect(dispatch(batch, designTools, { onEvent })).rejects.toMatchObject({ code: 'BATCH_REFUSED' });
    expect(events).toEqual([]);
  });
});

test('case 30: a subscriber that throws is logged and hurts nobody', async () => {
  const logged: string[] = [];
  const results = await dispatch(six, designTools, {
    strategy: 'first-fit',
    onEvent: () => {
      throw new Error('my fault');
    },
    log: (text) => logged.push(text),
  });
  expect(results).toHaveLength(6);
  expect(logged[0]).toBe('A subscriber threw on event 0 (batch-received): my fault');
});

test('what a call touched and how far it is are events of that call', async () => {
  const registry = createRegistry([
    tool('Write', {
      run: (_input, { report, progress }) => {
        report({ resource: 'file:x', mode: 'write' });
        progress('half');
        return '';
      },
    }),
  ]);
  const { events, onEvent } = recorder();
  await dispatch(calls('Write'), registry, { onEvent });
  expect(ofType(events, 'access-observed')[0]).toMatchObject({ call: 0, resource: 'file:x', mode: 'write' });
  expect(ofType(events, 'call-progress')[0]).toMatchObject({ call: 0, message: 'half' });
});
