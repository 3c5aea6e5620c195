// Builds every target. `node esbuild.mjs` writes dist/ anew and prints what became how large; `--watch` keeps writing.

import { spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';

const ROOT = dirname(fileURLToPath(import.meta.url));
const KB = 1000;
/** What the first view of the panel loads, compressed; the diagram library comes later, when it is asked for. */
const PANEL_LIMIT = 120 * KB;
const EXTENSION_LIMIT = 300 * KB;

/** One entry a target: the host, its search worker, the panel and its style, the library, the command line. */
function targets() {
  return [
    {
      entryPoints: ['src/extension.ts'],
      outfile: 'dist/extension.js',
      platform: 'node',
      format: 'cjs',
      external: ['vscode'],
      target: 'node20',
    },
    {
      entryPoints: ['src/host/grepWorker.ts'],
      outfile: 'dist/grepWorker.js',
      platform: 'node',
      format: 'cjs',
      target: 'node20',
    },
    {
      entryPoints: { main: 'webview/main.ts' },
      outdir: 'dist/panel',
      platform: 'browser',
      format: 'esm',
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
    },
    { entryPoints: ['webview/panel.css'], outfile: 'dist/panel/panel.css' },
    {
      entryPoints: ['src/core/face.ts'],
      outfile: 'dist/core.mjs',
      platform: 'neutral',
      format: 'esm',
    },
    {
      entryPoints: ['src/cli/main.ts'],
      outfile: 'dist/cli.mjs',
      platform: 'node',
      format: 'esm',
      target: 'node20',
      banner: { js: '#!/usr/bin/env node' },
    },
  ];
}

function options(target, watch) {
  return {
    absWorkingDir: ROOT,
    bundle: true,
    legalComments: 'none',
    logLevel: 'warning',
    mainFields: ['module', 'main'], // jsonc-parser's main entry requires by computed names, which cannot be bundled
    metafile: true,
    minify: !watch,
    sourcemap: watch ? 'inline' : false,
    target: 'es2022',
    ...target,
  };
}

/** Everything is built before dist/ changes: a failed build leaves the last good one alone. */
async function build() {
  const scratch = join(ROOT, '.vscode-test');
  mkdirSync(scratch, { recursive: true });
  const types = mkdtempSync(join(scratch, 'types-'));
  try {
    const bundles = targets().map((target) => esbuild.build({ ...options(target, false), write: false }));
    const [typesDone, ...built] = await Promise.allSettled([emitTypes(types), ...bundles]);
    const failed = [typesDone, ...built].filter(({ status }) => status === 'rejected');
    for (const { reason } of failed) if (!reason.errors) console.error(reason.message); // esbuild has printed its own
    if (failed.length > 0) return 1;
    const results = built.map(({ value }) => value);
    write(results, types);
    return report(results);
  } finally {
    rmSync(types, { recursive: true, force: true });
  }
}

function write(results, types) {
  rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
  for (const { path, contents } of results.flatMap(({ outputFiles }) => outputFiles)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
  }
  chmodSync(join(ROOT, 'dist', 'cli.mjs'), 0o755);
  renameSync(types, join(ROOT, 'dist', 'types'));
  // The declarations are those of modules, although the package as a whole is CommonJS for VS Code's sake.
  writeFileSync(join(ROOT, 'dist', 'types', 'package.json'), '{ "type": "module" }\n');
  writeFileSync(join(ROOT, 'dist', 'core.d.mts'), "export * from './types/face.js';\n");
}

/** Writes the declarations of src/core into `folder`, with import endings that resolve everywhere. */
async function emitTypes(folder) {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const emit = [
    '--noEmit',
    'false',
    '--declaration',
    '--emitDeclarationOnly',
    '--noCheck',
    '--rootDir',
    join(ROOT, 'src', 'core'),
    '--outDir',
    folder,
  ];
  const child = spawn(process.execPath, [tsc, '-p', join(ROOT, 'src', 'core'), ...emit], { cwd: ROOT });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const code = await new Promise((done) => child.once('close', done));
  if (code !== 0) throw new Error(`tsc could not write the types of src/core:\n${output}`);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const relativeImport = /((?:from|import)\s*\(?\s*(['"])\.[^'"]*)\.ts(?=\2)/g;
    writeFileSync(file, readFileSync(file, 'utf8').replace(relativeImport, '$1.js'));
  }
}

/** One line for each file that loads by itself, and an error for each that grew too large. */
function report(results) {
  const files = new Map(
    results.flatMap(({ outputFiles }) => outputFiles).map((file) => [relative(ROOT, file.path), file]),
  );
  const outputs = Object.assign({}, ...results.map(({ metafile }) => metafile.outputs));
  const size = (paths, measure) =>
    paths.reduce((sum, path) => sum + measure(files.get(path.split('/').join(sep)).contents), 0);
  const plain = (paths) => size(paths, (contents) => contents.length);
  const gzip = (paths) => size(paths, (contents) => gzipSync(contents).length);
  const line = (name, paths, more = '') =>
    console.log(`  ${name.padEnd(22)} ${kb(plain(paths))}, ${kb(gzip(paths))} compressed${more}`);

  const first = eager('dist/panel/main.js', outputs);
  const later = Object.keys(outputs).filter(
    (path) => path.startsWith('dist/panel/') && path.endsWith('.js') && !first.includes(path),
  );
  for (const path of Object.keys(outputs))
    if (!path.startsWith('dist/panel/') || path.endsWith('.css')) line(path, [path]);
  line('dist/panel/main.js', first, `, in ${first.length} file${first.length === 1 ? '' : 's'}`);
  if (later.length > 0) line('dist/panel/chunks', later, `, in ${later.length} files, loaded when asked for`);

  const errors = [
    gzip(first) > PANEL_LIMIT &&
      `The panel loads ${kb(gzip(first))} compressed at once; the limit is ${kb(PANEL_LIMIT)}.`,
    plain(['dist/extension.js']) > EXTENSION_LIMIT &&
      `dist/extension.js has ${kb(plain(['dist/extension.js']))}; the limit is ${kb(EXTENSION_LIMIT)}.`,
  ].filter(Boolean);
  for (const error of errors) console.error(error);
  return errors.length > 0 ? 1 : 0;
}

/** The file and all that it imports without waiting to be asked. */
function eager(path, outputs, found = []) {
  if (found.includes(path)) return found;
  found.push(path);
  for (const { path: imported, kind } of outputs[path].imports)
    if (kind === 'import-statement' && outputs[imported]) eager(imported, outputs, found);
  return found;
}

function kb(bytes) {
  return `${(bytes / KB).toFixed(1)} kB`;
}

async function watch() {
  const contexts = await Promise.all(targets().map((target) => esbuild.context(options(target, true))));
  await Promise.all(contexts.map((context) => context.watch()));
  console.log('Watching; Ctrl+C ends it.');
}

if (process.argv.includes('--watch')) await watch();
else process.exitCode = await build();
