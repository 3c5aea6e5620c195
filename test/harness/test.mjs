// `npm test`: installs what is missing, builds, and runs everything; `npm test -- check|unit|package|host|ui` only these.
// Every stage runs even if one before it failed. The last line is the sum: `N passed, N failed`.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBrowser } from './browser.mjs';
import { ensureVSCode } from './install.mjs';
import {
  build,
  checkNode,
  copySampleWorkspace,
  ensureDependencies,
  ROOT,
  temporaryFolder,
} from './prepare.mjs';
import { Failure, reason, run, runMain, seconds } from './process.mjs';

/** `vscode`: needs the VS Code and the browser that are fetched once. */
const STAGES = {
  check: { title: 'Types, lint, format, boundaries, unused code', run: checks },
  unit: { title: 'Unit tests (vitest)', run: unitTests },
  package: {
    vscode: true,
    title: 'The package, the library and the commands (node:test)',
    run: () => nodeTests(join(ROOT, 'test', 'package')),
  },
  host: { vscode: true, title: 'Tests inside a real VS Code (mocha)', run: hostTests },
  ui: {
    vscode: true,
    title: 'Tests of the panel in a real browser (node:test)',
    run: () => nodeTests(join(ROOT, 'test', 'ui')),
  },
};

async function main() {
  const chosen = process.argv.slice(2);
  const unknown = chosen.find((name) => !Object.hasOwn(STAGES, name));
  if (unknown)
    throw new Failure(`There is no stage "${unknown}": choose from ${Object.keys(STAGES).join(', ')}.`);
  checkNode();
  await ensureDependencies();
  await build();
  const results = [];
  for (const name of Object.keys(STAGES))
    if (chosen.length === 0 || chosen.includes(name)) results.push(await stage(name));

  console.log('\n── Summary');
  for (const { name, passed, failed, time, problem } of results)
    console.log(
      `  ${failed > 0 ? '✕' : '✓'} ${name.padEnd(7)} ${passed} passed, ${failed} failed (${time})${problem ? `: ${problem}` : ''}`,
    );
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') > 0 ? 1 : 0;
}

/** A stage that ends badly without counting a failed test counts as one itself, with its reason. */
async function stage(name) {
  console.log(`\n── ${STAGES[name].title}`);
  const start = performance.now();
  let result;
  try {
    // Here and not where it is used: what is fetched for the first time should be seen.
    if (STAGES[name].vscode) {
      await ensureVSCode();
      await findBrowser();
    }
    result = await STAGES[name].run();
  } catch (error) {
    console.error(error instanceof Failure ? error.message : error);
    result = { passed: 0, failed: 0, problem: reason(error).split('\n')[0] };
  }
  const problem = result.problem ?? (result.passed + result.failed === 0 ? 'no test ran' : undefined);
  return {
    name,
    ...result,
    problem,
    failed: problem && result.failed === 0 ? 1 : result.failed,
    time: seconds(start),
  };
}

async function checks() {
  return finish(
    await node([join(ROOT, 'test', 'harness', 'check.mjs')]),
    /^check: (\d+) passed, (\d+) failed/m,
  );
}

async function unitTests() {
  const file = join(temporaryFolder('waves-vitest'), 'result.json');
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const { code } = await node([vitest, 'run', ...reporters]);
  if (!existsSync(file))
    return { passed: 0, failed: 0, problem: `vitest ended with ${code} before any test` };
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(file, 'utf8'));
  // A file that cannot even be loaded has no failed test in it.
  const unloaded = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  const failed = numFailedTests + unloaded.length;
  return {
    passed: numPassedTests,
    failed,
    problem: code !== 0 && failed === 0 ? `vitest ended with ${code}` : undefined,
  };
}

/** In a process of its own: test-electron writes to its console and may end it. */
async function hostTests() {
  const sample = copySampleWorkspace();
  try {
    const result = await node([
      join(ROOT, 'test', 'harness', 'runHost.mjs'),
      sample.folder,
      temporaryFolder('waves-host'),
    ]);
    return finish(result, /^host: (\d+) passed, (\d+) failed/m);
  } finally {
    sample.remove();
  }
}

/** The test files in `folder`, one at a time: each that needs one starts a VS Code of its own. */
async function nodeTests(folder) {
  // Listed here: Node versions differ in how they read a folder or a pattern.
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.test.mjs')) : [];
  if (files.length === 0) return { passed: 0, failed: 0, problem: `${folder} has no test file` };
  const tap = join(temporaryFolder('waves-node-test'), 'result.tap');
  const reporters = ['spec', 'tap'].flatMap((name) => [
    `--test-reporter=${name}`,
    `--test-reporter-destination=${name === 'spec' ? 'stdout' : tap}`,
  ]);
  const paths = files.sort().map((name) => join(folder, name));
  const { code } = await node(['--test', '--test-concurrency=1', ...reporters, ...paths]);
  const text = existsSync(tap) ? readFileSync(tap, 'utf8') : '';
  const count = (word) => Number(new RegExp(`^# ${word} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
  const failed = count('fail') + count('cancelled');
  const problem = code !== 0 && failed === 0 ? `node --test ended with ${code}` : undefined;
  return { passed: count('pass'), failed, problem };
}

/** The suites write into a pipe of ours: tell them whether a person's terminal is at the other end. */
function node(args) {
  const { FORCE_COLOR, NO_COLOR, ...env } = process.env;
  if (!process.stdout.isTTY || NO_COLOR !== undefined) env.NO_COLOR = '1';
  else env.FORCE_COLOR = FORCE_COLOR ?? '1';
  return run(process.execPath, args, { cwd: ROOT, show: true, env });
}

function finish({ code, output }, closingLine) {
  const [, passed = 0, failed = 0] = closingLine.exec(output) ?? [];
  const problem =
    code !== 0 && Number(failed) === 0 ? `it ended with ${code}, the reason is above` : undefined;
  return { passed: Number(passed), failed: Number(failed), problem };
}

await runMain(main);
