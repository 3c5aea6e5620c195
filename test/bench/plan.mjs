// Planning: every strategy, decisions included, against the scan by its rule, the bare linear form, and a loop that
// only allocates what a plan consists of. Prints ratios; asserts nothing. `node test/bench/plan.mjs [strategy …]`
import { planBare, planByRule } from './forms.mjs';
import { loadCore, printTable, race, times } from './measure.mjs';

const core = await loadCore('plan/plan.ts', 'resources.ts', 'model.ts');
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
    const perCall = {};
    const ratios = {};
    for (const size of SIZES) {
      const batch = Array.from({ length: size }, (_, index) => make(index));
      const { waves } = core.planDeclared(batch, strategy);
      const measured = await race(
        {
          ours: () => core.planDeclared(batch, strategy),
          bare: () => planBare(core, batch, strategy),
          allocation: () => allocate(waves, batch),
          ...(size <= SCANNED && { scan: () => planByRule(core, batch, strategy) }),
        },
        { rounds: size > 100_000 ? 7 : 11 },
      );
      perCall[size] = Object.fromEntries(
        Object.entries(measured).map(([name, ms]) => [name, (ms * 1e6) / size]),
      );
      ratios[size] = measured.ours / measured.bare;
    }
    const growth = (name) => 1 + Math.log(perCall[1_000_000][name] / perCall[1_000][name]) / Math.log(1000);
    rows.push([
      kind,
      ...SIZES.map((size) => perCall[size].ours.toFixed(0)),
      ...[1_000, 100_000, 1_000_000].map((size) => times(ratios[size])),
      times(perCall[SCANNED].scan / perCall[SCANNED].ours),
      growth('ours').toFixed(2),
      growth('bare').toFixed(2),
      growth('allocation').toFixed(2),
    ]);
  }
  console.log(`**\`${strategy}\`**\n`);
  printTable(
    [
      'batch',
      ...SIZES.map((size) => `ns a call, ${size.toLocaleString('en')}`),
      'over bare, 1,000',
      '100,000',
      '1,000,000',
      'scan over ours, 1,000',
      'growth',
      'of bare',
      'of allocation',
    ],
    rows,
  );
}

/** What any plan consists of: the waves, and a small object a call. */
function allocate(waves, batch) {
  return {
    waves: waves.map((wave) => {
      const copy = [];
      for (const call of wave) copy.push(call);
      return copy;
    }),
    decisions: batch.map((declared, call) => ({ call, wave: 0, rule: 'R1', opened: false, declared, batch })),
  };
}
