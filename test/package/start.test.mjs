// `npm start -- --check`: everything that npm start does, short of waiting for a person.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../harness/prepare.mjs';
import { run } from '../harness/process.mjs';

test('npm start builds, opens a VS Code that answers, and prints its address', async () => {
  const { code, output } = await run(
    process.execPath,
    [join(ROOT, 'test', 'harness', 'start.mjs'), '--check'],
    { cwd: ROOT },
  );
  assert.equal(code, 0, output);
  assert.match(output, /^Waves is ready: http:\/\/127\.0\.0\.1:\d+\/\?folder=\/.*sample-workspace$/m);
});

test('a wrong choice of VS Code ends with a sentence, not a stack', async () => {
  const env = { ...process.env, WAVES_VSCODE: join(ROOT, 'no-such-program') };
  const { code, output } = await run(process.execPath, [join(ROOT, 'test', 'harness', 'start.mjs')], {
    cwd: ROOT,
    env,
  });
  assert.equal(code, 1);
  assert.match(output, /no-such-program, which does not exist/);
  assert.doesNotMatch(output, /^\s+at /m);
});
