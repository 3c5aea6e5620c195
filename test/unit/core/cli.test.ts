import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/core/clock.ts';
import { plan } from '../../../src/core/plan/plan.ts';
import { parseScenario } from '../../../src/core/scenario.ts';
import { scenarioBatch } from '../../../src/core/simulate.ts';

const root = new URL('../../../', import.meta.url).pathname;
const six = join(root, 'test/fixtures/scenarios/six-calls.waves.json');
let folder: string;
let cli: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waves-cli-'));
  cli = join(folder, 'cli.mjs');
  await build({
    entryPoints: [join(root, 'src/cli/main.ts')],
    outfile: cli,
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function waves(args: string[], input = '') {
  const { stdout, stderr, status } = spawnSync(process.execPath, [cli, ...args], { input, encoding: 'utf8' });
  return { stdout, stderr, status };
}

describe('waves plan', () => {
  test.each(['sequential', 'batches', 'first-fit'] as const)(
    '--json under %s prints exactly what plan() returns',
    (strategy) => {
      const { scenario } = parseScenario(readFileSync(six, 'utf8'));
      const { calls, registry } = scenarioBatch(scenario!, createVirtualClock());
      const { stdout, status } = waves(['plan', six, '--strategy', strategy, '--json']);
      expect(status).toBe(0);
      expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(plan(calls, registry, { strategy }))));
    },
  );
  test('for people: waves, decisions with their rules, and what was rejected', () => {
    const { stdout } = waves(['plan', six]);
    expect(stdout).toContain('wave 1: #1 Read, #2 Read, #4 Grep, #6 Stat');
    expect(stdout).toContain('#5 Read → wave 3  R5');
    expect(stdout).toContain('rejected  R2  Wave 1 holds key file:a: #1 has it.');
  });
  test('reads standard input', () => {
    expect(waves(['plan', '-'], readFileSync(six, 'utf8')).status).toBe(0);
  });
});

test('waves simulate --json gives results, events, makespan and speed-up', () => {
  const { stdout, status } = waves(['simulate', six, '--json']);
  expect(status).toBe(0);
  const { results, events, makespanMs, speedUp } = JSON.parse(stdout);
  expect([results.length, events[0].type, makespanMs, speedUp.toFixed(2)]).toEqual([
    6,
    'batch-received',
    450,
    '1.33',
  ]);
  expect(waves(['simulate', six, '--max-concurrency', '1']).stdout).toContain('makespan 600 ms');
});

test('waves simulate of a scenario that is streamed says when calls arrived, and what early runs won and wasted', () => {
  const { stdout, status } = waves(['simulate', join(root, 'test/fixtures/scenarios/streamed.waves.json')]);
  expect(status).toBe(0);
  expect(stdout).toContain('makespan 2750 ms');
  expect(stdout).toMatch(/#1 .* 200 .*began early, won 9\.091 ms/);
  expect(stdout).toMatch(/#2 .* 600 .*began early, wasted 250 ms/);
});

describe('bad input ends with 2 and a sentence', () => {
  test('a file with a mistake is named with line and column', () => {
    const file = join(folder, 'bad.waves.json');
    writeFileSync(file, '{\n "tools": {},\n "calls": [{}]\n}');
    const { stderr, status } = waves(['plan', file]);
    expect(status).toBe(2);
    expect(stderr).toBe(`${file}:3:12: "calls.0" lacks "tool".\n`);
  });
  test.each([
    [['plan', 'no-such-file'], 'no-such-file: cannot be read'],
    [['plan', six, '--strategy', 'fast'], 'Unknown strategy "fast"'],
    [['plan', six, '--max-concurrency', '0', '--nope'], "Unknown option '--nope'"],
    [['simulate', six, '--max-concurrency', '0'], '--max-concurrency must be a whole number'],
    [['frobnicate', six], 'Unknown command "frobnicate"'],
    [['plan'], 'needs a file'],
    [['plan', six, six], 'takes one file'],
    [[], 'Usage: waves'],
  ])('%j', (args, part) => {
    const { stderr, status } = waves(args);
    expect(status).toBe(2);
    expect(stderr).toContain(part);
    expect(stderr).not.toContain('    at ');
  });
  test('--help is no error', () => {
    expect(waves(['--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage: waves') });
  });
});
