// The diagrams drawn by the real Mermaid in a real browser, under the panel's content security policy.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openLab, setTheme } from './drawingsLab.mjs';
import { THEMES } from './themes.mjs';

let lab;
before(async () => {
  lab = await openLab();
});
after(() => lab?.close());

/** Labels that have broken or silently changed diagrams (cases 24, 37 and 38). */
const HOSTILE = [
  'f(x)',
  'say "hi"',
  'a[0]{1}',
  'ls; rm x',
  'end',
  '🙂 👩‍👩‍👧',
  '',
  'one\n%% two\nthree',
  'class',
  'style',
  'toolu_01-x',
  'o1',
  '1. build',
  '- x',
  'issue #123; fixed',
  '%%{init: {"theme":"forest"}}%%',
  '**b**',
  '_i_ __proto__',
  '`code`',
  '` lone',
  '~~gone~~',
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '$$<img src=x>$$',
  'x\nclick c1 "javascript:alert(1)"',
  '<br/>',
  '&lt;b&gt; &amp;',
  'subgraph W9',
  'a --> b',
  'a ~~~ b',
  '|pipe|',
  'שלום עולם',
  'مرحبا "x"',
  '\u202eevil\u202c',
  'style x:#35;1;',
  'classDef a:#f00;',
  'fa:fa-car x',
  'C:\\dir\\n',
  'a@{ shape: circle }',
  'https://example.com/a?b=c&d',
  '@#$%^&*()',
  '°°ﬂ¶ß',
  'tab\there',
  '\u0000\u0007',
  '[["x"]]',
  '{{x}}',
  '\\"',
  "it's",
  '::: cls',
  'accTitle: x',
  'W1 --> W2',
];

/** Batches of these labels in two to four waves, the same for the same seed. */
function batch(seed) {
  let state = seed * 2654435761 + 1;
  const random = (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const label = () =>
    HOSTILE[random(HOSTILE.length)] + (random(3) === 0 ? ` ${HOSTILE[random(HOSTILE.length)]}` : '');
  const count = 2 + random(9);
  const waves = Array.from({ length: 1 + random(4) }, () => []);
  const calls = Array.from({ length: count }, (_, index) => {
    waves[index < waves.length ? index : random(waves.length)].push(index);
    return {
      name: label(),
      input: { path: label() },
      ms: random(50),
      key: random(3) === 0 ? label() || 'k' : undefined,
      outcome: ['ok', 'ok', 'soft', 'hard', 'cancelled'][random(5)],
      safe: random(5) > 0,
      refused: random(9) === 0,
    };
  });
  return { calls, waves: waves.filter((wave) => wave.length > 0), permits: 1 + random(4) };
}

test('200 batches with hostile labels are drawn as plans: literal text, none empty, in wave and request order', async () => {
  const { page, problems } = await lab.open({ zones: [] });
  for (let seed = 1; seed <= 200; seed++) {
    const result = await page.evaluate(drawPlan, batch(seed));
    assert.equal(result.reason, undefined, `seed ${seed}: ${result.reason}\n${result.text}`);
    assert.deepEqual(result.unsafe, [], `seed ${seed}`);
    assert.deepEqual(result.wrong, [], `seed ${seed}\n${result.text}`);
    assert.deepEqual(result.order, result.expectedOrder, `seed ${seed}\n${result.text}`);
  }
  assert.deepEqual(problems, []);
  await page.context().close();
});

test('60 batches with hostile labels are drawn as runs, their text literal', async () => {
  const { page, problems } = await lab.open({ zones: [] });
  for (let seed = 1; seed <= 60; seed++) {
    const result = await page.evaluate(drawRun, batch(seed));
    assert.equal(result.reason, undefined, `seed ${seed}: ${result.reason}\n${result.text}`);
    assert.deepEqual(result.unsafe, [], `seed ${seed}`);
    assert.deepEqual(result.missing, [], `seed ${seed}\n${result.text}`);
  }
  assert.deepEqual(problems, []);
  await page.context().close();
});

test('two waves of 25, 600 calls and one label of 60,000 characters are drawn', async () => {
  const { page } = await lab.open({ zones: [] });
  const drawn = await page.evaluate(async () => {
    const { lab } = window;
    const long = {
      calls: [
        { name: 'x'.repeat(60_000), input: { path: '"#'.repeat(30_000) }, ms: 1 },
        { name: 'y', ms: 1 },
      ],
      waves: [[0, 1]],
      permits: 2,
    };
    const nasty = lab.manyCalls(120, 40, 4);
    const runs = [
      lab.manyCalls(50, 25, 8),
      lab.manyCalls(600, 200, 8),
      lab.manyCalls(600, 1, 8),
      long,
      {
        ...nasty,
        calls: nasty.calls.map((call) => ({
          ...call,
          name: '"#<'.repeat(40),
          input: { path: '%{}'.repeat(40) },
        })),
      },
    ];
    const results = [];
    for (const run of runs) {
      const state = lab.reduceAll(lab.madeRun(run));
      for (const kind of ['plan', 'run']) {
        const picture = await lab.draw(lab.toMermaid(state, kind));
        results.push(picture.ok ? 'drawn' : picture.reason);
      }
    }
    return results;
  });
  assert.deepEqual(drawn, Array(10).fill('drawn'));
  await page.context().close();
});

test('100 failing renders leave nothing behind, and the next one is drawn', async () => {
  const { page } = await lab.open({ zones: [] });
  const result = await page.evaluate(async () => {
    await window.lab.draw('flowchart LR\n a --> b');
    const before = document.body.children.length;
    const failed = [];
    for (let n = 0; n < 100; n++) failed.push((await window.lab.draw(`flowchart LR\n a[(((\n ${n}`)).ok);
    const next = await window.lab.draw('flowchart LR\n a --> b');
    return { before, after: document.body.children.length, failed: failed.some(Boolean), next: next.ok };
  });
  assert.equal(result.after, result.before);
  assert.equal(result.failed, false);
  assert.equal(result.next, true);
  await page.context().close();
});

test('only the newest of many wishes is drawn', async () => {
  const { page } = await lab.open({ zones: [] });
  const drawn = await page.evaluate(async () => {
    const { wish } = await window.lab.draw('flowchart LR\n a --> b');
    const pictures = [];
    window.lab.drawn = (picture) => pictures.push(picture.wish.text);
    for (let n = 0; n < 20; n++) window.lab.renderer.want({ ...wish, text: `flowchart LR\n a${n} --> b` });
    await new Promise((done) => setTimeout(done, 2_000));
    return pictures;
  });
  assert.deepEqual(drawn, ['flowchart LR\n a19 --> b']);
  await page.context().close();
});

test('Mermaid is requested only when the Diagram view opens, and follows a change of theme', async () => {
  const { page, problems } = await lab.open({ zones: ['lanes'] });
  const requested = [];
  page.on('request', (request) => requested.push(request.url()));
  await page.evaluate(() => window.lab.show(window.lab.madeRun(window.lab.NINE)));
  await page.waitForTimeout(100);
  assert.deepEqual(requested, []);
  await page.evaluate(async () => {
    await window.lab.diagram();
    window.lab.show(window.lab.madeRun(window.lab.NINE), undefined, { view: 'diagram' });
  });
  const fill = () =>
    page.evaluate(() => {
      const node = document.querySelector('.diagram-frame .node .label-container');
      return node && getComputedStyle(node).fill;
    });
  await page.waitForSelector('.diagram-frame .node .label-container', { timeout: 20_000 });
  const dark = await fill();
  assert.equal(dark, rgb(THEMES.dark.colours['editorWidget-background']));
  await setTheme(page, 'light');
  await page.waitForFunction(
    (fill) => getComputedStyle(document.querySelector('.diagram-frame .node .label-container')).fill === fill,
    rgb(THEMES.light.colours['editorWidget-background']),
    { timeout: 20_000 },
  );
  await page.click('#diagram-tab-run');
  await page.waitForSelector('.diagram-frame .actor', { timeout: 20_000 });
  assert.equal(await page.locator('.diagram-problem').isVisible(), false);
  assert.deepEqual(problems, []);
  await page.context().close();
});

test('a folded diagram says what was folded', async () => {
  const { page } = await lab.open({ zones: [] });
  await page.evaluate(async () => {
    await window.lab.diagram();
    window.lab.show(window.lab.madeRun(window.lab.manyCalls(200, 100, 4)), undefined, { view: 'diagram' });
  });
  await page.waitForSelector('.diagram-frame svg', { timeout: 20_000 });
  assert.equal(
    await page.locator('.zone-diagram > .diagram-body > .zone-note').innerText(),
    '200 calls are folded, one box a wave.',
  );
  await page.context().close();
});

/** `#202122` as a browser says it. */
function rgb(hex) {
  return `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`;
}

/** In the page: draws a plan and compares what is seen with what was meant. */
async function drawPlan(run) {
  const state = window.lab.reduceAll(window.lab.madeRun(run));
  const text = window.lab.toMermaid(state, 'plan');
  const picture = await window.lab.draw(text);
  if (!picture.ok) return { reason: picture.reason, text };
  const { svg } = picture;
  document.body.append(svg);
  const bare = (value) => value.replace(/[\s\u2060]+/g, '');
  const decode = (value) =>
    value
      .replace(/<br\/>/g, ' ')
      .replace(
        /#(\d+|\w+);/g,
        (_, code) => ({ quot: '"', lt: '<', gt: '>', amp: '&' })[code] ?? String.fromCodePoint(Number(code)),
      );
  const meant = new Map(
    [...text.matchAll(/^ {4}(c\d+)(?:\("(.*)"\)|\[\["(.*)"\]\])$/gm)].map(([, id, round, square]) => [
      id,
      decode(round ?? square),
    ]),
  );
  const nodes = [...svg.querySelectorAll('g.node')].map((node) => ({
    id: /-(c\d+)-/.exec(node.id)?.[1] ?? node.id,
    text: node.textContent,
    box: node.getBoundingClientRect(),
  }));
  const wrong = nodes
    .filter(({ id, text }) => bare(text) !== bare(meant.get(id) ?? '?'))
    .map(({ id, text }) => ({ id, seen: text, meant: meant.get(id) }));
  if (nodes.length !== meant.size) wrong.push(`${nodes.length} nodes for ${meant.size} calls`);
  const order = [...nodes]
    .sort((a, b) => {
      const apart = a.box.right <= b.box.left || b.box.right <= a.box.left;
      return apart ? a.box.left - b.box.left : a.box.top - b.box.top;
    })
    .map(({ id }) => id);
  const expectedOrder = run.waves.flat().map((call) => `c${call + 1}`);
  const unsafe = [...svg.querySelectorAll('*')]
    .filter(
      (element) =>
        /^(script|image|img|a|foreignObject|iframe)$/i.test(element.localName) ||
        [...element.attributes].some(
          (attribute) => /^on/i.test(attribute.name) || /javascript:/i.test(attribute.value),
        ),
    )
    .map((element) => element.outerHTML);
  svg.remove();
  return { text, wrong, order, expectedOrder, unsafe };
}

/** In the page: draws a run and looks for every message. */
async function drawRun(run) {
  const state = window.lab.reduceAll(window.lab.madeRun(run));
  const text = window.lab.toMermaid(state, 'run');
  const picture = await window.lab.draw(text);
  if (!picture.ok) return { reason: picture.reason, text };
  const { svg } = picture;
  const bare = (value) => value.replace(/[\s\u2060]+/g, '');
  const decode = (value) =>
    value.replace(
      /#(\d+|\w+);/g,
      (_, code) => ({ quot: '"', lt: '<', gt: '>', amp: '&' })[code] ?? String.fromCodePoint(Number(code)),
    );
  const meant = [...text.matchAll(/^ {2}(?:S|P\d+|Note [^:]*)(?:-[^:]*)?: (.*)$/gm)].map(([, message]) =>
    bare(decode(message)),
  );
  const seen = bare(svg.textContent);
  const missing = meant.filter((message) => !seen.includes(message));
  const unsafe = [...svg.querySelectorAll('script, image, a, foreignObject, iframe')].map(
    (element) => element.outerHTML,
  );
  return { text, missing, unsafe };
}
