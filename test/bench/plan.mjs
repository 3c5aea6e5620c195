// Planning: every strategy, decisions included, against the scan by its rule, the bare linear form, and a loop that
// only allocates what a plan consists of. Prints ratios; asserts nothing. `node test/bench/plan.mjs [strategy …]`
import { planBare, planByRule } from './forms.mjs';
import { loadCore, printTable, race, times } from './measure.mjs';

const core = await loadCore(
  'plan/graph.ts',
  'plan/plan.ts',
  'plan/resourceTree.ts',
  'resources.ts',
  'model.ts',
);
const { EVERYTHING } = core;
const strategies =
  process.argv.length > 2 ? process.argv.slice(2) : ['sequential', 'batches', 'first-fit', 'dataflow'];
const SIZES = [10, 100, 1_000, 10_000, 100_000, 1_000_000];
/** The scan by the rule takes seconds beyond this. */
const SCANNED = 1_000;

const UNSAFE = { safe: false, accesses: [{ resource: EVERYTHING, mode: 'write' }] };
const keyed = (key) => ({ safe: true, key, accesses: [{ resource: key, mode: 'write' }] });
const reads = (resource) => ({ safe: true, accesses: [{ resource, mode: 'read' }] });
const keyless = () => ({ safe: true, accesses: [] });
const batches = {
  'all distinct': (i) => keyed(`file:///w/src/${i}.ts`),
  'one key': () => keyed('file:///w/src/a.ts'),
  'all unsafe': () => ({ ...UNSAFE }),
  mixed: (i) =>
    i % 20 === 0
      ? { ...UNSAFE }
      : i % 3 === 0
        ? keyless()
        : i % 5 === 0
          ? reads('file:///w')
          : keyed(`file:///w/${(i * 7919) % 997}.ts`),
  'ten folders deep': (i) => keyed(`file:///w/a/b/c/d/e/f/g/h/${i % 100}/${i % 5_000}.ts`),
};

for (const strategy of strategies) {
  const rows = [];
  for (const [kind, make] of Object.entries(batches)) {
    const results = {};
    for (const size of SIZES) results[size] = await measure(strategy, make, size);
    const kinds = ['plan', 'decided', ...(strategy === 'dataflow' ? ['graph'] : [])];
    const over = (name, size) => times(results[size][name] / results[size].bare);
    const growth = (name) => {
      const [small, large] = [1_000, 1_000_000].map((size) => results[size][name]);
      return (Math.log(large / small) / Math.log(1000)).toFixed(2);
    };
    rows.push([
      kind,
      SIZES.map((size) => ((results[size].plan * 1e6) / size).toFixed(0)).join(' '),
      times(results[SCANNED].scan / results[SCANNED].plan),
      ...[1_000, 100_000, 1_000_000].map((size) => kinds.map((name) => over(name, size)).join(' ')),
      `${growth('plan')} (${growth('waves')})`,
      `${growth('decided')} (${growth('allocation')})`,
    ]);
  }
  console.log(`**\`${strategy}\`**\n`);
  printTable(
    [
      'batch',
      'ns a call, 10 to 1,000,000',
      'scan, 1,000',
      'over bare, 1,000',
      '100,000',
      '1,000,000',
      'growth (of allocation)',
      'with decisions',
    ],
    rows,
  );
}

/** Milliseconds to plan a batch of this kind, alone and with every decision read, and of what it is compared with. */
function measure(strategy, make, size) {
  const batch = Array.from({ length: size }, (_, index) => make(index));
  const { waves } = core.planDeclared(batch, strategy);
  return race(
    {
      plan: () => core.planDeclared(batch, strategy),
      decided: () => core.planDeclared(batch, strategy).decisions,
      ...(strategy === 'dataflow' && { graph: () => graphOf(batch) }),
      bare: () => planBare(core, batch, strategy),
      waves: () => copyOf(waves),
      allocation: () => [copyOf(waves), batch.map((_, call) => ({ call, wave: 0, batch }))],
      ...(size <= SCANNED && { scan: () => planByRule(core, batch, strategy) }),
    },
    { rounds: size > 100_000 ? 3 : 9, sampleMs: 2 },
  );
}

/** What a run of `dataflow` makes beside its plan. */
function graphOf(batch) {
  const graph = core.createConflictGraph();
  for (const { accesses } of batch) graph.add(accesses);
  return graph;
}

/** What any plan consists of. */
function copyOf(waves) {
  return waves.map((wave) => {
    const copy = [];
    for (const call of wave) copy.push(call);
    return copy;
  });
}
