// What the benchmarks share: the core as it is built, timing, chance that can be repeated, and tables.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
const WARM_UP_MS = 100;

/** The modules of `src/core` named, as one bundle, so that they share what they share in the product. */
export async function loadCore(...paths) {
  const { outputFiles } = await build({
    stdin: {
      contents: paths.map((path) => `export * from './src/core/${path}';`).join('\n'),
      resolveDir: new URL('../..', import.meta.url).pathname,
    },
    bundle: true,
    format: 'esm',
    write: false,
    mainFields: ['module', 'main'],
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`);
}

/**
 * Times these functions against each other, in turns, so that whatever else the machine does hits all of them alike:
 * milliseconds of one run each, the least of all rounds, since whatever disturbs a run makes it slower. A run too short
 * for the clock is repeated within a sample. A promise is waited for.
 */
export async function race(runs, { rounds = 9, sampleMs = 4 } = {}) {
  const names = Object.keys(runs);
  const repeats = {};
  for (const name of names) repeats[name] = await repeatsFor(runs[name], sampleMs);
  const least = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) least[name] = Math.min(least[name], await sample(runs[name], repeats[name]));
    names.push(names.shift());
  }
  return least;
}

/** Warms up first: short runs until the compiler has surely seen them, long ones once. */
async function repeatsFor(run, sampleMs) {
  const start = performance.now();
  let ms = await sample(run, 1);
  while (performance.now() - start < WARM_UP_MS) ms = Math.min(ms, await sample(run, 2));
  return Math.max(1, Math.ceil(sampleMs / ms));
}

/** What an earlier run left is cleared away first, where it is much: doing so also throws away compiled code. */
async function sample(run, repeats) {
  if (repeats === 1) collectGarbage();
  const start = performance.now();
  for (let at = 0; at < repeats; at++) {
    const done = run();
    if (done instanceof Promise) await done;
  }
  return (performance.now() - start) / repeats;
}

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Prints rows as Markdown, so that they can be pasted as they are. */
export function printTable(head, rows) {
  const all = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const [top, ...rest] = all;
  console.log([line(top), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('\n'));
  console.log();
}

export const times = (ratio) => `${ratio.toFixed(ratio < 10 ? 2 : 0)}×`;
