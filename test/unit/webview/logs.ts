/** Logs to draw, from the simulator. */
import { readFileSync } from 'node:fs';
import type { WavesEvent } from '../../../src/core/events.ts';
import { parseScenario, type Scenario } from '../../../src/core/scenario.ts';
import { simulate } from '../../../src/core/simulate.ts';
import type { BatchInfo } from '../../../src/protocol/messages.ts';

/** A scenario of test/fixtures. */
function fixture(name: 'nine-calls' | 'six-calls'): Scenario {
  const url = new URL(`../../fixtures/scenarios/${name}.waves.json`, import.meta.url);
  const { scenario } = parseScenario(readFileSync(url, 'utf8'));
  return scenario!;
}

/** The run of a fixture, under its own strategy. */
export async function logOf(name: 'nine-calls' | 'six-calls' = 'nine-calls'): Promise<readonly WavesEvent[]> {
  return (await simulate(fixture(name))).events;
}

/** The run of many calls: reads, edits of a few files, some unsafe ones, some that fail. */
export async function longLog(calls: number): Promise<readonly WavesEvent[]> {
  const scenario: Scenario = {
    ...fixture('nine-calls'),
    maxConcurrency: 8,
    calls: Array.from({ length: calls }, (_, index) => ({
      tool: index % 61 === 60 ? 'run_tests' : index % 3 === 0 ? 'edit_file' : 'read_file',
      input: { path: `src/file${index % 17}.ts` },
      ms: 3 + ((index * 31) % 50),
      ...(index % 40 === 39 && { outcome: 'soft' as const }),
    })),
  };
  return (await simulate(scenario)).events;
}

export function batch(source: BatchInfo['source'] = 'recorded', id = 'batch-1'): BatchInfo {
  return { id, title: id, source, notes: [] };
}
