/** Recorded streams, played again: their pace, their ends, and files that are none. */
import { getEventListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Clock, createVirtualClock } from '../../../../src/core/clock.ts';
import {
  parseStreamRecording,
  type ReplayOptions,
  replayStream,
} from '../../../../src/core/stream/replay.ts';
import { collect, told } from './adapterHelpers.ts';

const header = (provider: string) => JSON.stringify({ format: 'waves-stream', version: 1, provider });
const lines = (events: readonly (readonly [number, object])[]) =>
  events.map(([t, event]) => JSON.stringify({ t, event })).join('\n');

const ANTHROPIC = `${header('anthropic')}\n${lines([
  [
    0,
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 't1', name: 'Read', input: {} },
    },
  ],
  [
    100,
    {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: '{"path":"a"}' },
    },
  ],
  [200, { type: 'content_block_stop', index: 0 }],
  [300, { type: 'message_delta', delta: { stop_reason: 'tool_use' } }],
  [400, { type: 'message_stop' }],
])}\n`;

const OPENAI = `${header('openai')}\n${lines([
  [
    50,
    {
      choices: [
        {
          index: 0,
          delta: {
            tool_calls: [{ index: 0, id: 't1', function: { name: 'Read', arguments: '{"path":"a"}' } }],
          },
        },
      ],
    },
  ],
  [90, { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }],
])}\n`;

/** What comes when, on the virtual clock. */
async function played(text: string, options: ReplayOptions & { stopAt?: number } = {}): Promise<string[]> {
  const clock = createVirtualClock();
  const abort = new AbortController();
  const { stopAt, ...rest } = options;
  if (stopAt !== undefined) clock.after(stopAt, () => abort.abort());
  const collected: string[] = [];
  const collect = async () => {
    for await (const event of replayStream(parseStreamRecording(text), {
      ...rest,
      clock,
      signal: abort.signal,
    }))
      collected.push(`${clock.now()} ${told([event])}`);
  };
  await clock.runUntil(collect());
  return collected;
}

describe('a recorded stream', () => {
  test('plays at its pace, faster, and at once', async () => {
    expect(await played(ANTHROPIC)).toEqual([
      '0 open 0 t1 Read',
      '100 0 + {"path":"a"}',
      '200 close 0',
      '400 end tool_use',
    ]);
    expect(await played(ANTHROPIC, { speed: 4 })).toEqual([
      '0 open 0 t1 Read',
      '25 0 + {"path":"a"}',
      '50 close 0',
      '100 end tool_use',
    ]);
    expect((await played(ANTHROPIC, { speed: Number.POSITIVE_INFINITY })).at(-1)).toBe('0 end tool_use');
  });

  test.each([0, -1, Number.NaN])('has no speed of %d', (speed) => {
    expect(() => replayStream(parseStreamRecording(ANTHROPIC), { speed })).toThrow(RangeError);
  });

  test('of OpenAI', async () => {
    expect(await played(OPENAI)).toEqual([
      '50 open 0 t1 Read',
      '50 0 + {"path":"a"}',
      '90 close 0',
      '90 end tool_calls',
    ]);
  });

  test('breaks when it is stopped, at any moment, and leaves no timer', async () => {
    for (const stopAt of [0, 50, 150, 399]) {
      const events = await played(ANTHROPIC, { stopAt });
      expect(events.at(-1)).toMatch(/broken: the replay was stopped/);
      expect(Number(events.at(-1)!.split(' ')[0])).toBe(stopAt);
    }
    expect((await played(ANTHROPIC, { stopAt: 500 })).at(-1)).toBe('400 end tool_use');
  });

  test('that is closed while it waits for its next event ends at once, and leaves neither timer nor listener', async () => {
    const stop = new AbortController();
    let timers = 0;
    const clock: Clock = {
      now: () => 0,
      after() {
        timers++;
        return () => void timers--;
      },
    };
    const recording = parseStreamRecording(ANTHROPIC);
    const stream = replayStream(recording, { clock, signal: stop.signal })[Symbol.asyncIterator]();
    await stream.next();
    const waiting = stream.next();
    await new Promise((resolve) => setTimeout(resolve));
    expect([timers, getEventListeners(stop.signal, 'abort').length]).toEqual([1, 1]);
    const closed = stream.return?.();
    expect((await waiting).value).toMatchObject({ type: 'stream-broken' });
    expect(await closed).toMatchObject({ done: true });
    expect([timers, getEventListeners(stop.signal, 'abort').length]).toEqual([0, 0]);
  });

  test('plays from its beginning each time', async () => {
    const stream = replayStream(parseStreamRecording(ANTHROPIC), { speed: Number.POSITIVE_INFINITY });
    for (let time = 1; time <= 2; time++) expect(await collect(stream)).toHaveLength(4);
  });

  test('breaks where its end was not recorded, whatever line was the last', async () => {
    const all = ANTHROPIC.trimEnd().split('\n');
    for (let count = 1; count < all.length; count++) {
      expect((await played(all.slice(0, count).join('\n'))).at(-1)).toMatch(/broken: /);
    }
  });

  test('says which lines were left out', () => {
    const { events, notes } = parseStreamRecording(`${ANTHROPIC}{"t":500,"ev`);
    expect(events).toHaveLength(5);
    expect(notes).toEqual(['1 unreadable line was left out, the first is line 7.']);
    expect(
      parseStreamRecording(`\uFEFF${header('openai')}\n\n12\n{}\n{"t":1e999,"event":{}}\n`).notes,
    ).toEqual(['3 unreadable lines were left out, the first is line 3.']);
  });

  test.each([
    ['', /first line must be/],
    ['{"format":"waves-recording","version":1}', /no recorded stream/],
    ['{"format":"waves-stream","version":2,"provider":"openai"}', /version 2/],
    ['{"format":"waves-stream","version":1,"provider":"other"}', /unknown provider/],
  ])('%s is none', (text, sentence) => {
    expect(() => parseStreamRecording(text)).toThrow(sentence);
  });
});

test('the sample stream: one early run that stands, one that does not, an edit that waits for the end', () => {
  const url = new URL('../../../../media/sample-workspace/message.stream.jsonl', import.meta.url);
  const { provider, events, notes } = parseStreamRecording(readFileSync(url, 'utf8'));
  expect([provider, notes]).toEqual(['anthropic', []]);
  expect(events.at(-1)!.t).toBeLessThan(5_000);
});
