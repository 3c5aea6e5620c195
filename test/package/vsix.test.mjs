// The packaged extension: small, complete, and accepted by a real VS Code.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { before, test } from 'node:test';
import { ROOT, temporaryFolder } from '../harness/prepare.mjs';
import { run } from '../harness/process.mjs';

const LIMIT = 4_000_000;
const launcher = join(ROOT, 'test', 'harness', 'vscodeNpm.mjs');
const vsix = join(temporaryFolder('waves-vsix'), 'waves.vsix');
const data = temporaryFolder('waves-installed');
const folders = [`--user-data-dir=${data}`, `--extensions-dir=${join(data, 'extensions')}`];
const node = (...args) => run(process.execPath, args, { cwd: ROOT });

/** All files below `folder`, as paths with `/`. */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
    );
}

before(async () => {
  const vsce = join(ROOT, 'node_modules', '@vscode', 'vsce', 'vsce');
  const { code, output } = await node(vsce, 'package', '--no-dependencies', '--out', vsix);
  assert.equal(code, 0, output);
});

test('the package stays under 4 MB', () => {
  assert.ok(statSync(vsix).size < LIMIT, `${statSync(vsix).size} bytes`);
});

test('a real VS Code installs it, with everything it needs and nothing else', async () => {
  const { code, output } = await node(launcher, ...folders, '--install-extension', vsix);
  assert.equal(code, 0, output);
  const { publisher, name, version, main } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const listed = await node(launcher, ...folders, '--list-extensions');
  assert.match(listed.output, new RegExp(`^${publisher}\\.${name}$`, 'm'));

  const installed = join(data, 'extensions', `${publisher}.${name}-${version}`);
  const files = filesIn(installed);
  const needed = [
    main.replace('./', ''),
    'dist/grepWorker.js',
    'dist/panel/main.js',
    'dist/panel/panel.css',
    'package.json',
  ];
  for (const file of needed) assert.ok(existsSync(join(installed, file)), `${file} is missing`);
  const sample = filesIn(join(ROOT, 'media', 'sample-workspace')).map(
    (file) => `media/sample-workspace/${file}`,
  );
  assert.deepEqual(
    sample.filter((file) => !files.includes(file)),
    [],
    'files of the sample workspace are missing',
  );
  const allowed =
    /^(dist\/(extension|grepWorker)\.js|dist\/panel\/|media\/|package\.json|(readme|changelog)\.md|LICENSE\.txt|\.vsixmanifest)/i;
  assert.deepEqual(
    files.filter((file) => !allowed.test(file)),
    [],
    'files that nobody needs',
  );
});
