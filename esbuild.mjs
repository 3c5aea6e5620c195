// Builds every target. `node esbuild.mjs` writes dist/; `--watch` keeps writing it.

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import * as esbuild from 'esbuild';

const watch = process.argv.includes('--watch');
const common = {
  bundle: true,
  minify: !watch,
  sourcemap: watch ? 'inline' : false,
  legalComments: 'none',
  logLevel: 'warning',
  target: 'es2022',
};

/** One entry a target: the host, the panel, the library, the command line. */
const targets = [
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
    mainFields: ['module', 'main'],
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
