// Starts the VS Code server from npm and ends it, with every process it started.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureVSCode } from './install.mjs';
import { Failure } from './process.mjs';

/** A quiet VS Code: nothing but the workspace, and nothing that waits for a network. */
const CALM_SETTINGS = {
  'chat.disableAIFeatures': true, // else sign-in prompts and an agent host process; a test of chat sets false
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'workbench.colorTheme': 'Dark 2026',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

const ALWAYS = [
  '--without-connection-token', // only this machine can connect
  '--accept-server-license-terms',
  '--disable-workspace-trust',
  '--disable-telemetry',
  '--disable-experiments',
  '--disable-update-check',
  '--disable-getting-started-override',
  '--force-disable-user-env',
];
/** For tests: `driver` in the page, the payload in its address, and a server that ends when its page is gone. */
const DRIVEN = ['--enable-smoke-test-driver', '--enable-remote-auto-shutdown'];

/** The environment of the server: without it, VS Code asks a gallery of extensions. */
export function serverEnvironment(more = {}) {
  return { ...process.env, EXTENSIONS_GALLERY: '{}', ...more };
}

/** Writes the settings of a fresh user-data folder; settings that are there already stay. */
export function writeSettings(userDataDir, settings) {
  const file = join(userDataDir, 'User', 'settings.json');
  if (!settings && existsSync(file)) return;
  mkdirSync(join(userDataDir, 'User'), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...CALM_SETTINGS, ...settings }, null, 2));
}

/**
 * Starts a server on a free port of 127.0.0.1. `extensions` are folders that count as installed where they lie.
 * `driven: false` gives the VS Code a person uses; a driven one shows no notification toasts.
 * `hostExited` resolves when the extension host ends: to 0 or to what went wrong.
 */
export async function startServer({
  userDataDir,
  extensionsDir,
  extensions = [],
  settings,
  env,
  args = [],
  driven = true,
  onOutput = () => {},
} = {}) {
  const { root, node } = await ensureVSCode();
  const temporary = userDataDir ? undefined : mkdtempSync(join(tmpdir(), 'waves-vscode-'));
  const data = resolve(userDataDir ?? temporary);
  const installed = resolve(extensionsDir ?? join(data, 'extensions'));
  writeSettings(data, settings);
  listAsInstalled(installed, extensions);
  const folders = ['--server-data-dir', data, '--user-data-dir', data, '--extensions-dir', installed];
  const main = join(root, 'out', 'server-main.js');
  const flags = [...ALWAYS, ...(driven ? DRIVEN : []), ...folders, ...args];
  const child = spawn(node, [main, '--host', '127.0.0.1', '--port', '0', ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: serverEnvironment(env),
    detached: process.platform !== 'win32', // a process group of its own: ended as one, hosts and watchers too
  });

  const kill = (signal) => {
    try {
      if (process.platform === 'win32') child.kill(signal);
      else process.kill(-child.pid, signal);
    } catch {
      // The group is gone already.
    }
  };
  const clean = () => {
    kill('SIGKILL');
    if (temporary) rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', clean);
  const exited = new Promise((done) => {
    child.once('exit', (code, signal) => done(code ?? signal));
    child.once('error', (error) => done(error.message));
  });
  const stop = async () => {
    kill('SIGTERM');
    const timer = setTimeout(kill, 3000, 'SIGKILL');
    await exited;
    clearTimeout(timer);
    clean();
    process.removeListener('exit', clean);
  };

  const { port, hostExited } = listen(child, exited, onOutput);
  const url = `http://127.0.0.1:${await port}`;
  return { url, port: await port, userDataDir: data, extensionsDir: installed, exited, hostExited, stop };
}

/**
 * Reads what the server prints: its port, and how its extension host ended. The page is told 0 when the host dies by
 * itself (a crash, process.exit(3)), so this is the only place that knows.
 */
function listen(child, exited, onOutput) {
  let text = '';
  let endHost;
  const hostExited = new Promise((done) => {
    endHost = done;
  });
  const port = new Promise((bind, fail) => {
    const read = (data) => {
      onOutput(data);
      text = (text + data).slice(-10_000);
      const bound = /Server bound to 127\.0\.0\.1:(\d+)/.exec(text);
      if (bound) bind(Number(bound[1]));
      const ended = /Extension Host Process exited with code: (\w+), signal: (\w+)/.exec(text);
      if (ended)
        endHost(ended[1] === 'null' ? `the extension host was ended by ${ended[2]}` : Number(ended[1]));
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    exited.then((code) =>
      fail(new Failure(`The VS Code server ended with ${code} before it was ready.\n${text}`)),
    );
  });
  return { port, hostExited };
}

/** Lists extension folders as installed, where they lie. */
function listAsInstalled(extensionsDir, folders) {
  if (folders.length === 0) return;
  mkdirSync(extensionsDir, { recursive: true });
  const file = join(extensionsDir, 'extensions.json');
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const added = folders.map((folder) => {
    const { publisher, name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    // No `relativeLocation`: the folder does not lie among the installed ones.
    const location = { $mid: 1, path: pathToFileURL(resolve(folder)).pathname, scheme: 'file' };
    return { identifier: { id: `${publisher}.${name}` }, version, location };
  });
  const replaced = new Set(added.map(({ identifier }) => identifier.id));
  writeFileSync(
    file,
    JSON.stringify([...before.filter(({ identifier }) => !replaced.has(identifier.id)), ...added]),
  );
}
