import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGrepMatcher, type GrepMatcher } from '../../../src/host/grepMatcher.ts';
import { openWorkspace, toolsOf } from './workspaces.ts';

const folder = mkdtempSync(join(tmpdir(), 'waves-grep-'));
const workerPath = join(folder, 'grepWorker.js');
let matcher: GrepMatcher;

beforeAll(() => {
  const entryPoints = [join(import.meta.dirname, '../../../src/host/grepWorker.ts')];
  buildSync({
    entryPoints,
    outfile: workerPath,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
  });
  matcher = createGrepMatcher({ workerPath });
});

afterAll(() => {
  matcher.dispose();
  rmSync(folder, { recursive: true, force: true });
});

test('case 33: a hostile pattern times out within 2 s, a read beside it returns, and the loop stays free', {
  retry: 2,
}, async () => {
  await using ws = openWorkspace('memory', { 'a.txt': `${'a'.repeat(40)}!`, 'b.txt': 'fine' });
  const tools = toolsOf(ws.files, { matcher });
  await tools.run('grep', { pattern: 'fine' }); // the thread has started
  let last = performance.now();
  let lag = 0;
  const ticking = setInterval(() => {
    const now = performance.now();
    lag = Math.max(lag, now - last - 10);
    last = now;
  }, 10);
  const began = performance.now();
  const [sentence, read] = await Promise.all([
    tools.fail('grep', { pattern: '(a+)+$' }),
    tools.run('read', { file_path: 'b.txt' }),
  ]);
  const took = performance.now() - began;
  clearInterval(ticking);
  expect(sentence).toContain('timed out after 1.8 s');
  expect(read).toContain('fine');
  expect(took).toBeLessThan(2000);
  expect(lag).toBeLessThan(100);
  expect(await tools.run('grep', { pattern: 'fine' })).toContain('b.txt:1:fine');
});

test('case 33: a hostile glob is ended too', async () => {
  await using ws = openWorkspace('memory', { [`${'a'.repeat(200)}.ts`]: '' });
  const quick = createGrepMatcher({ workerPath, textMs: 200 });
  const tools = toolsOf(ws.files, { matcher: quick });
  expect(await tools.fail('glob', { pattern: `${'*a'.repeat(12)}*b` })).toContain('timed out');
  quick.dispose();
});

test('case 33: an invalid pattern gives the words of the engine, and the thread lives on', async () => {
  await using ws = openWorkspace('memory', { 'a.txt': 'x' });
  const tools = toolsOf(ws.files, { matcher });
  expect(await tools.fail('grep', { pattern: '(' })).toMatch(/Unterminated group/);
  expect(await tools.run('grep', { pattern: 'x' })).toContain('a.txt:1:x');
});

test('an abort ends a search in the middle of a match', async () => {
  await using ws = openWorkspace('memory', { 'a.txt': `${'a'.repeat(40)}!` });
  const controller = new AbortController();
  const tools = toolsOf(ws.files, { matcher, signal: controller.signal });
  const began = performance.now();
  setTimeout(() => controller.abort(), 100);
  expect(await tools.fail('grep', { pattern: '(a+)+$' })).toContain('Interrupted');
  expect(performance.now() - began).toBeLessThan(1000);
});

test('several searches at once each have their own thread', async () => {
  await using ws = openWorkspace('memory', { 'a.txt': 'one\ntwo\nthree\n' });
  const tools = toolsOf(ws.files, { matcher });
  const texts = await Promise.all(
    ['one', 'two', 'three', 't'].map((pattern) => tools.run('grep', { pattern })),
  );
  expect(texts.map((text) => text.match(/:\d+:/g)?.length)).toEqual([1, 1, 1, 2]);
});
