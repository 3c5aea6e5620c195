// What is fetched once and kept: a folder outside the project, safe against two processes and interruption.

import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir, hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { alive, Failure, npm, reason, run } from './process.mjs';

const COMPLETE = '.complete';
const LOCK_EXPIRES = 15 * 60_000;

/**
 * The folder for what is fetched: `WAVES_CACHE`, else under the user's cache folder. Never inside the project:
 * VS Code takes themes below an extension in development for that extension's own and lets them override the setting.
 */
export function cacheFolder() {
  const folder =
    process.env.WAVES_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'waves-test');
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new Failure(
      `The cache folder ${folder} cannot be written (${error.code}). Set WAVES_CACHE to a folder that can, for example WAVES_CACHE=${join(tmpdir(), 'waves-cache')}.`,
    );
  }
  return folder;
}

/**
 * The folder `name` of the cache. The first call makes it: `make` fills a temporary folder, which takes the name only
 * when complete, so an interruption leaves nothing half done. A second process waits for the first.
 */
export async function provide(name, make) {
  const folder = join(cacheFolder(), name);
  const complete = () => existsSync(join(folder, COMPLETE));
  if (complete()) return folder;
  return withLock(`${folder}.lock`, async () => {
    if (complete()) return folder;
    sweep(folder);
    const temporary = `${folder}.tmp-${hostname()}-${process.pid}`;
    const remove = () => rmSync(temporary, { recursive: true, force: true });
    process.once('exit', remove);
    try {
      mkdirSync(temporary);
      await make(temporary);
      writeFileSync(join(temporary, COMPLETE), '');
      if (!complete()) {
        rmSync(folder, { recursive: true, force: true });
        renameSync(temporary, folder);
      }
    } finally {
      remove();
      process.removeListener('exit', remove);
    }
    return folder;
  });
}

/** Removes what processes left behind that were killed while they made `folder`. */
function sweep(folder) {
  const prefix = `${folder}.tmp-${hostname()}-`;
  for (const entry of readdirSync(dirname(folder))) {
    const path = join(dirname(folder), entry);
    if (path.startsWith(prefix) && !alive(Number(path.slice(prefix.length))))
      rmSync(path, { recursive: true, force: true });
  }
}

/** Runs `work` while no other process holds the lock file `path`. A lock whose owner died does not count. */
export async function withLock(path, work) {
  mkdirSync(dirname(path), { recursive: true });
  for (let told = false; ; ) {
    try {
      writeFileSync(path, `${hostname()} ${process.pid}`, { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST')
        throw new Failure(`The lock file ${path} could not be written: ${reason(error)}.`);
    }
    if (abandoned(path)) {
      rmSync(path, { force: true });
      continue;
    }
    if (!told) console.error('Another process is installing the same; waiting for it …');
    told = true;
    await sleep(500);
  }
  const release = () => rmSync(path, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    release();
    process.removeListener('exit', release);
  }
}

function abandoned(path) {
  try {
    const [host, pid] = readFileSync(path, 'utf8').split(' ');
    const age = Date.now() - statSync(path).mtimeMs;
    if (!pid) return age > 5000; // created, not yet written
    return host === hostname() ? !alive(Number(pid)) : age > LOCK_EXPIRES;
  } catch {
    return false; // just released: try to take it again
  }
}

/** Fetches one version of an npm package, compares its checksum, and unpacks it into `folder`/package. */
export async function fetchPackage(name, version, integrity, folder, { only = [], exclude = [] } = {}) {
  const printed = await npm(['pack', `${name}@${version}`, '--json', '--loglevel=error'], { cwd: folder });
  const { filename } = JSON.parse(printed)[0];
  const archive = join(folder, filename);
  const sum = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (sum !== integrity)
    throw new Failure(
      `${name}@${version} from the npm registry is not what was published: its checksum differs (${sum}).`,
    );
  await unpack(
    archive,
    folder,
    ['-z', ...exclude.map((path) => `--exclude=package/${path}`)],
    only.map((path) => `package/${path}`),
  );
  rmSync(archive);
  return join(folder, 'package');
}

/** Unpacks a tar archive with the system's tar, which Linux, macOS and Windows have. */
export async function unpack(archive, folder, options = [], members = []) {
  const { code, output } = await run('tar', ['-xf', archive, ...options, ...members], { cwd: folder });
  if (code !== 0) throw new Failure(`tar could not unpack ${archive}:\n${output}`);
}
