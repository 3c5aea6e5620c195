/** The sample stream as it is shipped, on the real tools: which calls start early, and what becomes of them. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createVirtualClock, type VirtualClock } from '../../../src/core/clock.ts';
import { createStreamingDispatch } from '../../../src/core/dispatch/streaming.ts';
import type { WavesEvent } from '../../../src/core/events.ts';
import type { StrategyName } from '../../../src/core/model.ts';
import { STRATEGY_NAMES } from '../../../src/core/plan/strategies.ts';
import { parseStreamRecording, replayStream } from '../../../src/core/stream/replay.ts';
import type { StreamEvent } from '../../../src/core/stream/streamEvent.ts';
import { createRegistry } from '../../../src/core/tools.ts';
import { nap, ofType } from '../core/helpers.ts';
import { close, end, open, text } from '../core/streamed.ts';
import { openWorkspace, toolsOf } from '../tools/workspaces.ts';

const shipped = (name: string) =>
  readFileSync(
    fileURLToPath(new URL(`../../../media/sample-workspace/${name}`, import.meta.url)),
    'utf8',
  ).replaceAll('\r\n', '\n');

const FILES = ['src/a.ts', 'src/b.ts', 'src/c.ts', 'docs/notes.md'];

/** Runs a stream on the sample's files in memory, on a clock that costs no time. */
async function run(strategy: StrategyName, source?: readonly StreamEvent[]) {
  await using workspace = openWorkspace(
    'memory',
    Object.fromEntries(FILES.map((path) => [path, shipped(path)])),
  );
  const clock = createVirtualClock();
  const events: WavesEvent[] = [];
  const { push, results } = createStreamingDispatch(createRegistry(toolsOf(workspace.files).tools), {
    strategy,
    clock,
    resolve: workspace.files.keyOf,
    onEvent: (event) => void events.push(event),
  });
  const all = async () => {
    const stream = source
      ? spaced(source, clock)
      : replayStream(parseStreamRecording(shipped('message.stream.jsonl')), { clock });
    for await (const event of stream) push(event);
    return results;
  };
  return { results: await clock.runUntil(all()), events, log: workspace.text('src/c.ts') };
}

/** Events 10 ms apart. */
async function* spaced(events: readonly StreamEvent[], clock: VirtualClock) {
  for (const event of events) {
    await nap(clock, 10);
    yield event;
  }
}

const callsOf = (events: readonly { readonly call: number }[]) => events.map(({ call }) => call);

describe('the sample stream', () => {
  test('first-fit: starts what may start early, throws one run away, and edits when the message has ended', async () => {
    const { events, results, log } = await run('first-fit');
    expect(callsOf(ofType(events, 'speculation-started'))).toEqual([0, 1, 4, 5]);
    expect(callsOf(ofType(events, 'speculation-confirmed'))).toEqual([0, 4, 5]);
    expect(ofType(events, 'speculation-discarded')).toMatchObject([
      { call: 1, reason: 'it began without knowing the whole input: offset, limit came later' },
    ]);
    const [messageEnded] = ofType(events, 'message-ended');
    const [edited] = ofType(events, 'call-started').filter(({ call }) => call === 3);
    expect(messageEnded?.t).toBe(3200);
    expect(edited?.seq).toBeGreaterThan(messageEnded?.seq ?? Number.POSITIVE_INFINITY);
    expect(results.map(({ toolCallId }) => toolCallId)).toEqual([1, 2, 3, 4, 5, 6].map((n) => `toolu_0${n}`));
    expect(log).toContain("  'A wave came by.',\n");
  });

  test.each(STRATEGY_NAMES)(
    '%s: no call fails, and the edit waits for the end of the message',
    async (strategy) => {
      const { events, results } = await run(strategy);
      expect(results.map(({ isError, content }) => [isError, content])).toEqual(
        results.map(({ content }) => [false, content]),
      );
      const edited = events.findIndex((event) => event.type === 'call-started' && event.call === 3);
      expect(edited).toBeGreaterThan(events.findIndex(({ type }) => type === 'message-ended'));
    },
  );
});

describe('an input of which only a part is known', () => {
  test.each([
    ['read', '{"file_path": "src/a.ts"', ', "limit": 1}'],
    ['stat', '{"path": "docs"', ' }'],
  ])('%s starts with its path, and nothing complains about what is missing', async (name, part, rest) => {
    const { events, results } = await run('first-fit', [
      open(0, name),
      text(0, part),
      text(0, rest),
      close(0),
      end(),
    ]);
    expect(callsOf(ofType(events, 'speculation-started'))).toEqual([0]);
    expect(ofType(events, 'call-declared')).toMatchObject([{ call: 0, safe: true }]);
    expect(results).toMatchObject([{ isError: false }]);
  });

  test.each([
    ['a path that is none', 'read', '{"file_path": 5', '}'],
    ['a path that is empty', 'stat', '{"path": ""', '}'],
  ])('%s starts nothing, and fails once: at the close', async (_, name, part, rest) => {
    const { events, results } = await run('first-fit', [
      open(0, name),
      text(0, part),
      text(0, rest),
      close(0),
      end(),
    ]);
    expect(ofType(events, 'speculation-started')).toEqual([]);
    expect(ofType(events, 'call-declared')).toHaveLength(1);
    expect(results).toMatchObject([{ isError: true }]);
  });

  test('an argument that comes late and is wrong: the run is thrown away, and one error says why', async () => {
    const { events, results } = await run('first-fit', [
      open(0, 'read'),
      text(0, '{"file_path": "src/a.ts"'),
      text(0, ', "offset": "two"}'),
      close(0),
      end(),
    ]);
    expect(callsOf(ofType(events, 'speculation-discarded'))).toEqual([0]);
    expect(ofType(events, 'call-ended')).toHaveLength(1);
    expect(results).toMatchObject([{ isError: true, content: expect.stringContaining('offset') }]);
  });
});
