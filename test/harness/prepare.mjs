// What `npm start` and `npm test` do first: dependencies, build, a copy of the sample workspace. Only Node builtins,
// as nothing may be installed yet.

import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './cache.mjs';
import { Failure, npm, run, seconds } from './process.mjs';

/** The project's folder, without a slash at its end. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');
const NODE_NEEDED = 20;

/** Fails with a sentence when this Node is too old. */
export function checkNode() {
  if (Number(process.versions.node.split('.')[0]) >= NODE_NEEDED) return;
  throw new Failure(`Waves needs Node ${NODE_NEEDED} or newer to build; this is ${process.versions.node}.`);
}

/** Runs `npm ci` when node_modules is missing or does not belong to the present package-lock.json. */
export async function ensureDependencies() {
  if (installed()) return;
  await withLock(join(ROOT, '.vscode-test', 'npm-ci.lock'), async () => {
    if (installed()) return;
    console.log('Installing the dependencies (npm ci), half a minute the first time …');
    const start = performance.now();
    await npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: ROOT });
    writeFileSync(stampFile(), lockSum());
    console.log(`  done, ${seconds(start)}`);
  });
}

function installed() {
  if (existsSync(stampFile()) && readFileSync(stampFile(), 'utf8') === lockSum()) return true;
  // Whoever ran npm by hand has no stamp of ours; npm's own is newer than the lock file then.
  const npmStamp = join(ROOT, 'node_modules', '.package-lock.json');
  if (!existsSync(npmStamp) || statSync(npmStamp).mtimeMs < statSync(lockFile()).mtimeMs) return false;
  writeFileSync(stampFile(), lockSum());
  return true;
}

const lockFile = () => join(ROOT, 'package-lock.json');
const stampFile = () => join(ROOT, 'node_modules', '.waves-installed');
const lockSum = () => createHash('sha256').update(readFileSync(lockFile())).digest('hex');

/** Builds dist/; esbuild says what is wrong if anything is. */
export async function build() {
  console.log('Building …');
  const start = performance.now();
  const { code } = await run(process.execPath, [join(ROOT, 'esbuild.mjs')], { cwd: ROOT, show: true });
  if (code !== 0) throw new Failure('The build failed; what is wrong is said above.');
  console.log(`  done, ${seconds(start)}`);
}

/** A fresh copy of the sample workspace in a folder of its own, so that edits are free; `remove` ends it. */
export function copySampleWorkspace() {
  const parent = mkdtempSync(join(tmpdir(), 'waves-'));
  const remove = () => rmSync(parent, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', remove);
  const folder = join(parent, 'sample-workspace');
  cpSync(join(ROOT, 'media', 'sample-workspace'), folder, { recursive: true });
  return {
    folder,
    remove() {
      process.removeListener('exit', remove);
      remove();
    },
  };
}

/** A fresh folder below the system's temporary one, removed when this process ends at the latest. */
export function temporaryFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
