// First-fit stays linear to a million calls: growth and cost beside the bare linear form and a loop that only
// allocates the waves, in one run. Prints ratios; asserts nothing. `node test/bench/plan.mjs`
import { build } from 'esbuild';

const core = await load('../../src/core/plan/plan.ts');
const NO_ACCESS = [];

const batches = {
  'all distinct': (n) => declared(n, (i) => ({ safe: true, key: `file:///w/src/${i}.ts` })),
  'one key': (n) => declared(n, () => ({ safe: true, key: 'file:///w/src/a.ts' })),
  'all unsafe': (n) => declared(n, () => ({ safe: false })),
  mixed: (n) =>
    declared(n, (i) =>
      i % 20 === 0
        ? { safe: false }
        : i % 3 === 0
          ? { safe: true }
          : { safe: true, key: `k${(i * 7919) % 997}` },
    ),
  'ten folders deep': (n) =>
    declared(n, (i) => ({ safe: true, key: `file:///w/a/b/c/d/e/f/g/h/i/${i % 5000}.ts` })),
};

console.log('first-fit, median of 7; "exponent" is that of time from 1,000 to 1,000,000 calls\n');
console.log('batch              100,000 calls   over bare   exponent   allocation only');
for (const [name, make] of Object.entries(batches)) {
  const sizes = [1_000, 1_000_000].map(make);
  const [small, large] = sizes.map((batch) => median(() => core.planDeclared(batch, 'first-fit')));
  const [smallest, largest] = sizes.map((batch) =>
    median(() => allocate(core.planDeclared(batch, 'first-fit').waves)),
  );
  const hundred = make(100_000);
  const ours = median(() => core.planDeclared(hundred, 'first-fit'));
  const bare = median(() => bareFirstFit(hundred));
  const exponent = (a, b) => (Math.log(b / a) / Math.log(1000)).toFixed(2);
  console.log(
    `${name.padEnd(18)} ${`${((ours / 100_000) * 1e6).toFixed(0)} ns a call`.padStart(13)}   ${`${(ours / bare).toFixed(2)}×`.padStart(9)}   ${exponent(small, large).padStart(8)}   ${exponent(smallest, largest).padStart(15)}`,
  );
}

function declared(n, make) {
  return Array.from({ length: n }, (_, index) => ({ ...make(index), accesses: NO_ACCESS }));
}

/** The exact linear form with nothing around it: waves only, no decisions. */
function bareFirstFit(declarations) {
  const waves = [];
  const open = [];
  const uses = new Map();
  for (let call = 0; call < declarations.length; call++) {
    const { safe, key } = declarations[call];
    if (!safe) {
      waves.push([call]);
      continue;
    }
    let nth = 0;
    if (key !== undefined) {
      nth = uses.get(key) ?? 0;
      uses.set(key, nth + 1);
    }
    if (nth < open.length) open[nth].push(call);
    else {
      const wave = [call];
      waves.push(wave);
      open.push(wave);
    }
  }
  return waves;
}

function allocate(waves) {
  return waves.map((wave) => {
    const copy = [];
    for (const call of wave) copy.push(call);
    return copy;
  });
}

function median(run) {
  const times = [];
  for (let round = 0; round < 7; round++) {
    const start = performance.now();
    run();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[3];
}

async function load(path) {
  const { outputFiles } = await build({
    entryPoints: [new URL(path, import.meta.url).pathname],
    bundle: true,
    format: 'esm',
    write: false,
    mainFields: ['module', 'main'],
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`);
}
