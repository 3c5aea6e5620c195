import { expect, test } from 'vitest';
import { escapeText, literal } from '../../../src/core/diagram/escape.ts';
import { diagramOf, toMermaid } from '../../../src/core/diagram/mermaid.ts';
import { callTarget } from '../../../src/core/diagram/target.ts';
import { reduce, reduceAll } from '../../../src/core/reduce.ts';
import { simulate } from '../../../src/core/simulate.ts';
import { initialState } from '../../../src/core/state.ts';
import { madeRun, manyCalls, NINE } from '../drawings/madeRun.ts';

const nine = reduceAll(madeRun(NINE));

test('the plan has one subgraph a wave, calls chained in order, edges from wave to wave only', () => {
  const text = toMermaid(nine, 'plan');
  expect(text.split('\n').slice(0, 3)).toEqual([
    'flowchart LR',
    '  accTitle: Waves plan, first-fit',
    '  accDescr: 9 calls in 3 waves. Wave 1: calls 1, 2, 3, 4, 7, 9. Wave 2: calls 5, 8. Wave 3: call 6 alone, unsafe.',
  ]);
  expect(text.match(/^ {2}subgraph .*$/gm)).toEqual([
    '  subgraph W1["Wave 1 · 6 calls"]',
    '  subgraph W2["Wave 2 · 2 calls"]',
    '  subgraph W3["Wave 3 · unsafe, alone"]',
  ]);
  expect(text).toContain('    c1 ~~~ c2 ~~~ c3 ~~~ c4 ~~~ c7 ~~~ c9\n');
  expect(text).toContain('    c5("#35;5 edit_file src/a.ts · key a<br/>wave 1 rejected: holds key a<br/>');
  expect(text).toContain('    c6[["#35;6 run_tests<br/>unsafe: runs alone"]]\n');
  expect(text.match(/-->/g)?.length).toBe(2);
  expect(text).toContain('  W1 --> W2 --> W3\n');
});

test('a call that a warning is about says so in its label, two at most', async () => {
  const read = { safe: true, accesses: [{ resource: 'file:{path}', mode: 'read' as const }] };
  const edit = { accesses: [{ resource: 'file:{path}', mode: 'write' as const }] };
  const calls = [
    ['Look', 'b'],
    ['Edit', 'a'],
    ['Shell', ''],
    ['Look', 'a'],
  ] as const;
  const { events } = await simulate(
    {
      tools: { Look: read, Edit: edit, Shell: {} },
      calls: calls.map(([tool, path]) => ({ tool, input: { path } })),
    },
    { strategy: 'first-fit' },
  );
  const text = toMermaid(reduceAll(events), 'plan');
  expect(text).toContain(
    '<br/>WARNING may be stale: asked for after #35;2<br/>WARNING crosses the unsafe #35;3"',
  );
  expect(text.match(/WARNING/g)).toHaveLength(2);
});

test('the run hands calls to permits in the order in which it happened, and every activation ends', () => {
  const text = toMermaid(nine, 'run');
  expect(text).toContain('  S->>+P1: #35;1 read_file src/a.ts\n');
  expect(text).toContain('  Note over S,R: Wave 1 opens at 0 ms\n');
  expect(text).toContain('  P1-->>-R: slot 1 ok, 120 ms\n  S->>+P1: #35;4 edit_file src/b.ts\n');
  expect(text.indexOf('Wave 2 opens')).toBeGreaterThan(text.indexOf('slot 9 ok'));
});

test('a state after any event gives both diagrams, and activations are balanced', () => {
  let state = initialState;
  for (const event of madeRun(manyCalls(40, 9, 4))) {
    state = reduce(state, event);
    expect(toMermaid(state, 'plan')).toMatch(/^flowchart LR\n {2}accTitle: .+\n {2}accDescr: .+\n/);
    const open = new Map<string, number>();
    for (const [, start, end] of toMermaid(state, 'run').matchAll(
      /^ {2}(?:S->>\+(P\d+)|(P\d+)--(?:>>|x)-)/gm,
    )) {
      if (start) open.set(start, (open.get(start) ?? 0) + 1);
      if (end) open.set(end, (open.get(end) ?? 0) - 1);
      expect([...open.values()].every((count) => count === 0 || count === 1)).toBe(true);
    }
    expect([...open.values()].every((count) => count === 0)).toBe(true);
  }
});

test('calls of no duration start before they end', () => {
  const state = reduceAll(
    madeRun({
      calls: Array(6).fill({ name: 'stat', ms: 0 }),
      waves: [
        [0, 1, 2],
        [3, 4, 5],
      ],
      permits: 2,
    }),
  );
  const lines = toMermaid(state, 'run').split('\n');
  for (let call = 1; call <= 6; call++)
    expect(lines.findIndex((line) => line.includes(`#35;${call} stat`))).toBeLessThan(
      lines.findIndex((line) => line.includes(`slot ${call} ok`)),
    );
});

test('more than 120 calls or 40,000 characters are folded to one box a wave, and say so', () => {
  for (const kind of ['plan', 'run'] as const) {
    expect(diagramOf(reduceAll(madeRun(manyCalls(120, 30, 4))), kind).notes).toEqual([]);
    const folded = diagramOf(reduceAll(madeRun(manyCalls(600, 30, 4))), kind);
    expect(folded.notes[0]).toBe('600 calls are folded, one box a wave.');
    expect(folded.text).toContain('600 calls are folded');
    expect(folded.text.length).toBeLessThan(40_000);
  }
  const many = diagramOf(reduceAll(madeRun(manyCalls(600, 1, 4))), 'plan');
  expect(many.notes).toEqual(['600 calls are folded, one box a wave.', '540 more waves are not drawn.']);
  const hostile = manyCalls(120, 40, 4);
  const calls = hostile.calls.map((call) => ({
    ...call,
    name: '"#<'.repeat(40),
    input: { path: '%{}'.repeat(60) },
  }));
  expect(toMermaid(reduceAll(madeRun({ ...hostile, calls })), 'plan').length).toBeLessThan(40_000);
});

test('ids come from numbers, never from data', () => {
  const names = ['end', 'class', 'style', 'toolu_01-x', 'o1'];
  const state = reduceAll(
    madeRun({ calls: names.map((name) => ({ name, ms: 1 })), waves: [[0, 1, 2, 3, 4]], permits: 2 }),
  );
  expect(toMermaid(state, 'plan')).toContain('    c1 ~~~ c2 ~~~ c3 ~~~ c4 ~~~ c5\n');
});

test('what Mermaid would read is escaped, and what cannot be seen is shown', () => {
  expect(literal('say "hi" <b>', 80)).toBe('say #quot;hi#quot; #lt;b#gt;');
  expect(literal('a\r\nb\tc', 80)).toBe('a ↵ b c');
  expect(literal('%%{init: {}}%%', 80)).not.toMatch(/[%{}]/);
  expect(literal('\u202eabc\u0000', 80)).toBe('\ufffdabc\ufffd');
  expect(escapeText('restyle x: y')).not.toContain('style');
  expect(literal('🙂'.repeat(50), 10)).toBe(`${'🙂'.repeat(9)}…`);
});

test('a call is named by what it seeks and where, its path, its command, else its first text', () => {
  expect(callTarget({ pattern: 'TODO', path: 'src' })).toBe('TODO src');
  expect(callTarget({ old_string: 'x', path: 'a.ts' })).toBe('a.ts');
  expect(callTarget({ command: 'npm test' })).toBe('npm test');
  expect(callTarget({ depth: 3 })).toBe('3');
  for (const odd of [null, undefined, 7, [], {}]) expect(callTarget(odd)).toBe('');
});
