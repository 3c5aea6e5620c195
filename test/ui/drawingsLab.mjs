// The drawings alone on a page, under the panel's content security policy and a theme: for their tests and for looking.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { launchBrowser } from '../harness/browser.mjs';
import { THEMES } from './themes.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const ENTRY = `
import { reduceAll } from './src/core/reduce.ts';
import { createLanesZone } from './webview/lanes/lanesZone.ts';
import { createConcurrencyZone } from './webview/lanes/concurrencyZone.ts';
import { createOrderZone } from './webview/order/orderZone.ts';
import { glyph, mark, LOOKS } from './webview/glyphs.ts';
import { toMermaid } from './src/core/diagram/mermaid.ts';
import { madeRun, manyCalls, NINE } from './test/unit/drawings/madeRun.ts';
const asked = [];
const actions = new Proxy({}, { get: (_, name) => (...args) => { asked.push([name, ...args]); lab.onAction?.(name, ...args); } });
const zones = [];
const lab = window.lab = {
  asked, madeRun, manyCalls, NINE, reduceAll, toMermaid, LOOKS, glyph, mark,
  zone(name) {
    const zone = { lanes: createLanesZone, concurrency: createConcurrencyZone, order: createOrderZone }[name](actions);
    document.getElementById('zones').append(zone.element);
    zones.push(zone);
    return zone;
  },
  /** Draws Mermaid text as the Diagram view does. */
  async draw(text) {
    const { DiagramRenderer } = await import('./webview/diagram/renderer.ts');
    const { themeVariables } = await import('./webview/diagram/theme.ts');
    lab.renderer ??= new DiagramRenderer(async () => (await import('mermaid')).default, (picture) => lab.drawn?.(picture));
    return new Promise((done) => {
      lab.drawn = done;
      lab.renderer.want({ text, theme: themeVariables(document.documentElement, document.body) });
    });
  },
  async diagram() {
    const { createDiagramZone } = await import('./webview/diagram/diagramZone.ts');
    const zone = createDiagramZone(actions);
    document.getElementById('zones').append(zone.element);
    zones.push(zone);
  },
  /** Shows the log as it stands after \`cursor\` events. */
  show(log, cursor = log.length, more = {}) {
    const state = reduceAll(log.slice(0, cursor));
    const latest = more.live ? state : reduceAll(log);
    lab.view = {
      batch: { id: 'b', title: 'batch 14', source: more.live ? 'live' : 'recorded', notes: [] },
      state, latest, log: more.live ? log.slice(0, cursor) : log, cursor, following: true, playing: false, speed: 1,
      selected: undefined, view: 'picture', zoom: undefined, found: undefined, now: state.t, reducedMotion: false, ...more,
    };
    for (const zone of zones) zone.update(lab.view);
  },
  update(more) { lab.view = { ...lab.view, ...more }; for (const zone of zones) zone.update(lab.view); },
};
`;

/** Bundles the drawings, serves them and opens them in a browser; `open` gives pages, `close` ends all. */
export async function openLab() {
  const folder = mkdtempSync(join(tmpdir(), 'waves-drawings-'));
  await esbuild.build({
    stdin: { contents: ENTRY, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    format: 'esm',
    splitting: true,
    outdir: folder,
    entryNames: 'main',
    chunkNames: 'chunks/[name]-[hash]',
    target: 'es2022',
    logLevel: 'warning',
  });
  await esbuild.build({
    entryPoints: [join(ROOT, 'webview/panel.css')],
    bundle: true,
    outfile: join(folder, 'panel.css'),
    logLevel: 'warning',
  });
  const css = readFileSync(join(folder, 'panel.css'));
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    if (path === '/') {
      response.setHeader('content-type', 'text/html');
      response.setHeader(
        'content-security-policy',
        "default-src 'none'; script-src 'nonce-abc'; style-src 'self' 'unsafe-inline'; font-src 'self'",
      );
      response.end(
        '<!doctype html><html lang="en"><title>Waves</title><meta charset="utf-8"><link rel="stylesheet" href="/all.css"><body><style>body{margin:0;padding:8px 12px;background:var(--w-bg);color:var(--w-fg);font:13px/1.4 var(--w-font)}.zone-title{font-size:12px;font-weight:600;margin:8px 0 4px}</style><main id="zones"></main><script type="module" nonce="abc" src="/main.js"></script>',
      );
      return;
    }
    try {
      const types = { '.js': 'text/javascript', '.css': 'text/css' };
      response.setHeader('content-type', types[extname(path)] ?? 'text/plain');
      response.end(path === '/all.css' ? css : readFileSync(join(folder, path)));
    } catch {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const browser = await launchBrowser();
  const url = `http://127.0.0.1:${server.address().port}/`;
  return {
    browser,
    /** A page in a theme; `problems` collects everything that went wrong on it. */
    async open({
      theme = 'dark',
      width = 1000,
      height = 700,
      zones = ['lanes', 'concurrency', 'order'],
      ...more
    } = {}) {
      const context = await browser.newContext({ viewport: { width, height }, ...more });
      const page = await context.newPage();
      const problems = [];
      page.on('pageerror', (error) => problems.push(String(error)));
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
      await page.goto(url);
      await page.waitForFunction(() => window.lab);
      await setTheme(page, theme);
      await page.evaluate((names) => {
        for (const name of names) window.lab.zone(name);
      }, zones);
      return { page, problems };
    },
    async close() {
      await browser.close();
      await new Promise((done) => server.close(done));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What VS Code does when the user changes the theme: classes on the body, variables on the root. */
export function setTheme(page, name) {
  return page.evaluate(({ kind, colours }) => {
    document.body.className = kind;
    document.documentElement.style.cssText = Object.entries({
      'font-family': 'system-ui, sans-serif',
      'font-size': '13px',
      'editor-font-family': 'monospace',
      ...colours,
    })
      .map(([key, value]) => `--vscode-${key}: ${value}`)
      .join(';');
  }, THEMES[name]);
}
