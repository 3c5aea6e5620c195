import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseScenario, type Scenario } from '../../../src/core/scenario.ts';
import { simulate } from '../../../src/core/simulate.ts';
import { ofType } from './helpers.ts';

function fixture(name: string): Scenario {
  const { scenario, errors } = parseScenario(
    readFileSync(new URL(`../../fixtures/scenarios/${name}.waves.json`, import.meta.url), 'utf8'),
  );
  expect(errors).toEqual([]);
  return scenario!;
}

describe('the nine calls of the panel page, three permits', () => {
  test.each([
    ['sequential', 2090, '1.00'],
    ['batches', 1370, '1.53'],
    ['first-fit', 1370, '1.53'],
    ['dataflow', 1670, '1.25'],
  ] as const)('%s takes %d ms, %s×', async (strategy, makespanMs, speedUp) => {
    const simulation = await simulate(fixture('nine-calls'), { strategy });
    expect(simulation.makespanMs).toBe(makespanMs);
    expect(simulation.speedUp.toFixed(2)).toBe(speedUp);
    expect(simulation.results.map(({ toolCallId }) => toolCallId)).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `call-${n}`),
    );
  });
});

test('the scenario of the design says its own strategy and cap; a soft outcome is a soft error', async () => {
  const { events, results } = await simulate(fixture('six-calls'));
  expect(events[0]).toMatchObject({ strategy: 'first-fit', permits: 6 });
  expect(results.map(({ isError }) => isError)).toEqual([false, false, false, false, false, true]);
  expect(ofType(events, 'call-ended').map(({ call, t }) => [call, t])).toEqual([
    [5, 10],
    [1, 40],
    [0, 100],
    [3, 150],
    [2, 350],
    [4, 450],
  ]);
});

test('a lesson replays identically', async () => {
  const scenario = fixture('nine-calls');
  expect(JSON.stringify(await simulate(scenario))).toBe(JSON.stringify(await simulate(scenario)));
});

test('a hard outcome aborts: no results, and the events say by whom', async () => {
  const scenario: Scenario = {
    tools: { T: { safe: true, ms: 10 } },
    calls: [{ tool: 'T' }, { tool: 'T', outcome: 'hard', ms: 5 }],
  };
  const { results, events } = await simulate(scenario, { strategy: 'batches' });
  expect(results).toEqual([]);
  expect(events.at(-1)).toMatchObject({ type: 'run-aborted', by: 1, t: 5 });
});

test('one input object used by two calls does not mix them up', async () => {
  const input = { path: 'a' };
  const scenario: Scenario = {
    tools: { T: { safe: true } },
    calls: [
      { tool: 'T', input, ms: 10 },
      { tool: 'T', input, ms: 30 },
    ],
  };
  const { results } = await simulate(scenario, { strategy: 'batches' });
  expect(results.map(({ durationMs }) => durationMs)).toEqual([10, 30]);
});

describe('declarations as data', () => {
  const declared = async (tool: Scenario['tools'][string], input: Record<string, unknown>) => {
    const { events } = await simulate({ tools: { T: tool }, calls: [{ tool: 'T', input }] });
    const [{ safe, key, failure, accesses }] = ofType(events, 'call-declared') as [
      (typeof events)[number] & { type: 'call-declared' },
    ];
    return { safe, key, failure, accesses };
  };
  test('a missing argument makes the declaration fail, so the call is unsafe', async () => {
    expect(await declared({ safe: true, key: 'file:{path}' }, {})).toMatchObject({
      safe: false,
      failure: expect.stringContaining('needs the argument "path"'),
    });
  });
  test('safe when arguments have certain values', async () => {
    const tool = { safe: { when: { mode: ['r', 'rb'], path: { matches: '^src/' } } } };
    expect((await declared(tool, { mode: 'rb', path: 'src/a' })).safe).toBe(true);
    expect((await declared(tool, { mode: 'w', path: 'src/a' })).safe).toBe(false);
    expect((await declared(tool, { mode: 'r', path: 'docs' })).safe).toBe(false);
    expect((await declared(tool, {})).safe).toBe(false);
  });
  test('accesses are templates too; $-signs in an argument are text', async () => {
    const tool = { safe: true, accesses: [{ resource: 'file:{path}', mode: 'read' as const }] };
    expect((await declared(tool, { path: '$&' })).accesses).toEqual([{ resource: 'file:$&', mode: 'read' }]);
  });
});

describe('a scenario that cannot be read says where', () => {
  test.each([
    ['{\n  "tools": {},\n  "calls": [,]\n}', 3, 13, 'A value is expected here.'],
    ['{ "tools": {} }', 1, 1, 'lacks "calls"'],
    ['{\n "tools": { "T": { "sefe": true } },\n "calls": []\n}', 2, 28, '"tools.T.sefe" is not known here'],
    ['{\n "tools": { "Read": {} },\n "calls": [{ "tool": "Raed" }]\n}', 3, 22, 'Did you mean "Read"?'],
    ['', 1, 1, 'A value is expected here.'],
  ])('%j', (text, line, column, part) => {
    const { scenario, errors } = parseScenario(text);
    expect(scenario).toBeUndefined();
    expect(errors[0]).toMatchObject({ line, column });
    expect(errors[0]!.message).toContain(part);
  });
});
