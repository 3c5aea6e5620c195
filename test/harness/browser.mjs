// Finds a Chromium and starts it under playwright.

import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ensureChromium, npmChromiumRuns } from './chromium.mjs';
import { Failure, reason } from './process.mjs';

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
];

/**
 * A Chromium: the one that `CHROMIUM` names, else an installed Chromium, Chrome or Edge, else, on Linux x64, the one
 * from npm. `CHROMIUM=npm` skips the installed ones.
 */
export async function findBrowser() {
  const wanted = process.env.CHROMIUM;
  if (wanted && wanted !== 'npm') {
    if (!runs(wanted)) throw new Failure(`CHROMIUM names ${wanted}, which is not a program that can be run.`);
    return { program: wanted, env: {} };
  }
  const installed = wanted === 'npm' ? undefined : candidates().find(runs);
  if (installed) return { program: installed, env: {} };
  if (npmChromiumRuns()) return ensureChromium();
  throw new Failure(
    'No Chromium, Chrome or Edge was found. Install one, or set CHROMIUM to its program, then run the same command again.',
  );
}

function candidates() {
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  if (process.platform === 'linux') return [...onPath, '/opt/google/chrome/chrome'];
  if (process.platform === 'darwin')
    return ['/Applications', join(homedir(), 'Applications')].flatMap((folder) =>
      ['Chromium', 'Google Chrome', 'Microsoft Edge'].map((name) =>
        join(folder, `${name}.app`, 'Contents', 'MacOS', name),
      ),
    );
  const roots = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA].filter(
    Boolean,
  );
  return roots.flatMap((root) => [
    join(root, 'Chromium', 'Application', 'chrome.exe'),
    join(root, 'Google', 'Chrome', 'Application', 'chrome.exe'),
    join(root, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
  ]);
}

function runs(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts a headless Chromium and returns playwright's browser. */
export async function launchBrowser() {
  const { program, env } = await findBrowser();
  const { chromium } = await import('playwright-core');
  const launch = (chromiumSandbox) =>
    chromium.launch({
      executablePath: program,
      env: { ...process.env, ...env },
      chromiumSandbox,
      // The address bar's guesses, updates and sync would only wait for a network.
      args: [
        '--disable-gpu',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    });
  if (process.getuid?.() === 0) return launch(false); // as root Chromium refuses to start with a sandbox
  try {
    return await launch(true);
  } catch (withSandbox) {
    // Containers and some systems give a user no sandbox; only the pages of these tests are opened.
    try {
      return await launch(false);
    } catch {
      throw new Failure(
        `The browser ${program} did not start: ${reason(withSandbox)}\nSet CHROMIUM to another one.`,
      );
    }
  }
}
