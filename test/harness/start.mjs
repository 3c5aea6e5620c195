// `npm start`: installs what is missing, builds, and opens a VS Code with Waves on a copy of the sample workspace.
//
//   npm start                              the desktop VS Code if there is one, else the one that npm serves
//   WAVES_VSCODE=desktop|served|PATH       chooses
//   BROWSER=none                           prints the address of the served VS Code and opens no browser
//   npm start -- --check                   starts all, asks whether the page answers, and ends

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './cache.mjs';
import { downloadDesktop, findDesktop, hasDisplay, openDesktop } from './desktop.mjs';
import { workbenchAddress } from './openWorkbench.mjs';
import {
  build,
  checkNode,
  copySampleWorkspace,
  ensureDependencies,
  ROOT,
  temporaryFolder,
} from './prepare.mjs';
import { Failure, reason, runMain } from './process.mjs';
import { startServer, writeSettings } from './server.mjs';

async function main() {
  const check = process.argv.includes('--check');
  checkNode();
  await ensureDependencies();
  const desktop = check ? undefined : await chooseDesktop(process.env.WAVES_VSCODE);
  await build();
  const { folder } = copySampleWorkspace();
  const userDataDir = temporaryFolder('waves-user');
  if (desktop) return startDesktop(desktop, folder, userDataDir);
  return startServed(folder, userDataDir, check);
}

/** The desktop program to use, or undefined for the served VS Code. */
async function chooseDesktop(choice) {
  if (choice === 'served') return undefined;
  if (choice && choice !== 'desktop') {
    if (existsSync(choice)) return choice;
    throw new Failure(
      `WAVES_VSCODE names ${choice}, which does not exist. Give desktop, served or the program of a VS Code.`,
    );
  }
  const found = findDesktop();
  if (found && (hasDisplay() || choice === 'desktop')) return found;
  const downloaded = await downloadDesktop(join(cacheFolder(), 'desktop'));
  if (downloaded) return downloaded;
  if (choice === 'desktop')
    throw new Failure(
      'No desktop VS Code was found, and none could be downloaded. Install one, or leave WAVES_VSCODE unset.',
    );
  return undefined;
}

async function startDesktop(program, folder, userDataDir) {
  writeSettings(userDataDir);
  console.log(
    `\nWaves is ready in ${program}, on ${folder}.\nClose its window, or press Ctrl+C here, to end.`,
  );
  await Promise.race([openDesktop(program, { extension: ROOT, folder, userDataDir }), interrupted()]);
  return 0;
}

async function startServed(folder, userDataDir, check) {
  console.log('Starting the VS Code that npm serves …');
  // Listed as installed, not in development: only then VS Code behaves as it does for a user, with notification toasts.
  const server = await startServer({ userDataDir, extensions: [ROOT], driven: false });
  const address = workbenchAddress(server, folder);
  await verifyAnswers(address);
  const stopped = interrupted();
  console.log(`\nWaves is ready: ${address}`);
  if (check) {
    await server.stop();
    return 0;
  }
  console.log('Edits are free: the workspace is a copy. Press Ctrl+C here to end.');
  openInBrowser(address);
  const ended = await Promise.race([server.exited.then((code) => `ended by itself with ${code}`), stopped]);
  await server.stop();
  if (!ended) return 0;
  throw new Failure(`The VS Code server ${ended}.`);
}

async function verifyAnswers(address) {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(30_000) });
    const page = await answer.text();
    if (!answer.ok || !page.includes('vscode-workbench-web-configuration'))
      throw new Error(`it answered ${answer.status}`);
  } catch (error) {
    throw new Failure(`The served VS Code did not answer at ${address} (${reason(error)}).`);
  }
}

/**
 * Resolves when a signal asks this process to end; that is how a person ends it, so it is no failure.
 * It may come twice, from the terminal and from npm: the second must not cut short what the first began.
 */
function interrupted() {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
      process.removeAllListeners(signal).on(signal, () => done(undefined));
  });
}

function openInBrowser(address) {
  if (process.env.BROWSER === 'none' || process.env.CI || !hasDisplay()) return;
  const openers = { darwin: ['open'], win32: ['cmd', '/c', 'start', '""'] };
  const [command, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true });
  child.once('error', () => console.log('No browser could be opened; open the address yourself.'));
  child.unref();
}

await runMain(main);
