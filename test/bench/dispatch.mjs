// Dispatching: overhead per call of tasks that do nothing, for every strategy, against `Promise.all` alone and the
// libraries that limit concurrency. Prints ratios; asserts nothing. `node test/bench/dispatch.mjs [strategy …]`
import { Semaphore } from 'async-mutex';
import { Sema } from 'async-sema';
import pLimit from 'p-limit';
import PQueue from 'p-queue';
import { loadCore, printTable, race, times } from './measure.mjs';

const core = await loadCore('dispatch/dispatch.ts', 'tools.ts');
const strategies =
  process.argv.length > 2 ? process.argv.slice(2) : ['sequential', 'batches', 'first-fit', 'dataflow'];
const SIZES = [100, 1_000, 10_000, 100_000];
const PERMITS = 8;

const nothing = async () => 'done';
const registry = core.createRegistry([
  {
    name: 'nothing',
    isSafeForConcurrentExecution: () => true,
    resourceKey: ({ path }) => path,
    accesses: ({ path }) => [{ resource: path, mode: 'read' }],
    run: nothing,
  },
]);

/** Each its own file, as a batch that can run together. */
const batchOf = (size) =>
  Array.from({ length: size }, (_, index) => ({
    id: `t${index}`,
    name: 'nothing',
    input: { path: `file:///w/src/${index}.ts` },
  }));

/** The same number of tasks under the same cap; each answers with all results. */
const others = {
  'Promise.all': (size) => Promise.all(Array.from({ length: size }, nothing)),
  'p-limit': (size) => {
    const limit = pLimit(PERMITS);
    return Promise.all(Array.from({ length: size }, () => limit(nothing)));
  },
  'async-sema': (size) => {
    const sema = new Sema(PERMITS);
    return Promise.all(
      Array.from({ length: size }, async () => {
        await sema.acquire();
        try {
          return await nothing();
        } finally {
          sema.release();
        }
      }),
    );
  },
  'p-queue': (size) => {
    const queue = new PQueue({ concurrency: PERMITS });
    return Promise.all(Array.from({ length: size }, () => queue.add(nothing)));
  },
  'async-mutex': (size) => {
    const lock = new Semaphore(PERMITS);
    return Promise.all(Array.from({ length: size }, () => lock.runExclusive(nothing)));
  },
};

const results = {};
for (const size of SIZES) {
  const batch = batchOf(size);
  const runs = Object.fromEntries(Object.entries(others).map(([name, run]) => [name, () => run(size)]));
  for (const strategy of strategies) {
    const options = { strategy, maxConcurrency: PERMITS };
    runs[strategy] = () => core.dispatch(batch, registry, options);
    runs[`${strategy}, recorded`] = () => {
      const events = [];
      return core.dispatch(batch, registry, { ...options, onEvent: (event) => events.push(event) });
    };
  }
  results[size] = await race(runs, { rounds: size >= 100_000 ? 5 : 9, sampleMs: 2 });
}

const names = Object.keys(results[SIZES[0]]);
console.log(`${PERMITS} permits; times of p-limit in the same run\n`);
printTable(
  ['', ...SIZES.map((size) => `${size.toLocaleString('en')} calls`), 'growth of a call, 100 to 100,000'],
  names.map((name) => [
    name,
    ...SIZES.map((size) => times(results[size][name] / results[size]['p-limit'])),
    times(results[100_000][name] / 1000 / results[100][name]),
  ]),
);
console.log(
  `p-limit: ${SIZES.map((size) => `${((results[size]['p-limit'] * 1e6) / size).toFixed(0)} ns`).join(', ')} a call.`,
);
