/** Scenarios whose calls say when they arrive: streams on the virtual clock. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { StrategyName } from '../../../src/core/model.ts';
import { parseScenario } from '../../../src/core/scenario.ts';
import { scenarioStream } from '../../../src/core/scenarioStream.ts';
import { simulate } from '../../../src/core/simulate.ts';
import { ofType } from './helpers.ts';

const file = new URL('../../fixtures/scenarios/streamed.waves.json', import.meta.url);
const { scenario } = parseScenario(readFileSync(file, 'utf8'));
const reads = (arrives: readonly (number | undefined)[], ms = 100) => ({
  tools: { read: { safe: true, ms, startsWhen: ['path'] } },
  calls: arrives.map((arrivesMs, index) => ({
    tool: 'read',
    input: { path: `f${index}` },
    ...(arrivesMs !== undefined && { arrivesMs }),
  })),
});

describe('the stream of a scenario', () => {
  test('each call comes from the arrival of the one before to its own, argument by argument', () => {
    const events = scenarioStream({
      tools: { t: {} },
      calls: [
        { tool: 't', input: { a: 1, b: 'xyz' }, arrivesMs: 150 },
        { tool: 't' },
        { tool: 't', input: {}, arrivesMs: 200 },
      ],
    });
    expect(events.map(({ at, event }) => [at, event.type, 'text' in event ? event.text : undefined])).toEqual(
      [
        [0, 'call-opened', undefined],
        [52.941, 'input-fragment', '{"a":1'],
        [141.176, 'input-fragment', ',"b":"xyz"'],
        [150, 'input-fragment', '}'],
        [150, 'call-closed', undefined],
        [150, 'call-opened', undefined],
        [150, 'input-fragment', '{}'],
        [150, 'call-closed', undefined],
        [150, 'call-opened', undefined],
        [200, 'input-fragment', '{}'],
        [200, 'call-closed', undefined],
        [200, 'message-ended', undefined],
      ],
    );
  });

  test('the example of the design: a read of 100 ms costs nothing while the model goes on for 2 s', async () => {
    for (const strategy of ['sequential', 'batches', 'first-fit', 'dataflow'] satisfies StrategyName[]) {
      const { makespanMs, speedUp, results } = await simulate(reads([100, 2100]), { strategy });
      expect(results).toHaveLength(2);
      // The second began when its path was known, and its last character is all that was left to come.
      expect(makespanMs).toBeLessThanOrEqual(2100 + 100);
      expect(speedUp).toBeGreaterThan(1);
    }
    const { makespanMs } = await simulate(reads([100, 2100], 50), { strategy: 'dataflow' });
    const sequentialMs = 2100 + 2 * 50;
    expect(makespanMs / sequentialMs).toBeLessThan(0.98);
  });

  test('early runs, their outcomes, and what waits for the end of the message', async () => {
    const { events, results, makespanMs } = await simulate(scenario!);
    expect(results.map(({ isError }) => isError)).toEqual([...Array(6)].fill(false));
    expect(ofType(events, 'speculation-confirmed').map(({ call }) => call)).toEqual([0]);
    expect(ofType(events, 'speculation-discarded').map(({ call }) => call)).toEqual([1, 4]);
    const ended = ofType(events, 'message-ended')[0]!;
    expect(ended.t).toBe(2200);
    const started = (call: number) => ofType(events, 'call-started').filter((event) => event.call === call);
    expect(started(1)).toHaveLength(2);
    expect(started(3).map(({ t }) => t)).toEqual([2200]);
    expect(makespanMs).toBe(2200 + 300 + 250);
  });

  test('plays alike every time', async () => {
    expect(JSON.stringify(await simulate(scenario!))).toBe(JSON.stringify(await simulate(scenario!)));
  });

  test('a call that would arrive before one that stands before it is an error with its place', () => {
    const text = JSON.stringify(
      {
        tools: { t: {} },
        calls: [{ tool: 't', arrivesMs: 20 }, { tool: 't' }, { tool: 't', arrivesMs: 10 }],
      },
      undefined,
      1,
    );
    const { errors, scenario: none } = parseScenario(text);
    expect(none).toBeUndefined();
    expect(errors).toMatchObject([{ message: expect.stringContaining('"arrivesMs" is less than') }]);
    expect(text.split('\n')[errors[0]!.line - 1]).toContain('10');
  });
});
