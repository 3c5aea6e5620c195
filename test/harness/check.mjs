// `npm run check`: types, lint, format, import boundaries and unused code, all at once, in seconds.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './prepare.mjs';
import { Failure, run, runMain, seconds } from './process.mjs';

const bin = (...path) => join(ROOT, 'node_modules', ...path);
const tsc = (project) => [bin('typescript', 'bin', 'tsc'), '-p', project, '--pretty', 'false'];

/** Each check: a name, and a program for Node with its arguments. */
const CHECKS = [
  ['types of the host', tsc('tsconfig.json')],
  ['types of the core', tsc('src/core/tsconfig.json')],
  ['types of the panel', tsc('webview/tsconfig.json')],
  ['types of the tests', tsc('test/tsconfig.json')],
  [
    'lint and format',
    [
      bin('@biomejs', 'biome', 'bin', 'biome'),
      'check',
      '--error-on-warnings',
      '--colors=off',
      '--max-diagnostics=100',
      '.',
    ],
  ],
  ['import boundaries', [join(ROOT, 'test', 'harness', 'boundaries.mjs')]],
  ['unused code', [bin('knip', 'bin', 'knip.js'), '--no-progress']],
];

async function main() {
  if (!existsSync(bin()))
    throw new Failure(
      'The dependencies are missing: run `npm ci` first (npm start and npm test do so by themselves).',
    );
  const start = performance.now();
  const results = await Promise.all(CHECKS.map(([name, args]) => check(name, args)));
  const failed = results.filter((passed) => !passed).length;
  console.log(`check: ${results.length - failed} passed, ${failed} failed (${seconds(start)})`);
  return failed > 0 ? 1 : 0;
}

async function check(name, args) {
  const start = performance.now();
  const { code, output } = await run(process.execPath, args, { cwd: ROOT });
  console.log(
    code === 0 ? `  ✓ ${name} (${seconds(start)})` : `  ✕ ${name} (${seconds(start)})\n${output.trim()}\n`,
  );
  return code === 0;
}

await runMain(main);
