// The panel in a real browser: every state, theme and width, keys alone, and what a page must never do.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { weakTexts } from './contrast.mjs';
import { servePanel } from './panelPage.mjs';
import { bigScenario, eventsOf, logMessage, panelStates, scenario } from './panelStates.mjs';
import { THEMES } from './themes.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const WIDTHS = { 1280: 800, 700: 900, 320: 720 };

let server;
let nine;
let states;
before(async () => {
  server = await servePanel();
  nine = await eventsOf(scenario('nine-calls'));
  states = await panelStates();
});
after(() => server?.close());

/** Messages of a state as those of a batch of its own, so that one page can show one after another. */
function asBatch(messages, id) {
  return messages.map((message) =>
    message.type === 'log' ? { ...message, batch: { ...message.batch, id } } : message,
  );
}

async function violations(page) {
  const found = await page.evaluate(async (tags) => {
    const { violations: list } = await axe.run(document, { runOnly: tags, resultTypes: ['violations'] });
    return list.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map((node) => node.html)
          .slice(0, 3)
          .join(' | ')}`,
    );
  }, TAGS);
  return found;
}

const active = (page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    return activeElement === document.body || !activeElement ? 'body' : activeElement.outerHTML.slice(0, 120);
  });

describe('every state', () => {
  for (const theme of Object.keys(THEMES))
    for (const [width, height] of Object.entries(WIDTHS))
      it(`is accessible in ${theme} at ${width} px: axe finds nothing, texts have 4.5:1`, async () => {
        const panel = await server.open({ theme, width: Number(width), height });
        await panel.page.evaluate(AXE).catch(() => panel.page.addScriptTag({ content: AXE }));
        const inOrder = ['catching-up', ...Object.keys(states).filter((name) => name !== 'catching-up')];
        for (const name of inOrder) {
          await panel.send(...asBatch(states[name], name));
          assert.deepEqual(await violations(panel.page), [], `${name}: axe`);
          assert.deepEqual(await panel.page.evaluate(weakTexts), [], `${name}: contrast`);
        }
        await panel.send(...asBatch(states.errors, 'again'));
        for (const key of ['t', '/', '?']) {
          await panel.page.keyboard.press(key);
          await panel.drawn();
          assert.deepEqual(await violations(panel.page), [], `after ${key}: axe`);
          assert.deepEqual(await panel.page.evaluate(weakTexts), [], `after ${key}: contrast`);
          if (key === '/') await panel.page.keyboard.press('Escape');
        }
        assert.deepEqual(panel.problems, []);
        await panel.close();
      });

  const HEADERS = {
    empty: /no batch yet/i,
    planning: /planning\s+5 of 9/i,
    planned: /planned\s+9 calls in 3 waves/i,
    running: /running\s+wave 1 of 3/i,
    gate: /running\s+wave 1 of 1/i,
    cancelling: /cancelling\s+3 still running/i,
    done: /done\s+1\.370 s/i,
    errors: /done\s+with 2 soft errors/i,
    aborted: /aborted\s+by #5 in wave 2/i,
    cancelled: /cancelled\s+at 0\.285 s/i,
    interrupted: /interrupted\s+end not recorded/i,
    'catching-up': /loading/i,
  };
  it('is named in the header, and problems are an alert above the last good picture', async () => {
    for (const [name, words] of Object.entries(HEADERS)) {
      const panel = await server.open({ messages: states[name] });
      assert.match(await panel.page.locator('.state').innerText(), words, name);
      await panel.close();
    }
    const panel = await server.open({ messages: states.problem });
    assert.match(await panel.page.getByRole('alert').first().innerText(), /line 12 is not JSON/);
    assert.equal(await panel.page.locator('.wave').count(), 3);
    await panel.page.getByRole('button', { name: 'Retry' }).click();
    assert.equal((await panel.posted('ready')).length, 2);
    await panel.close();
  });

  it('shows no scroll bars across, and cuts nothing off, from 320 px and at 400 %', async () => {
    for (const [width, height] of [
      [320, 720],
      [320, 200],
      [480, 700],
      [640, 400],
    ]) {
      const panel = await server.open({ width, height });
      for (const name of ['running', 'errors', 'cancelled', 'empty']) {
        await panel.send(...asBatch(states[name], name));
        const wide = await panel.page.evaluate(() =>
          [
            document.documentElement,
            ...document.querySelectorAll('.stage-area, .zone-header, .zone-transport'),
          ]
            .filter((element) => element.scrollWidth > element.clientWidth + 1)
            .map((element) => `${element.tagName}.${element.className}`),
        );
        assert.deepEqual(wide, [], `${name} at ${width} × ${height}`);
      }
      await panel.close();
    }
  });
});

describe('keys alone', () => {
  /** What a person sees after a key. */
  const seen = (page) =>
    page.evaluate(() => ({
      at: Number(document.querySelector('.slider').getAttribute('aria-valuenow')),
      text: document.querySelector('.slider').getAttribute('aria-valuetext'),
      view: document.querySelector('.panel').dataset.view,
      why: document.querySelector('.why-title')?.textContent ?? '',
      speed: document.querySelector('.speed').value,
      zoomed: document.querySelector('.zone-lanes .link-button')?.hidden === false,
      focus: document.activeElement === document.body ? 'body' : document.activeElement?.className,
    }));

  it('reach every command', async () => {
    const errors = await eventsOf(
      scenario('nine-calls', (it) => {
        it.calls[1].outcome = 'soft';
        it.calls[7].outcome = 'soft';
        return it;
      }),
    );
    const panel = await server.open({ messages: [logMessage(errors)] });
    const { page } = panel;
    const press = async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
      await panel.drawn();
      return seen(page);
    };
    assert.equal((await seen(page)).why, 'Why #2'); // the first error is selected
    assert.equal((await press('e')).why, 'Why #8');
    assert.equal((await press('Shift+E')).why, 'Why #2');
    assert.equal((await press('Home')).at, 0);
    assert.equal((await press('ArrowRight', 'ArrowRight', 'ArrowLeft')).at, 1);
    const wave = await press('Shift+ArrowRight');
    assert.match(wave.text, /wave 1 started/);
    assert.match((await press('Shift+ArrowRight')).text, /wave 2 started/);
    assert.match((await press('Shift+ArrowLeft')).text, /wave 1 started/);
    assert.equal((await press('End')).at, errors.length);
    await press('g');
    assert.match((await seen(page)).focus, /go-to-input/);
    await page.keyboard.type('38');
    assert.equal((await press('Enter')).at, 38);
    assert.notEqual((await seen(page)).focus, 'body');
    assert.equal((await press(']')).speed, '2');
    assert.equal((await press('[', '[')).speed, '0.5');
    assert.equal((await press('+')).zoomed, true);
    assert.equal((await press('0')).zoomed, false);
    assert.equal((await press('f')).zoomed, true);
    assert.equal((await press('0', '+', '-')).zoomed, false);
    assert.equal((await press('t')).view, 'table');
    assert.equal((await press('t')).view, 'picture');
    await press('/');
    await page.keyboard.type('b.ts');
    await panel.drawn();
    assert.equal((await press('Enter')).why, 'Why #4');
    assert.equal((await press('Enter')).why, 'Why #8');
    assert.equal((await press('Shift+Enter')).why, 'Why #4');
    assert.equal(await page.locator('.find-result').innerText(), '1 of 2');
    await press('Escape');
    assert.equal(await page.locator('.find').isVisible(), false);
    assert.notEqual((await seen(page)).focus, 'body');
    await press('Control+f');
    assert.match((await seen(page)).focus, /find-input/);
    await press('Escape');
    await press('Escape');
    assert.equal(await page.locator('.chip[aria-current]').count(), 0);
    await press('?');
    assert.equal(await page.locator('dialog.help').isVisible(), true);
    await press('Escape');
    assert.equal(await page.locator('dialog.help').isVisible(), false);
    await press('Home', ' ');
    assert.equal(await page.getByRole('button', { name: 'Pause' }).count(), 1);
    await press(' ');
    assert.equal(await page.getByRole('button', { name: 'Pause' }).count(), 0);
    assert.notEqual((await seen(page)).focus, 'body');
    assert.deepEqual(panel.problems, []);
    await panel.close();
  });

  it('choose calls in the plan, open Why, and go from zone to zone and out', async () => {
    const panel = await server.open({ messages: [logMessage(nine)] });
    const { page } = panel;
    await page.keyboard.press('Tab');
    const zones = [];
    for (let n = 0; n < 12; n++) {
      zones.push(
        await page.evaluate(() => document.activeElement.closest('[data-zone]')?.dataset.zone ?? 'none'),
      );
      await page.keyboard.press('F6');
    }
    for (const zone of ['header', 'plan', 'lanes', 'order', 'why', 'transport'])
      assert.ok(zones.includes(zone), zone);
    await page.locator('.chip').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await panel.drawn();
    assert.equal(await page.locator('.why-title').innerText(), 'Why #3');
    await page.keyboard.press('Enter');
    await panel.drawn();
    assert.equal(
      await page.evaluate(() => document.activeElement.closest('[data-zone]').dataset.zone),
      'why',
    );
    await panel.close();
  });

  it('leave the panel by Tab within 12 presses, in every view', async () => {
    for (const keys of [[], ['t']]) {
      const panel = await server.open({ messages: [logMessage(nine)] });
      const { page } = panel;
      for (const key of keys) await page.keyboard.press(key);
      await panel.drawn();
      await page.evaluate(() => {
        const end = document.createElement('button');
        end.id = 'after';
        document.body.append(end);
      });
      let presses = 0;
      do {
        await page.keyboard.press('Tab');
        presses++;
        assert.notEqual(await active(page), 'body');
      } while (presses < 30 && !(await page.evaluate(() => document.activeElement.id === 'after')));
      assert.ok(presses <= 13, `${presses} presses`); // the last one reaches what follows the panel
      await panel.close();
    }
  });

  it('move the slider, and its value names the event', async () => {
    const panel = await server.open({ messages: [logMessage(nine)] });
    const slider = panel.page.getByRole('slider', { name: 'Position' });
    await slider.focus();
    for (const [key, at] of [
      ['Home', 0],
      ['ArrowRight', 1],
      ['PageUp', 11],
      ['ArrowLeft', 10],
      ['PageDown', 0],
      ['End', nine.length],
    ]) {
      await panel.page.keyboard.press(key);
      await panel.drawn();
      assert.equal(Number(await slider.getAttribute('aria-valuenow')), at, key);
    }
    const last = nine.findLastIndex((event) => event.type === 'call-started' && event.call === 8) + 1;
    await panel.page.keyboard.press('g');
    await panel.page.keyboard.type(String(last));
    await panel.page.keyboard.press('Enter');
    await panel.drawn();
    assert.equal(
      await slider.getAttribute('aria-valuetext'),
      `event ${last}, 0.280 s, call 9 running on permit 3`,
    );
    await panel.close();
  });

  it('never lose the focus when what had it disappears', async () => {
    const panel = await server.open({ messages: states.running });
    await panel.page.getByRole('button', { name: 'Cancel' }).focus();
    await panel.send({
      type: 'append',
      batchId: 'batch-14',
      from: states.running[0].events.length,
      events: nine.slice(states.running[0].events.length),
    });
    await panel.drawn();
    assert.equal(await panel.page.getByRole('button', { name: 'Cancel' }).count(), 0);
    assert.notEqual(await active(panel.page), 'body');
    await panel.page.locator('.chip').first().focus();
    await panel.page.keyboard.press('t');
    await panel.drawn();
    assert.notEqual(await active(panel.page), 'body');
    await panel.send({ type: 'empty' });
    assert.notEqual(await active(panel.page), 'body');
    await panel.close();
  });
});

describe('the page', () => {
  it('does for a command of the palette what its key does', async () => {
    const panel = await server.open({ messages: [logMessage(nine)] });
    await panel.send({ type: 'action', action: 'show-table' });
    assert.equal(await panel.page.locator('.panel').getAttribute('data-view'), 'table');
    await panel.send({ type: 'action', action: 'first-step' }, { type: 'action', action: 'help' });
    assert.equal(await panel.page.locator('.slider').getAttribute('aria-valuenow'), '0');
    assert.equal(await panel.page.locator('dialog.help').isVisible(), true);
    await panel.close();
  });

  it('asks the host for what its buttons say', async () => {
    const panel = await server.open({ messages: states.empty });
    await panel.page.getByRole('button', { name: 'Run a sample batch' }).click();
    await panel.page.getByRole('button', { name: 'Open run file' }).click();
    await panel.page.getByRole('button', { name: 'Read how waves work' }).click();
    await panel.send(...states.running);
    await panel.page.getByRole('button', { name: 'Cancel' }).click();
    await panel.send(...states.cancelling);
    await panel.page.getByRole('button', { name: 'Stop waiting' }).click();
    await panel.page.getByRole('button', { name: 'More' }).click();
    await panel.page.getByRole('menuitem', { name: 'Save recording' }).click();
    assert.deepEqual(
      (await panel.posted('action')).map((message) => message.action),
      ['run-sample', 'open-recording', 'read-how-waves-work', 'cancel', 'stop-waiting', 'save-recording'],
    );
    await panel.page.locator('.chip').nth(2).click();
    await panel.page.getByRole('button', { name: 'Copy' }).click();
    assert.match((await panel.posted('copy'))[0].text, /^#3 edit_file src\/a\.ts/);
    await panel.page.getByRole('button', { name: 'Open a.ts' }).click();
    assert.deepEqual(await panel.posted('open-file'), [{ type: 'open-file', resource: 'file:src/a.ts' }]);
    await panel.close();
  });

  it('shows markup in an argument as text, everywhere', async () => {
    const evil = '<img src=x onerror="document.title=1">';
    const events = await eventsOf(
      scenario('six-calls', (it) => {
        for (const call of it.calls) call.input = { path: evil };
        return it;
      }),
    );
    const panel = await server.open({ messages: [logMessage(events, { title: evil })] });
    await panel.page.locator('.chip').nth(1).click();
    await panel.page.keyboard.press('t');
    await panel.drawn();
    assert.equal(await panel.page.locator('img').count(), 0);
    assert.equal(await panel.page.title(), 'Waves');
    assert.match(await panel.page.locator('.why-target').innerText(), /<img src=x/);
    assert.deepEqual(panel.problems, []);
    await panel.close();
  });

  it('stays below 1,500 elements for 5,000 calls, in the picture and in the table', async () => {
    for (const strategy of ['first-fit', 'sequential']) {
      const events = await eventsOf(bigScenario(5000), { strategy });
      const panel = await server.open({ messages: [logMessage(events)] });
      const size = () => panel.page.evaluate(() => document.querySelectorAll('*').length);
      const select = async (call) => {
        await panel.page.keyboard.press('/');
        await panel.page.keyboard.type(`#${call}`);
        await panel.page.keyboard.press('Enter');
        await panel.page.keyboard.press('Escape');
        await panel.drawn();
      };
      await select(2500);
      assert.ok((await size()) <= 1500, `picture, ${strategy}: ${await size()}`);
      await panel.page.keyboard.press('t');
      await panel.drawn();
      assert.ok((await size()) <= 1500, `table, ${strategy}: ${await size()}`);
      await panel.page.setViewportSize({ width: 320, height: 720 });
      await panel.page.keyboard.press('t');
      await panel.drawn();
      assert.ok((await size()) <= 1500, `narrow, ${strategy}: ${await size()}`);
      assert.deepEqual(panel.problems, []);
      await panel.close();
    }
  });

  it('draws the same live, replayed and scrubbed, and moves nothing that was drawn', async () => {
    const picture = (page) =>
      page.evaluate(() =>
        ['.plan-waves', '.order-twin', '.lanes-drawing .bar'].map((selector) =>
          [...document.querySelectorAll(selector)]
            .map((one) => one.getAttribute('d') ?? one.innerText)
            .filter((text) => text !== '')
            .join('\n'),
        ),
      );
    const live = await server.open({ messages: [logMessage([], { source: 'live' })] });
    const rows = new Map();
    for (let from = 0; from < nine.length; from += 7) {
      await live.send({ type: 'append', batchId: 'batch-14', from, events: nine.slice(from, from + 7) });
      const now = await live.page.evaluate(() =>
        [...document.querySelectorAll('.chip')].map((chip) => [
          chip.dataset.call,
          chip.getBoundingClientRect().top,
        ]),
      );
      for (const [call, top] of now) {
        if (from > 30 && rows.has(call)) assert.equal(top, rows.get(call), `call ${call} moved`);
        rows.set(call, top);
      }
    }
    const replayed = await server.open({ messages: [logMessage(nine)] });
    await replayed.page.keyboard.press('Home');
    await replayed.drawn();
    await replayed.page.keyboard.press('End');
    await replayed.drawn();
    assert.deepEqual(await picture(replayed.page), await picture(live.page));
    await live.close();
    await replayed.close();
  });

  it('detaches from a live run when scrubbed, and says how far behind it is', async () => {
    const panel = await server.open({ messages: states.running });
    const { length } = states.running[0].events;
    await panel.page.getByRole('slider', { name: 'Position' }).focus();
    await panel.page.keyboard.press('ArrowLeft');
    await panel.drawn();
    assert.match(await panel.page.locator('.live-state').innerText(), /1 event behind/);
    await panel.send({
      type: 'append',
      batchId: 'batch-14',
      from: length,
      events: nine.slice(length, length + 5),
    });
    assert.match(await panel.page.locator('.live-state').innerText(), /6 events behind/);
    await panel.page.keyboard.press('l');
    await panel.drawn();
    assert.match(await panel.page.locator('.live-state').innerText(), /Live/);
    await panel.close();
  });

  it('asks for the log again after a gap', async () => {
    const panel = await server.open({ messages: states.running });
    const { length } = states.running[0].events;
    await panel.send({
      type: 'append',
      batchId: 'batch-14',
      from: length + 2,
      events: nine.slice(length + 2),
    });
    assert.deepEqual(await panel.posted('resync'), [{ type: 'resync', batchId: 'batch-14', have: length }]);
    await panel.send('nonsense', { type: 'append' }, null);
    assert.deepEqual(panel.problems, []);
    await panel.close();
  });

  it('comes back to where the user was, and keeps no data', async () => {
    const first = await server.open({ messages: [logMessage(nine)] });
    await first.page.locator('.chip').nth(4).click();
    await first.page.keyboard.press('Shift+ArrowLeft');
    await first.page.keyboard.press('t');
    await first.drawn();
    const saved = await first.saved();
    assert.ok(JSON.stringify(saved).length < 2048);
    const at = await first.page.locator('.slider').getAttribute('aria-valuenow');
    const again = await server.open({ messages: [logMessage(nine)], saved });
    assert.equal(await again.page.locator('.slider').getAttribute('aria-valuenow'), at);
    assert.equal(await again.page.locator('.panel').getAttribute('data-view'), 'table');
    assert.equal(await again.page.locator('.why-title').innerText(), 'Why #7');
    await first.close();
    await again.close();
  });

  it('moves nothing where motion is not wanted, and still plays', async () => {
    for (const options of [{ classes: 'vscode-reduce-motion' }, { reducedMotion: 'reduce' }]) {
      const panel = await server.open({ messages: states.running, ...options });
      assert.equal(await panel.page.evaluate(() => document.getAnimations().length), 0);
      await panel.page.keyboard.press('Home');
      await panel.page.keyboard.press(' ');
      await panel.page.waitForFunction(
        () => Number(document.querySelector('.slider').getAttribute('aria-valuenow')) > 1,
      );
      assert.equal(await panel.page.evaluate(() => document.getAnimations().length), 0);
      await panel.close();
    }
  });

  it('shows tables in pages of a hundred to screen readers, and windows them otherwise', async () => {
    const events = await eventsOf(bigScenario(250));
    const reader = await server.open({
      messages: [logMessage(events)],
      classes: 'vscode-using-screen-reader',
    });
    await reader.page.keyboard.press('t');
    await reader.drawn();
    assert.equal(await reader.page.locator('table').first().locator('tbody tr[data-row]').count(), 100);
    await reader.page.getByRole('button', { name: 'Next 100' }).first().click();
    await reader.drawn();
    assert.match(await reader.page.locator('.data-pages').first().innerText(), /Rows 101 to 200 of 250/);
    await reader.close();
    const panel = await server.open({ messages: [logMessage(events)] });
    await panel.page.keyboard.press('t');
    await panel.drawn();
    const table = panel.page.locator('table').first();
    assert.equal(await table.getAttribute('aria-rowcount'), '251');
    await table.locator('.row-button').first().focus();
    await panel.page.keyboard.press('End');
    await panel.drawn();
    assert.equal(await panel.page.evaluate(() => document.activeElement.textContent), '#250');
    assert.equal(
      await panel.page.evaluate(() => document.activeElement.closest('tr').getAttribute('aria-rowindex')),
      '251',
    );
    await table.getByRole('button', { name: 'Ran' }).click();
    await table.getByRole('button', { name: 'Ran' }).click();
    assert.equal(await table.locator('th[aria-sort="descending"]').innerText(), 'Ran');
    await panel.close();
  });

  it('loads the diagram and its library only when the diagram is opened', async () => {
    server.requests.length = 0;
    const panel = await server.open({ messages: [logMessage(nine)] });
    const before = server.requests.length;
    assert.ok(before < 10, `${before} requests`);
    await panel.page.getByRole('button', { name: 'Diagram' }).click();
    await panel.page.waitForFunction(() => document.querySelector('.view-diagram svg'), undefined, {
      timeout: 60_000,
    });
    assert.ok(server.requests.length > before);
    assert.deepEqual(panel.problems, []);
    await panel.close();
  });
});
