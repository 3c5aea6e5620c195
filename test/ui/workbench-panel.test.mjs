// The panel and the commands as a person meets them: in the real workbench, from the palette, with dialogs and reloads.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { writeRecording } from '../../dist/core.mjs';
import { atTheGate } from './panelStates.mjs';
import { openVSCode } from './workbench.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MINUTES = 60_000;

/** What the pages' consoles say about broken policies. */
const violations = [];
let w;
let file;

before(
  async () => {
    w = await openVSCode({ settings: { 'workbench.colorTheme': 'Dark 2026' } });
    file = (name) => join(w.workspace, name);
    // Early, for it takes VS Code a while to list new files.
    writeFileSync(file('reads.json'), '[{ "name": "read", "input": { "file_path": "src/a.ts" } }]');
    writeFileSync(file('gate.waves.jsonl'), writeRecording(await atTheGate()));
    writeFileSync(file('bad.json'), '{ "calls": [\n  { "name": }\n] }');
    w.page.on('console', (message) => {
      if (/Content Security Policy|Refused to/i.test(message.text())) violations.push(message.text());
    });
  },
  { timeout: 4 * MINUTES },
);
after(() => w?.close());

/**
 * Picks a row of the quick input. Its list holds only what was there when it opened, and it closes when a page that
 * is just being shown gets the focus: so it is opened anew until the row is picked.
 */
async function choose(key, text, label) {
  const row = w.page.locator('.quick-input-list .monaco-list-row', { hasText: label }).first();
  for (let attempt = 0; ; attempt++) {
    const timeout = 5_000 * (attempt + 1);
    try {
      await w.page.keyboard.press(key);
      await w.page.locator('.quick-input-widget input').first().fill(text, { timeout });
      await row.click({ timeout, noWaitAfter: true }); // a command may reload the window
      return;
    } catch (error) {
      if (attempt === 4) throw error;
      await w.page.keyboard.press('Escape');
    }
  }
}

const command = (title) => choose('F1', `>${title}`, title);

/** Opens a file of the workspace in the first group, with the focus in it. */
async function openFile(name) {
  await choose('Control+P', name, name);
  await w.page.locator('.tab.active', { hasText: name }).first().waitFor();
}

const inPanel = (selector, options) => w.webview().locator(selector, options);
const title = (name) => inPanel('h1', { hasText: name }).waitFor();
const state = (word) => inPanel('.state-word', { hasText: word }).waitFor();
const closeEditors = () => command('View: Close All Editors');
const entries = () => readFileSync(file('src/c.ts'), 'utf8').match(/A wave came by/g)?.length ?? 0;

/** The chips of the plan, wave by wave, by the number that people see. */
async function plan() {
  await inPanel('[data-zone=plan] .wave').first().waitFor();
  return inPanel('[data-zone=plan] .wave').evaluateAll((waves) =>
    waves.map((wave) => [...wave.querySelectorAll('.chip-number')].map((number) => number.textContent)),
  );
}

test('the empty panel offers the sample batch, and its button runs it', {
  timeout: 3 * MINUTES,
}, async () => {
  await command('Waves: Show Panel');
  await inPanel('button', { hasText: 'Run a sample batch' }).click();
  await title('batch 1');
  await state('Done');
  assert.equal(entries(), 1);
  await closeEditors();
});

test('Run Sample Batch draws six calls, three waves and the slots', { timeout: 3 * MINUTES }, async () => {
  await w.page.setViewportSize({ width: 1760, height: 1000 }); // beside an editor the panel has half of it
  await openFile('README.md');
  await command('Waves: Run Sample Batch');
  await title('batch 2');
  await state('Done');
  assert.deepEqual(await plan(), [['#1', '#2', '#4', '#6'], ['#3'], ['#5']]);
  await w.webview().getByRole('button', { name: 'Order' }).click(); // folded at this width
  await inPanel('[data-zone=order]').waitFor();
  await w.page.locator('.statusbar-item', { hasText: 'Done · 3 waves' }).waitFor();
  assert.equal(await w.page.locator('.tab', { hasText: 'README.md' }).count(), 1);
  for (const [theme, name] of [
    ['Dark 2026', 'dark'],
    ['Light 2026', 'light'],
    ['Dark High Contrast', 'hc-dark'],
    ['Light High Contrast', 'hc-light'],
  ]) {
    await w.theme(theme);
    await w.screenshot(`panel-${name}`);
  }
  await w.theme('Dark 2026');
});

test('a command of the palette steps through the log', { timeout: 2 * MINUTES }, async () => {
  const position = () => inPanel('[data-zone=transport]').innerText();
  const all = await position();
  await command('Waves: First Step');
  await inPanel('[data-zone=transport]', { hasText: /event 0 of/ }).waitFor();
  await command('Waves: Next Step');
  await inPanel('[data-zone=transport]', { hasText: /event 1 of/ }).waitFor();
  await command('Waves: Latest Step');
  await inPanel('[data-zone=transport]', { hasText: /event (\d+) of \1/ }).waitFor();
  assert.match(all, /event (\d+) of \1/);
});

test('Mermaid is loaded only when Diagram is opened', { timeout: 2 * MINUTES }, async () => {
  const scripts = () =>
    inPanel('body').evaluate(() =>
      performance
        .getEntriesByType('resource')
        .flatMap(({ name }) => /dist\/panel\/(.*\.js)/.exec(name)?.[1] ?? []),
    );
  const holdsMermaid = (name) => /mermaidAPI/.test(readFileSync(join(ROOT, 'dist/panel', name), 'utf8'));
  const early = await scripts();
  assert.ok(early.includes('main.js'));
  assert.ok(!early.some(holdsMermaid), `loaded without the diagram: ${early}`);
  await command('Waves: Show Diagram');
  await inPanel('svg[aria-roledescription^=flowchart]').waitFor();
  const late = (await scripts()).filter((name) => !early.includes(name));
  assert.ok(late.some(holdsMermaid), `loaded with the diagram: ${late}`);
  await w.screenshot('panel-diagram');
  await command('Waves: Show Picture');
});

test('a panel that was hidden shows what happened meanwhile', { timeout: 3 * MINUTES }, async () => {
  await closeEditors();
  await command('Waves: Show Panel');
  await title('batch 2');
  await openFile('README.md'); // in the same group: the panel is behind it
  await w.page.locator('iframe.webview.ready').waitFor({ state: 'hidden' });
  await command('Waves: Run Sample Batch');
  await title('batch 3');
  await state('Done');
  assert.equal(entries(), 3);
});

test('Run Batch… lists what is written, and does nothing when refused', {
  timeout: 3 * MINUTES,
}, async () => {
  await openFile('six-calls.anthropic.json');
  await command('Waves: Run Batch…');
  const text = await w.dialogText();
  assert.match(text, /Run 6 calls on this workspace\?/);
  assert.match(text, /One of them writes:\s+#3 {2}edit src\/c\.ts/);
  await w.screenshot('run-batch-dialog');
  await w.dialogButton('Cancel');
  assert.equal(entries(), 3);
  assert.equal(await w.page.locator('.tab', { hasText: 'batch 4' }).count(), 0);
});

test('Run Batch… runs what was agreed to', { timeout: 3 * MINUTES }, async () => {
  await command('Waves: Run Batch…');
  await w.dialogText();
  await w.dialogButton('Run Batch');
  await title('batch 4');
  await state('Done');
  assert.deepEqual(await plan(), [['#1', '#2', '#4', '#6'], ['#3'], ['#5']]);
  assert.equal(entries(), 4);
});

test('Run Batch… asks nothing when nothing is written', { timeout: 2 * MINUTES }, async () => {
  await openFile('reads.json');
  await command('Waves: Run Batch…');
  await title('batch 5');
  await state('Done');
});

test('Run Batch… says where bad JSON is wrong, and what it reads', { timeout: 2 * MINUTES }, async () => {
  await openFile('bad.json');
  await command('Waves: Run Batch…');
  const message = await (await w.notification('of bad.json')).innerText();
  assert.match(message, /Line 2, column \d+ of bad\.json: .*Waves reads plain calls/s);
  await w.screenshot('bad-json');
  await command('Notifications: Clear All Notifications');
});

test('a recording is saved, and opened from its editor', { timeout: 3 * MINUTES }, async () => {
  await command('Waves: Save Recording…');
  await w.answer(file('batch-5.waves.jsonl'));
  const saved = await waitForFile(file('batch-5.waves.jsonl'));
  assert.match(saved, /^\{"format":"waves-recording","version":1\}\n/);
  await openFile('batch-5.waves.jsonl');
  await command('Waves: Open Recording…');
  await title('batch-5.waves.jsonl');
  await state('Done');
  assert.deepEqual(await plan(), [['#1']]);
});

test('a recording says for which batch a call waited at the gate, and over what', {
  timeout: 3 * MINUTES,
}, async () => {
  await openFile('gate.waves.jsonl');
  await command('Waves: Open Recording…');
  await title('gate.waves.jsonl');
  await inPanel('[data-zone=plan] .chip', { hasText: '#1' }).click();
  await inPanel('.why-title', { hasText: '#1' }).waitFor();
  const why = await inPanel('[data-zone=why]').innerText();
  assert.match(why, /waiting at the gate/);
  assert.match(why, /at the gate, for edit "edit-1" of another batch over session\.ts/);
  await w.screenshot('panel-gate');
});

test('the panel comes back after the window was reloaded', { timeout: 4 * MINUTES }, async () => {
  await closeEditors();
  await command('Waves: Run Sample Batch');
  await title('batch 6');
  await state('Done');
  const reloaded = w.page.waitForEvent('load');
  await command('Developer: Reload Window'); // unlike the browser's own reload, it stores the open editors first
  await reloaded;
  await w.page.waitForFunction(() => globalThis.driver, undefined, { timeout: MINUTES });
  await w.page.evaluate(() => globalThis.driver.whenWorkbenchRestored());
  await title('batch 6');
  await state('Done');
  assert.deepEqual(await plan(), [['#1', '#2', '#4', '#6'], ['#3'], ['#5']]);
  await w.screenshot('panel-reloaded');
});

test('Run Sample Stream draws calls that still arrive, and in the end what early runs won', {
  timeout: 3 * MINUTES,
}, async () => {
  await command('Waves: Run Sample Stream');
  await title('batch 7');
  await inPanel('.state-rest', { hasText: 'message arriving' }).waitFor();
  await inPanel('.wave-arriving .chip', { hasText: '#4' }).waitFor();
  await w.page.locator('.statusbar-item', { hasText: 'Message arriving' }).waitFor();
  await w.screenshot('panel-streaming');
  await state('Done');
  assert.equal(await inPanel('.wave-arriving').count(), 0);
  assert.match(await inPanel('.early-sum').innerText(), /early starts, .* won, .* wasted/);
  await inPanel('[data-zone=plan] .chip', { hasText: '#2' }).click();
  await inPanel('.why-title', { hasText: '#2' }).waitFor();
  const why = await inPanel('[data-zone=why]').innerText();
  assert.match(why, /discarded: it began without knowing the whole input: offset, limit came later/);
  await w.screenshot('panel-streamed');
});

test('no page of the panel broke its security policy', () => {
  assert.deepEqual(violations, []);
});

async function waitForFile(path) {
  for (const end = Date.now() + 20_000; ; ) {
    try {
      const text = readFileSync(path, 'utf8');
      if (text.endsWith('\n')) return text;
    } catch {
      // not there yet
    }
    if (Date.now() > end) throw new Error(`${path} was not written`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
