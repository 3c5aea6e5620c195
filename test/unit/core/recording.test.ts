import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WavesEvent } from '../../../src/core/events.ts';
import { parseRecording, writeRecording } from '../../../src/core/recording.ts';
import { reduce, reduceAll } from '../../../src/core/reduce.ts';
import type { Scenario } from '../../../src/core/scenario.ts';
import { simulate } from '../../../src/core/simulate.ts';
import { initialState } from '../../../src/core/state.ts';
import { rowsOf } from '../../../src/core/table.ts';

const scenario: Scenario = {
  tools: { Read: { safe: true, key: '{path}', ms: 20 }, Edit: { ms: 30 }, Grep: { safe: true, ms: 50 } },
  calls: [
    { tool: 'Read', input: { path: 'a' } },
    { tool: 'Edit', input: { path: 'c' }, outcome: 'soft' },
    { tool: 'Grep', touches: [{ resource: 'file:"x"\n', mode: 'read' }] },
    { tool: 'Read', input: { path: 'a', label: '<img src=x onerror=alert(1)> \u2028 😀' } },
  ],
};
const { events } = await simulate(scenario, { strategy: 'first-fit' });
const text = writeRecording(events);

test('a recording is JSON Lines with the version first; opening and writing it again gives the same bytes', () => {
  expect(text.split('\n')[0]).toBe('{"format":"waves-recording","version":1}');
  const { header, events: parsed, notes } = parseRecording(text);
  expect(notes).toEqual([]);
  expect(parsed).toEqual(events);
  expect(writeRecording(parsed, header)).toBe(text);
});

describe('what still opens, and says so', () => {
  test('a cut-off last line', () => {
    const { events: parsed, notes } = parseRecording(text.slice(0, -20));
    expect(parsed).toHaveLength(events.length - 1);
    expect(notes).toEqual([`The last line (${events.length + 1}) is cut off and was left out.`]);
  });
  test('an unknown version, and unknown event types', () => {
    const newer = text
      .replace('"version":1', '"version":7')
      .replace('"type":"run-started"', '"type":"run-begun"');
    const { header, events: parsed, notes } = parseRecording(newer);
    expect(notes[0]).toContain('version 7');
    expect(notes[1]).toBe('1 event of the unknown type "run-begun".');
    expect(reduceAll(parsed).unknown).toBe(1);
    expect(writeRecording(parsed, header)).toBe(newer);
  });
  test('garbage in the middle, blank lines, Windows line ends, a byte order mark', () => {
    const lines = text.trimEnd().split('\n');
    lines.splice(3, 0, 'garbage', '');
    const { events: parsed, notes } = parseRecording(`\uFEFF${lines.join('\r\n')}`);
    expect(parsed).toEqual(events);
    expect(notes).toEqual(['1 unreadable line was left out, the first is line 4.']);
  });
  test('missing events', () => {
    const lines = text.split('\n');
    lines.splice(5, 1);
    expect(parseRecording(lines.join('\n')).notes).toEqual([
      'Events are missing or out of order from number 4 on.',
    ]);
  });
});

test.each(['', 'no json', '{}', '{"format":"other","version":1}', '[]', 'null'])(
  '%j is no recording, in a sentence',
  (bad) => {
    expect(() => parseRecording(bad)).toThrow('This is no recording of Waves');
  },
);

describe('the state after events', () => {
  const live = events.reduce<typeof initialState>((state, event) => reduce(state, event), initialState);

  test('seen live, replayed from the recording and scrubbed to the end are the same', () => {
    expect(reduceAll(parseRecording(text).events)).toEqual(live);
    const half = reduceAll(events.slice(0, 20));
    expect(reduceAll(events.slice(20), half)).toEqual(live);
  });
  test('says how the run went', () => {
    expect(live.phase).toBe('done');
    expect(live.counts).toMatchObject({ ok: 3, soft: 1, running: 0, planned: 0 });
    expect([...rowsOf(live.completions)]).toEqual([0, 2, 1, 3]);
    expect(live.holders.every((holder) => holder === undefined)).toBe(true);
    const rows = [...rowsOf(live.calls)];
    expect(rows.map(({ permit, startedAt, endedAt }) => [permit, startedAt, endedAt])).toEqual([
      [0, 0, 20],
      [0, 50, 80],
      [1, 0, 50],
      [0, 80, 100],
    ]);
    expect(rows[2]!.touched).toEqual([{ resource: 'file:"x"\n', mode: 'read' }]);
  });
  test('ignores what it has taken in already, and counts what it cannot place', () => {
    expect(reduce(live, events[3]!)).toBe(live);
    const odd = { type: 'call-started', seq: live.seq, t: 1, call: 99 } as WavesEvent;
    expect(reduce(live, odd)).toEqual({ ...live, seq: live.seq + 1, unknown: 1 });
  });
  test('after every event: held and free permits are N, counts add up to the calls, and earlier states stay as they were', () => {
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            tool: fc.constantFrom('Read', 'Edit', 'Grep'),
            ms: fc.nat(30),
            outcome: fc.constantFrom('ok' as const, 'ok' as const, 'soft' as const, 'hard' as const),
          }),
          { maxLength: 30 },
        ),
        fc.integer({ min: 1, max: 5 }),
        async (random, cap) => {
          const run = await simulate(
            { tools: scenario.tools, calls: random.map((call) => ({ ...call, input: { path: 'x' } })) },
            { strategy: 'first-fit', maxConcurrency: cap },
          );
          let state = initialState;
          const states = [state];
          for (const event of run.events) {
            state = reduce(state, event);
            states.push(state);
          }
          for (const [at, one] of states.entries()) {
            if (at === 0) continue;
            expect(Object.values(one.counts).reduce((sum, count) => sum + count, 0)).toBe(random.length);
            expect(one.holders).toHaveLength(one.permits);
            const running = [...rowsOf(one.calls)].filter(
              ({ status }) => status === 'holding' || status === 'running',
            ).length;
            expect(one.holders.filter((holder) => holder !== undefined).length).toBeGreaterThanOrEqual(
              running,
            );
          }
          expect(state.holders.every((holder) => holder === undefined)).toBe(true);
          const middle = states.length >> 1;
          expect(states[middle]).toEqual(reduceAll(run.events.slice(0, middle)));
        },
      ),
      { numRuns: 200 },
    );
  });
});
