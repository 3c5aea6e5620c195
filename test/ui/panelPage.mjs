// The built panel in a browser as VS Code would show it: its page, its policy, its classes and colours, a host.

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '../harness/browser.mjs';
import { THEMES } from './themes.mjs';

const PANEL = fileURLToPath(new URL('../../dist/panel', import.meta.url));
const TYPES = { '.js': 'text/javascript', '.css': 'text/css' };

/** What VS Code puts before the page's own scripts: the API to the host, kept in `window.host` for the test. */
const EDITOR = `
  const host = (window.host = { posted: [], saved: window.savedState, saves: 0 });
  window.acquireVsCodeApi = () => {
    delete window.acquireVsCodeApi;
    return {
      postMessage: (message) => host.posted.push(structuredClone(message)),
      getState: () => host.saved,
      setState: (state) => { host.saved = structuredClone(state); host.saves++; },
    };
  };
`;

function pageHtml(nonce, origin, theme, classes) {
  const { kind, colours } = THEMES[theme];
  const style = Object.entries(colours)
    .map(([name, value]) => `--vscode-${name}: ${value}`)
    .join('; ');
  const font = `--vscode-font-family: system-ui, 'Segoe UI', sans-serif; --vscode-font-size: 13px`;
  return `<!DOCTYPE html>
<html lang="en" style="${style}; ${font}">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${nonce}'; style-src ${origin} 'unsafe-inline'; font-src ${origin}; img-src ${origin} data:">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Waves</title>
  <link rel="stylesheet" href="${origin}/panel.css">
</head>
<body class="${kind} ${classes}">
  <script nonce="${nonce}">${EDITOR}</script>
  <script type="module" nonce="${nonce}" src="${origin}/main.js"></script>
</body>
</html>`;
}

/** Serves the built panel and starts a browser. `open` gives one page each; `close` ends all. */
export async function servePanel() {
  const requests = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    requests.push(pathname);
    try {
      if (pathname === '/') {
        response.setHeader('content-type', 'text/html');
        const origin = `http://127.0.0.1:${server.address().port}`;
        const nonce = randomBytes(16).toString('base64');
        response.end(
          pageHtml(nonce, origin, searchParams.get('theme') ?? 'dark', searchParams.get('classes') ?? ''),
        );
        return;
      }
      const path = normalize(pathname).replace(/^(\.\.[/\\])+/, '');
      response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream');
      response.end(readFileSync(join(PANEL, path)));
    } catch {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const browser = await launchBrowser();
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    browser,
    requests,
    open: (options) => openPanel(browser, origin, options),
    async close() {
      await browser.close();
      await new Promise((done) => server.close(done));
    },
  };
}

async function openPanel(
  browser,
  origin,
  { theme = 'dark', width = 1280, height = 800, classes = '', messages = [], saved, ...context } = {},
) {
  const tab = await browser.newContext({ viewport: { width, height }, bypassCSP: false, ...context });
  const page = await tab.newPage();
  const problems = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  if (saved !== undefined)
    await page.addInitScript((state) => Object.assign(window, { savedState: state }), saved);
  await page.goto(`${origin}/?theme=${theme}&classes=${encodeURIComponent(classes)}`);
  await page.waitForFunction(() => window.host.posted.some((message) => message.type === 'ready'));
  const panel = {
    page,
    problems,
    /** Sends messages as the host does, and waits until they are drawn. */
    async send(...sent) {
      await page.evaluate((all) => {
        for (const message of all) window.postMessage(message, '*');
      }, sent);
      await panel.drawn();
    },
    /** Waits for what was asked for to be on screen. */
    drawn: () =>
      page.evaluate(
        () =>
          new Promise((done) => {
            setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))));
          }),
      ),
    posted: (type) =>
      page.evaluate((wanted) => window.host.posted.filter((message) => message.type === wanted), type),
    saved: () => page.evaluate(() => window.host.saved),
    close: () => tab.close(),
  };
  await panel.send(...messages);
  return panel;
}
