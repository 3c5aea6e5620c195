// The desktop VS Code: finds an installed one, or downloads one where that is possible.

import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure, reason, run } from './process.mjs';

const DOWNLOADS = 'https://update.code.visualstudio.com/api/releases/stable';
const ANSWER_LIMIT = 4000;
const DOWNLOAD_LIMIT = 180_000;

/** The program of an installed desktop VS Code, or undefined. */
export function findDesktop() {
  const names = process.platform === 'win32' ? ['code.cmd', 'code-insiders.cmd'] : ['code', 'code-insiders'];
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  return [...onPath, ...usualPlaces()].find((path) => existsSync(path));
}

function usualPlaces() {
  if (process.platform === 'linux')
    return [
      '/usr/share/code/bin/code',
      '/snap/bin/code',
      '/var/lib/flatpak/exports/bin/com.visualstudio.code',
    ];
  if (process.platform === 'darwin')
    return ['/Applications', join(homedir(), 'Applications')].map((folder) =>
      join(folder, 'Visual Studio Code.app', 'Contents', 'Resources', 'app', 'bin', 'code'),
    );
  const { LOCALAPPDATA, PROGRAMFILES } = process.env;
  return [LOCALAPPDATA && join(LOCALAPPDATA, 'Programs'), PROGRAMFILES]
    .filter(Boolean)
    .map((folder) => join(folder, 'Microsoft VS Code', 'bin', 'code.cmd'));
}

/** Whether a desktop program could show a window here. */
export function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/**
 * Downloads the desktop VS Code into the cache folder and returns its program, or undefined with a spoken reason:
 * without a display, without an answer within seconds, or when it takes too long, there is another way.
 */
export async function downloadDesktop(cachePath) {
  if (!hasDisplay()) {
    console.log('There is no display for a desktop VS Code.');
    return undefined;
  }
  console.log('Looking for a desktop VS Code to download …');
  try {
    const answer = await fetch(DOWNLOADS, { signal: AbortSignal.timeout(ANSWER_LIMIT) });
    if (!answer.ok) throw new Error(`it answered ${answer.status}`);
  } catch (error) {
    console.log(`  its download is not reachable (${reason(error)}).`);
    return undefined;
  }
  const { downloadAndUnzipVSCode, resolveCliPathFromVSCodeExecutablePath } = await import(
    '@vscode/test-electron'
  );
  const limit = new AbortController();
  try {
    const program = await Promise.race([
      downloadAndUnzipVSCode({ version: 'stable', cachePath }),
      sleep(DOWNLOAD_LIMIT, undefined, { signal: limit.signal, ref: false }),
    ]);
    if (program) return resolveCliPathFromVSCodeExecutablePath(program);
    console.log(`  the download did not end within ${DOWNLOAD_LIMIT / 1000} s.`);
  } catch (error) {
    console.log(`  the download failed (${reason(error)}).`);
  } finally {
    limit.abort();
  }
  return undefined;
}

/** Opens a window of `program` with the extension in development and waits until the window is closed. */
export async function openDesktop(program, { extension, folder, userDataDir }) {
  const args = [
    folder,
    `--extensionDevelopmentPath=${extension}`,
    `--user-data-dir=${userDataDir}`,
    '--new-window',
    '--wait',
    '--disable-workspace-trust',
    '--skip-welcome',
    '--skip-release-notes',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
  // First among the listeners: another removes the folder with the lock file in it.
  process.prependOnceListener('exit', () => endWindow(userDataDir));
  const { code, output } = await run(program, args, { shell: process.platform === 'win32' });
  if (code !== 0)
    throw new Failure(
      `The desktop VS Code (${program}) ended with ${code}:\n${output}\nWAVES_VSCODE=served npm start opens the one that npm serves.`,
    );
}

/** Ends the VS Code of this user-data folder, if it is still there: its command line has long let go of it. */
function endWindow(userDataDir) {
  try {
    process.kill(Number(readFileSync(join(userDataDir, 'code.lock'), 'utf8')), 'SIGTERM');
  } catch {
    // It was closed already.
  }
}
