// Lanes, concurrency and order in a real browser: what a person sees, points at and reaches with the keyboard.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openLab } from './drawingsLab.mjs';
import { THEMES } from './themes.mjs';

const WEBVIEW = fileURLToPath(new URL('../../webview', import.meta.url));

let lab;
before(async () => {
  lab = await openLab();
});
after(() => lab?.close());

async function opened(options, show = (l) => l.show(l.madeRun(l.NINE))) {
  const { page, problems } = await lab.open(options);
  await page.waitForTimeout(50);
  await page.evaluate(`(${show})(window.lab)`);
  await page.waitForTimeout(50);
  return { page, problems, close: () => page.context().close() };
}

const calls = (page, kind) =>
  page.evaluate(
    (name) => window.lab.asked.filter(([asked]) => asked === name).map(([, value]) => value),
    kind,
  );

test('the three drawings together stay under 600 elements for any batch, wide and narrow', async () => {
  for (const width of [1200, 320])
    for (const [count, size] of [
      [9, 9],
      [500, 60],
      [5000, 5000],
      [5000, 1],
    ]) {
      const { page, problems, close } = await opened(
        { width },
        `(l) => l.show(l.madeRun(l.manyCalls(${count}, ${size}, 8)))`,
      );
      const nodes = await page.evaluate(() => document.querySelectorAll('#zones *').length);
      assert.ok(nodes <= 600, `${nodes} elements for ${count} calls in waves of ${size} at ${width} px`);
      assert.deepEqual(problems, []);
      await close();
    }
});

test('no drawn label changes its row from the first event to the last', async () => {
  for (const width of [1000, 360]) {
    const { page, close } = await opened({ width });
    const moved = await page.evaluate(async () => {
      const { lab } = window;
      const log = lab.madeRun(lab.manyCalls(14, 5, 3));
      const first = log.findIndex((event) => event.type === 'run-started');
      const rows = new Map();
      const moved = [];
      for (let cursor = first; cursor <= log.length; cursor++) {
        lab.show(log, cursor);
        const top = document.querySelector('.zone-lanes').getBoundingClientRect().top;
        for (const element of document.querySelectorAll('.bar-label, .narrow-call')) {
          const key = `${element.tagName} ${element.dataset.call}`;
          const y = Math.round(element.getBoundingClientRect().top - top);
          if (rows.has(key) && rows.get(key) !== y) moved.push(`${key}: ${rows.get(key)} to ${y}`);
          rows.set(key, y);
        }
      }
      return { moved, seen: rows.size };
    });
    assert.ok(moved.seen >= 10, `${moved.seen} labels at ${width} px`);
    assert.deepEqual(moved.moved, []);
    await close();
  }
});

test('a call of no duration has a mark at least two pixels wide and reads "<1 ms"', async () => {
  const { page, close } = await opened({}, (l) =>
    l.show(
      l.madeRun({
        calls: [
          { name: 'stat', ms: 0 },
          { name: 'read', ms: 40 },
        ],
        waves: [[0], [1]],
        permits: 1,
      }),
    ),
  );
  const mark = await page.evaluate(() => document.querySelector('.bar-thin.look-ok').getBBox().width);
  assert.ok(mark >= 2);
  const narrow = await opened({ width: 320 }, (l) =>
    l.show(
      l.madeRun({
        calls: [
          { name: 'stat', ms: 0 },
          { name: 'read', ms: 40 },
        ],
        waves: [[0], [1]],
        permits: 1,
      }),
    ),
  );
  assert.match(await narrow.page.locator('.narrow-call').first().innerText(), /<1 ms/);
  await narrow.close();
  const lone = await opened({}, (l) =>
    l.show(
      l.madeRun({
        calls: [
          { name: 'stat', ms: 0 },
          { name: 'read', ms: 40 },
        ],
        waves: [[0, 1]],
        permits: 2,
      }),
    ),
  );
  assert.match(await lone.page.locator('.lanes-drawing').textContent(), /#1 stat · <1 ms/);
  await lone.close();
  await close();
});

test('a click selects a bar, a second one fits it, and the wheel with Alt zooms around the pointer', async () => {
  const { page, close } = await opened();
  const bar = await page.locator('.bar-label', { hasText: '#6' }).boundingBox();
  await page.mouse.click(bar.x + 5, bar.y + 5);
  assert.deepEqual(await calls(page, 'select'), [5]);
  await page.mouse.dblclick(bar.x + 5, bar.y + 5);
  const [fit] = await calls(page, 'zoom');
  assert.ok(fit.from > 300 && fit.from < 470 && fit.to === 1370, JSON.stringify(fit));
  await page.keyboard.down('Alt');
  await page.mouse.wheel(0, -300);
  await page.keyboard.up('Alt');
  await page.waitForTimeout(50);
  const zoom = (await calls(page, 'zoom')).at(-1);
  assert.ok(zoom.from > 0 && zoom.to <= 1370 && zoom.to - zoom.from < 1370, JSON.stringify(zoom));
  await close();
});

test('one Tab stop a drawing: arrows move along a permit and across permits, Enter selects, Tab leaves', async () => {
  const { page, close } = await opened();
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
  await page.keyboard.press('Tab');
  assert.match(await focused(), /^#1 read_file src\/a.ts, ok, ran 120 ms on permit 1/);
  await page.keyboard.press('ArrowRight');
  assert.match(await focused(), /^#4 /);
  await page.keyboard.press('ArrowDown');
  assert.match(await focused(), /^#2 /);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  assert.match(await focused(), /^#9 /);
  await page.keyboard.press('ArrowRight');
  assert.match(await focused(), /^#9 /, 'focus stays at the end of a lane');
  await page.keyboard.press('Enter');
  assert.deepEqual(await calls(page, 'select'), [8]);
  assert.match(await page.locator('.readout').innerText(), /^#9 /);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('role')), 'slider');
  await page.keyboard.press('End');
  assert.deepEqual(await calls(page, 'select'), [8, 8]);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement === document.body), true);
  await close();
});

test('at 320 px each call has its name above its bar, waves open and close, and nothing is wider than the page', async () => {
  const { page, close } = await opened({ width: 320 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  const row = page.locator('.narrow-call').first();
  const name = await row.locator('.narrow-title').boundingBox();
  const bar = await row.locator('.narrow-bar').boundingBox();
  assert.ok(name.y + name.height <= bar.y + 2);
  const before = await page.locator('.narrow-call').count();
  await page.locator('.narrow-wave').first().click();
  assert.equal(await page.locator('.narrow-call').count(), before - 6);
  await page.locator('.narrow-call').first().click();
  assert.deepEqual(await calls(page, 'select'), [4]);
  await page.keyboard.press('ArrowDown');
  assert.match(await page.evaluate(() => document.activeElement.textContent), /^#8 /);
  for (const box of await page.locator('.narrow-rows button').all())
    assert.ok((await box.boundingBox()).height >= 24);
  await close();
});

test('permits never needed, calls without a permit and a broken recording are said in words', async () => {
  const { page, close } = await opened({}, (l) => {
    const log = l.madeRun({
      calls: [
        { name: 'a', ms: 5, refused: true },
        { name: 'b', ms: 5 },
        { name: 'c', ms: 90 },
      ],
      waves: [[0, 1, 2]],
      permits: 8,
    });
    l.show(log.slice(0, log.findIndex((event) => event.type === 'slot-filled' && event.call === 1) + 1));
  });
  const text = await page.locator('.lanes-drawing').textContent();
  for (const said of ['5 permits never needed', 'no permit', 'end not recorded', '#3 c'])
    assert.ok(text.includes(said), said);
  await close();
});

test('drawings keep their outlines apart without colour, and nothing moves under reduced motion', async () => {
  const { page, close } = await opened({ reducedMotion: 'reduce', forcedColors: 'active' }, (l) =>
    l.show(l.madeRun(l.manyCalls(60, 20, 6))),
  );
  const looks = await page.evaluate(() =>
    [...document.querySelectorAll('.bar[data-look]')].map(
      (path) =>
        `${path.getAttribute('stroke-width')}|${path.getAttribute('stroke-dasharray')}|${path
          .getAttribute('d')
          .slice(0, 400)
          .replace(/[\d. -]+/g, '')}`,
    ),
  );
  assert.equal(new Set(looks).size, looks.length);
  assert.ok(looks.length >= 4);
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  await close();
});

test('glyphs and outlines have a contrast of 3:1 and texts of 4.5:1 in every theme', async () => {
  for (const theme of Object.keys(THEMES)) {
    const { page, close } = await opened({ theme });
    const low = await page.evaluate(() => {
      const channels = (color) => color.match(/[\d.]+/g).map(Number);
      const over = ([r, g, b, a = 1], below) =>
        [r, g, b].map((value, index) => value * a + below[index] * (1 - a));
      const luminance = (color) => {
        const [r, g, b] = color.map((value) =>
          value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
        );
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const back = channels(getComputedStyle(document.body).backgroundColor);
      const contrast = (color) => {
        const [high, low] = [luminance(over(channels(color), back)), luminance(back)].sort((a, b) => b - a);
        return (high + 0.05) / (low + 0.05);
      };
      const low = [];
      for (const { className } of Object.values(window.lab.LOOKS)) {
        const probe = document.createElement('span');
        probe.className = className;
        document.body.append(probe);
        const value = contrast(getComputedStyle(probe).color);
        if (value < 3) low.push(`${className} ${value.toFixed(2)}`);
        probe.remove();
      }
      for (const text of document.querySelectorAll('svg text:not(.now-label)')) {
        const value = contrast(getComputedStyle(text).fill);
        if (value < 4.5) low.push(`${text.textContent} ${value.toFixed(2)}`);
      }
      return low;
    });
    assert.deepEqual(low, [], theme);
    await close();
  }
});

test('axe finds nothing in the drawings, wide and narrow, in four themes', async () => {
  const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  for (const theme of Object.keys(THEMES))
    for (const width of [1000, 320]) {
      const { page, close } = await opened({ theme, width, bypassCSP: true }, (l) =>
        l.show(l.madeRun(l.NINE), 60, { selected: 2 }),
      );
      await page.evaluate(source);
      const found = await page.evaluate(async () => {
        const { violations } = await window.axe.run('#zones', {
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        });
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
      });
      assert.deepEqual(found, [], `${theme} at ${width}`);
      await close();
    }
});

test('a frame of a live run of 500 calls costs a few milliseconds of script', async () => {
  const { page, close } = await opened({});
  const frames = await page.evaluate(() => {
    const { lab } = window;
    const log = lab.madeRun(lab.manyCalls(500, 60, 8));
    const times = [];
    for (let cursor = 1200; cursor < log.length; cursor += 8) {
      lab.show(log, cursor, { live: true });
      const view = lab.view;
      const start = performance.now();
      lab.update({ now: view.now + 0.1 });
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b);
  });
  // The median: this machine may be busy with other things.
  const median = frames[Math.floor(frames.length / 2)];
  assert.ok(median < 16, `half of the frames take more than ${median.toFixed(1)} ms`);
  await close();
});

test('colours come from the theme: none is written into the drawings', () => {
  const files = [
    'drawings.css',
    'looks.css',
    'glyphs.ts',
    ...['lanes', 'order', 'diagram'].flatMap((folder) =>
      readdirSync(join(WEBVIEW, folder)).map((name) => join(folder, name)),
    ),
  ];
  for (const file of files) {
    const text = readFileSync(join(WEBVIEW, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
    assert.doesNotMatch(text, /#[0-9a-f]{3,8}\b(?![;-])|\b(?:rgb|hsl)a?\(\d/i, file);
  }
});
