// What an npm user of the core gets: dist/core.mjs with types that resolve, and the command `waves`.

import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT, temporaryFolder } from '../harness/prepare.mjs';
import { run } from '../harness/process.mjs';

const node = (...args) => run(process.execPath, args);

/** A project of someone else that has Waves among its packages, with just enough around it to be compiled. */
function consumer(compilerOptions) {
  const folder = temporaryFolder('waves-consumer');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules', 'waves'), 'junction');
  const program = `
    import { createRegistry, type Plan, plan, type ToolCall } from 'waves';
    const calls: ToolCall[] = [];
    const planned: Plan | Promise<Plan> = plan(calls, createRegistry([]));
    console.log(typeof planned);
    // @ts-expect-error the types have to be real ones, not any
    const wrong: number = createRegistry([]);
    void wrong;
  `;
  writeFileSync(join(folder, 'program.mts'), program);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const options = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    types: [],
    lib: ['ES2023', 'DOM'],
    ...compilerOptions,
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['program.mts'] }),
  );
  return folder;
}

for (const compilerOptions of [
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
])
  test(`the types of the library resolve under ${compilerOptions.moduleResolution}`, async () => {
    const folder = consumer(compilerOptions);
    const { code, output } = await node(join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', folder);
    assert.equal(code, 0, output);
  });

test('the library loads in plain Node and plans', async () => {
  const folder = consumer({});
  const program =
    "import { plan, createRegistry } from 'waves'; console.log(typeof plan, typeof createRegistry);";
  writeFileSync(join(folder, 'program.mjs'), program);
  const { code, output } = await node(join(folder, 'program.mjs'));
  assert.equal(code, 0, output);
  assert.equal(output, 'function function\n');
});

test('the command `waves` says how it is used', { skip: process.platform === 'win32' }, async () => {
  const { code, output } = await run(join(ROOT, 'dist', 'cli.mjs'), ['--help']);
  assert.equal(code, 0, output);
  assert.match(output, /waves plan/);
});
