// A real VS Code in a real browser, for UI tests: one for a whole test file, as a start takes seconds.

import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openWorkbench } from '../harness/openWorkbench.mjs';
import { exitOnSignal } from '../harness/process.mjs';
import { startServer } from '../harness/server.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SHOTS = join(ROOT, '.vscode-test', 'shots');
const STEP = 30_000;

/**
 * Opens VS Code with Waves in development on a fresh copy of the sample workspace. Options: `folder` (another
 * workspace, used as it is), `developmentPath` (another extension), `settings`, `viewport`, `onLog(type, text)`.
 */
export async function openVSCode({ folder, developmentPath = ROOT, settings, viewport, onLog } = {}) {
  exitOnSignal();
  const copy = folder ? undefined : mkdtempSync(join(tmpdir(), 'waves-ui-'));
  const removeCopy = () => copy && rmSync(copy, { recursive: true, force: true });
  process.once('exit', removeCopy);
  if (copy) cpSync(join(ROOT, 'media', 'sample-workspace'), copy, { recursive: true });
  const workspace = folder ?? copy;
  const server = await startServer({ settings });
  const { browser, page } = await openWorkbench(server, {
    folder: workspace,
    developmentPath,
    viewport,
    onLog,
  });
  page.setDefaultTimeout(STEP);
  await page.waitForFunction(() => globalThis.driver); // what the served VS Code offers to its tests
  await page.evaluate(() => globalThis.driver.whenWorkbenchRestored());

  const input = page.locator('.quick-input-widget input').first();
  const rows = page.locator('.quick-input-list .monaco-list-row');
  const dialog = page.locator('.monaco-dialog-box');

  /** Types into the open quick input and takes the first row that holds `text`. Enter would be faster than the list. */
  async function pick(text) {
    await input.waitFor();
    await page.keyboard.type(text);
    await rows.filter({ hasText: text }).first().click();
  }

  /** Runs a command by its full title, such as `Waves: Show Panel`. */
  async function command(title) {
    await page.keyboard.press('F1');
    await pick(title);
  }

  /** Writes `text` into the open quick input (an input box, or a list that takes free text) and confirms it. */
  async function answer(text) {
    await input.waitFor();
    await input.fill(text);
    await page.keyboard.press('Enter');
  }

  /** Changes the colour theme: `Dark 2026`, `Light 2026`, `Dark High Contrast` or `Light High Contrast`. */
  async function theme(name) {
    await command('Preferences: Color Theme');
    await pick(name);
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  }

  /** The document of the one visible webview: workbench, then VS Code's frame, then the extension's page. */
  function webview() {
    return page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  /** What the open modal dialog says. */
  async function dialogText() {
    await dialog.waitFor();
    return dialog.innerText();
  }

  /** Presses the button `label` of the open modal dialog and waits until it is gone. */
  async function dialogButton(label) {
    await dialog.getByRole('button', { name: label, exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  /** The notification that holds `text`, in the opened notification centre: there are no toasts under test. */
  async function notification(text) {
    await command('Notifications: Show Notifications');
    const item = page.locator('.notification-list-item', { hasText: text }).first();
    await item.waitFor();
    return item;
  }

  /** Saves a picture of the page, or of one `locator`, as .vscode-test/shots/`name`.png and returns its path. */
  async function screenshot(name, locator = page) {
    mkdirSync(SHOTS, { recursive: true });
    const path = join(SHOTS, `${name}.png`);
    await locator.screenshot({ path });
    return path;
  }

  async function close() {
    await browser.close();
    await server.stop();
    removeCopy();
    process.removeListener('exit', removeCopy);
  }

  return {
    page,
    server,
    workspace,
    pick,
    command,
    answer,
    theme,
    webview,
    dialogText,
    dialogButton,
    notification,
    screenshot,
    close,
  };
}
