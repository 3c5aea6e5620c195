// Schedules: how long random batches take under every strategy, run by the real dispatcher on the virtual clock, over
// the least that any schedule which keeps the model's order could take. `node test/bench/schedules.mjs [seed]`
import { loadCore, printTable, seeded } from './measure.mjs';

const core = await loadCore('dispatch/dispatch.ts', 'tools.ts', 'clock.ts', 'resources.ts', 'model.ts');
const seed = Number(process.argv[2] ?? 1);
const SIZES = [4, 8, 16, 32, 64];
const BATCHES = 500;
const PERMITS = 8;
const FILES = 10;
const ROOT = 'file:///w';

/** What the calls declare: the published way (edits are unsafe), or edits that are safe with their file as the key. */
const VARIANTS = {
  sequential: { strategy: 'sequential' },
  batches: { strategy: 'batches', maxConcurrency: 10 },
  'first-fit, keyed reads': { strategy: 'first-fit', keyedReads: true },
  'first-fit, unkeyed reads': { strategy: 'first-fit' },
  'first-fit, keyed reads and edits': { strategy: 'first-fit', keyedReads: true, keyedEdits: true },
  dataflow: { strategy: 'dataflow' },
};

console.log(
  `Seed ${seed}, ${BATCHES} batches a size, ${PERMITS} permits (batches: 10): mean makespan over the lower bound,\n` +
    'and in brackets how many per cent of the batches had a stale read / any conflict out of order.\n',
);
const random = seeded(seed);
const rows = [];
for (const size of SIZES) {
  const sums = {};
  const add = (name, ratio, wrong = {}) => {
    sums[name] ??= { ratio: 0, stale: 0, disorder: 0 };
    const sum = sums[name];
    sum.ratio += ratio;
    if (wrong.stale) sum.stale++;
    if (wrong.disorder) sum.disorder++;
  };
  for (let batch = 0; batch < BATCHES; batch++) {
    const calls = Array.from({ length: size }, randomCall);
    const waits = calls.map((call, index) =>
      calls.slice(0, index).flatMap((other, at) => (conflicting(other, call) ? [at] : [])),
    );
    const bound = lowerBound(calls, waits);
    for (const [name, variant] of Object.entries(VARIANTS)) {
      const { makespan, spans } = await run(calls, variant);
      add(name, makespan / bound, wrongs(calls, waits, spans));
    }
    add('its graph, first come first served', list(calls, waits, () => 0) / bound);
    const longest = chains(waits, () => 1);
    add('longest chain of calls first', list(calls, waits, (call) => longest[call]) / bound);
    const longestMs = chains(waits, (call) => calls[call].ms);
    add('longest chain of milliseconds first', list(calls, waits, (call) => longestMs[call]) / bound);
  }
  rows.push({ size, sums });
}
printTable(
  ['', ...SIZES.map((size) => `${size} calls`)],
  Object.keys(rows[0].sums).map((name) => [
    name,
    ...rows.map(({ sums }) => {
      const { ratio, stale, disorder } = sums[name];
      const percent = (count) => ((100 * count) / BATCHES).toFixed(0);
      const counts = name in VARIANTS ? ` (${percent(stale)} / ${percent(disorder)})` : '';
      return `${(ratio / BATCHES).toFixed(3)}${counts}`;
    }),
  ]),
);

/** A quarter edits, 5 % unsafe, 10 % searches of all files, else reads; 20 to 2,000 ms, lognormal around 200. */
function randomCall() {
  const kind = random();
  const file = `${ROOT}/${Math.floor(random() * FILES)}.ts`;
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const ms = Math.min(2000, Math.max(20, 200 * Math.exp((normal * Math.log(10)) / 2)));
  if (kind < 0.25) return { tool: 'edit', ms, file, access: { resource: file, mode: 'write' } };
  if (kind < 0.3) return { tool: 'shell', ms, file, access: { resource: core.EVERYTHING, mode: 'write' } };
  if (kind < 0.4) return { tool: 'grep', ms, file, access: { resource: ROOT, mode: 'read' } };
  return { tool: 'read', ms, file, access: { resource: file, mode: 'read' } };
}

function conflicting(one, other) {
  return core.conflict(one.access, other.access);
}

/** No schedule is shorter than the longest chain of conflicts, or than all work spread over the permits. */
function lowerBound(calls, waits) {
  const work = calls.reduce((sum, { ms }) => sum + ms, 0);
  return Math.max(work / PERMITS, ...chains(waits, (call) => calls[call].ms));
}

/** The longest chain that starts with each call. */
function chains(waits, weight) {
  const longest = waits.map((_, call) => weight(call));
  for (let call = waits.length - 1; call >= 0; call--)
    for (const other of waits[call]) longest[other] = Math.max(longest[other], weight(other) + longest[call]);
  return longest;
}

/** Runs the calls with the real dispatcher; when each ran, by time and by its place among the events. */
async function run(calls, { strategy, maxConcurrency = PERMITS, keyedReads = false, keyedEdits = false }) {
  const clock = core.createVirtualClock();
  const tool = (name, safe, keyed) => ({
    name,
    isSafeForConcurrentExecution: () => safe,
    ...(keyed && { resourceKey: ({ file }) => file }),
    accesses: ({ access }) => [access],
    run: ({ ms }) => new Promise((resolve) => void clock.after(ms, () => resolve(''))),
  });
  const registry = core.createRegistry([
    tool('edit', keyedEdits, keyedEdits),
    tool('shell', false, false),
    tool('grep', true, false),
    tool('read', true, keyedReads),
  ]);
  const spans = calls.map(() => ({ start: 0, end: 0 }));
  const onEvent = ({ type, call, seq }) => {
    if (type === 'call-started') spans[call].start = seq;
    if (type === 'call-ended') spans[call].end = seq;
  };
  const batch = calls.map((input, index) => ({ id: `t${index}`, name: input.tool, input }));
  await clock.runUntil(core.dispatch(batch, registry, { strategy, maxConcurrency, clock, onEvent }));
  return { makespan: clock.now(), spans };
}

/** Whether a later call started before an earlier one that it conflicts with had ended; as a read of what that writes. */
function wrongs(calls, waits, spans) {
  const pairs = waits.flatMap((earlier, call) =>
    earlier.filter((other) => spans[call].start < spans[other].end).map((other) => [other, call]),
  );
  const stale = pairs.some(
    ([other, call]) => calls[other].access.mode === 'write' && calls[call].access.mode === 'read',
  );
  return { disorder: pairs.length > 0, stale };
}

/** Makespan when of the calls that are ready the one with the most weight starts first, then who was ready first. */
function list(calls, waits, weight) {
  const open = waits.map(({ length }) => length);
  const running = [];
  const ready = open.flatMap((count, call) => (count === 0 ? [call] : []));
  let now = 0;
  while (ready.length > 0 || running.length > 0) {
    while (ready.length > 0 && running.length < PERMITS) {
      const most = Math.max(...ready.map(weight));
      const [call] = ready.splice(
        ready.findIndex((candidate) => weight(candidate) === most),
        1,
      );
      running.push({ call, until: now + calls[call].ms });
    }
    running.sort((a, b) => a.until - b.until);
    const { call, until } = running.shift();
    now = until;
    for (const [later, earlier] of waits.entries())
      if (earlier.includes(call) && --open[later] === 0) ready.push(later);
  }
  return now;
}
