// Makes a VS Code out of npm packages: the server and web workbench inside code-server, and a Node to run it.
// Nothing is compiled and no install script runs.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchPackage, provide } from './cache.mjs';
import { Failure, npm } from './process.mjs';

const CODE_SERVER = '4.139.1'; // carries VS Code 1.139.1
const INTEGRITY =
  'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==';
const NODE = '24.22.3'; // VS Code's server needs 22.15, which the Node that runs us need not be
/** Raise when the steps below make something else of the same versions: a kept result is then made anew. */
const RECIPE = 1;

/** Dependencies of the server that no extension needs here: agent host, dev containers, Windows, Kerberos, ssh. */
const DROPPED = [
  '@devcontainers/cli',
  '@github/copilot-sdk',
  '@microsoft/mxc-sdk',
  '@vscode/copilot-api',
  '@vscode/sandbox-runtime',
  '@vscode/sqlite3',
  '@vscode/windows-process-tree',
  '@vscode/windows-registry',
  'kerberos',
  'ssh2',
];
/** Native modules that a small script replaces, so that nothing has to be compiled. */
const STUBS = { '@vscode/spdlog': 'spdlog.cjs', '@vscode/native-watchdog': 'watchdog.cjs' };
/** Built-in extensions that only try to reach the network, or are large and of no use here. */
const LEFT_OUT = [
  'copilot',
  'github',
  'github-authentication',
  'mermaid-markdown-features',
  'microsoft-authentication',
  'ms-vscode.js-debug',
  'ms-vscode.js-debug-companion',
  'ms-vscode.vscode-js-profile-table',
  'tunnel-forwarding',
];

/**
 * VS Code from npm: the folder of its server and the Node to run it with. The first call fetches about 120 MB and
 * takes half a minute; later calls return at once.
 */
export async function ensureVSCode({ log = (line) => console.error(line) } = {}) {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const nodePackage = `node-${system}-${process.arch}`;
  const folder = await provide(
    `vscode-${CODE_SERVER}-${nodePackage}-${NODE}-r${RECIPE}`,
    async (temporary) => {
      log('Fetching VS Code (code-server from npm, 47 MB), once …');
      const unpacked = await fetchPackage('code-server', CODE_SERVER, INTEGRITY, temporary, {
        only: ['lib/vscode'],
        exclude: LEFT_OUT.map((name) => `lib/vscode/extensions/${name}`),
      });
      const root = join(unpacked, 'lib', 'vscode');
      chooseDependencies(root, nodePackage);
      log('Installing the packages it needs (nothing is compiled), once …');
      // Not `npm ci`: the shrinkwrap that comes with it is out of step with its own package.json.
      const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--engine-strict=false'];
      await npm(['install', '--omit=dev', '--ignore-scripts', ...quiet, '--prefix', root], { cwd: root });
      for (const [name, file] of Object.entries(STUBS)) writeStub(root, name, file);
      refuseProposedApi(root);
    },
  );
  const root = join(folder, 'package', 'lib', 'vscode');
  const node = process.platform === 'win32' ? 'node.exe' : 'node';
  return { root, node: join(root, 'node_modules', nodePackage, 'bin', node) };
}

function chooseDependencies(root, nodePackage) {
  const file = join(root, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  for (const name of [...DROPPED, ...Object.keys(STUBS)]) delete manifest.dependencies[name];
  delete manifest.allowScripts;
  manifest.dependencies[nodePackage] = NODE;
  writeFileSync(file, JSON.stringify(manifest, null, 2));
}

function writeStub(root, name, file) {
  const folder = join(root, 'node_modules', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '0.0.0', main: 'index.js' }));
  copyFileSync(new URL(`stubs/${file}`, import.meta.url), join(folder, 'index.js'));
}

/**
 * code-server lets every extension use proposed API. That is undone here: what a stable VS Code refuses has to fail
 * in a test too. Each replacement must match exactly once, so that a new version cannot pass unnoticed.
 */
function refuseProposedApi(root) {
  const allowsAll =
    /function (\w+)\((\w),(\w)\)\{return!0\}(?=function \w+\(\w,\w\)\{if\(!\1\(\w,\w\)\)throw new Error\(`Extension '[^`]*CANNOT use API proposal)/;
  const asks = 'function $1($2,$3){return!!$2.enabledApiProposals?.includes($3)}';
  const workbench = 'code/browser/workbench/workbench.js';
  for (const file of [
    'workbench/api/node/extensionHostProcess.js',
    'workbench/api/worker/extensionHostWorkerMain.js',
    workbench,
  ])
    replaceOnce(root, file, allowsAll, asks);
  replaceOnce(
    root,
    workbench,
    /this\._envEnablesProposedApiForAll=!0/,
    'this._envEnablesProposedApiForAll=!1',
  );
}

function replaceOnce(root, file, pattern, replacement) {
  const path = join(root, 'out', 'vs', file);
  const text = readFileSync(path, 'utf8');
  const found = text.match(new RegExp(pattern, 'g'))?.length ?? 0;
  if (found !== 1)
    throw new Failure(
      `code-server ${CODE_SERVER} looks different than expected: ${file} has ${found} places like ${pattern}.`,
    );
  writeFileSync(path, text.replace(pattern, replacement));
}
