// Opens the workbench of a served VS Code in a headless browser, with an extension in development and its tests.

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launchBrowser } from './browser.mjs';

const PAGE_LIMIT = 120_000; // 19 MB of script: 4 s on an idle machine, much more on a busy one

/** The address that opens `folder` (a folder, a .code-workspace file, or nothing) in a served VS Code. */
export function workbenchAddress(server, folder, payload = []) {
  const kind = folder?.endsWith('.code-workspace') ? 'workspace' : 'folder';
  const where = folder ? `${kind}=${readable(pathToFileURL(resolve(folder)).pathname)}` : 'ew=true';
  return `${server.url}/?${where}${payload.length ? `&payload=${encodeURIComponent(JSON.stringify(payload))}` : ''}`;
}

/** Encodes what an address needs encoded and leaves the slashes of a path. */
function readable(path) {
  return encodeURIComponent(decodeURIComponent(path)).replaceAll('%2F', '/');
}

/**
 * Opens the workbench. Returns playwright's browser and page, and `testsExit`: 0 when the tests of `testsPath` passed,
 * else their exit code or what ended them. One `developmentPath` only: the workbench takes no more.
 */
export async function openWorkbench(
  server,
  {
    folder,
    developmentPath,
    testsPath,
    payload = [],
    onLog = () => {},
    viewport = { width: 1280, height: 800 },
  } = {},
) {
  const browser = await launchBrowser();
  const page = await browser.newPage({ viewport });
  let end;
  const testsExit = new Promise((done) => {
    end = done;
  });
  await page.exposeFunction('codeAutomationLog', (type, values) =>
    onLog(type, values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' ')),
  );
  await page.exposeFunction('codeAutomationExit', end);
  page.on('crash', () => end('the page crashed'));
  server.hostExited.then((code) => code !== 0 && end(code));
  server.exited.then((code) => end(`the server ended with ${code}`));

  const remote = (path) => `vscode-remote://127.0.0.1:${server.port}${pathToFileURL(resolve(path)).pathname}`;
  const entries = [['skipWelcome', 'true'], ['skipReleaseNotes', 'true'], ...payload];
  if (developmentPath) entries.push(['extensionDevelopmentPath', remote(developmentPath)]);
  if (testsPath) entries.push(['extensionTestsPath', remote(testsPath)]);
  try {
    await page.goto(workbenchAddress(server, folder, entries), { timeout: PAGE_LIMIT });
  } catch (error) {
    await browser.close();
    throw error;
  }
  return { browser, page, testsExit };
}
