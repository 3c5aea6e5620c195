// Calls that start before their message ends, against waiting for the message: the real dispatcher on the real clock.
// Then what a call costs when it is streamed. Prints ratios; asserts nothing. `node test/bench/streaming.mjs`
import { setTimeout as sleep } from 'node:timers/promises';
import { loadCore, printTable, race, times } from './measure.mjs';

const core = await loadCore(
  'tools.ts',
  'dispatch/dispatch.ts',
  'dispatch/streaming.ts',
  'plan/strategies.ts',
);
const READ_MS = 100;
const GOES_ON_MS = 2_000;

const slow = core.createRegistry([
  {
    name: 'read',
    isSafeForConcurrentExecution: () => true,
    accesses: ({ path }) => [{ resource: `file:${path}`, mode: 'read' }],
    startsWhen: ['path'],
    run: async () => {
      await sleep(READ_MS);
      return '';
    },
  },
]);
const quick = core.createRegistry([
  {
    name: 'read',
    isSafeForConcurrentExecution: () => true,
    accesses: ({ path }) => [{ resource: `file:${path}`, mode: 'read' }],
    run: () => '',
  },
]);

const callOf = (index) => ({ id: `c${index}`, name: 'read', input: { path: `${index}` } });

/** The model's stream: one read, then text for two seconds. */
async function* message() {
  yield { type: 'call-opened', index: 0, id: 'c0', name: 'read' };
  yield { type: 'input-fragment', index: 0, text: '{"path":"0"}' };
  yield { type: 'call-closed', index: 0 };
  await sleep(GOES_ON_MS);
  yield { type: 'message-ended' };
}

async function elapsed(run) {
  const from = performance.now();
  await run();
  return performance.now() - from;
}

async function early(strategy) {
  const stream = core.createStreamingDispatch(slow, { strategy });
  for await (const event of message()) stream.push(event);
  await stream.results;
}

async function afterwards() {
  for await (const _event of message());
  await core.dispatch([callOf(0)], slow);
}

/** The least of three: a timer fires late, never early. */
async function least(run) {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round++) best = Math.min(best, await elapsed(run));
  return best;
}

const alone = await least(async () => {
  for await (const _event of message());
});
const one = await least(afterwards);
const rows = [];
for (const strategy of core.STRATEGY_NAMES) {
  const ms = await least(() => early(strategy));
  rows.push([strategy, `${(ms - alone).toFixed(1)} ms`, `${(one - alone).toFixed(1)} ms`, times(ms / one)]);
}
printTable(['strategy', 'after the message: streamed', 'waiting for it', 'streamed / waiting'], rows);

/** All at once, as fast as it goes. */
function streamed(calls, strategy) {
  const stream = core.createStreamingDispatch(quick, { strategy, maxConcurrency: 8 });
  for (const [index, call] of calls.entries()) {
    stream.push({ type: 'call-opened', index, id: call.id, name: call.name });
    stream.push({ type: 'input-fragment', index, text: JSON.stringify(call.input) });
    stream.push({ type: 'call-closed', index });
  }
  stream.push({ type: 'message-ended' });
  return stream.results;
}

const costs = [];
for (const strategy of core.STRATEGY_NAMES) {
  const cells = [];
  for (const size of [100, 1_000, 10_000]) {
    const calls = Array.from({ length: size }, (_, index) => callOf(index));
    const ms = await race({
      streamed: () => streamed(calls, strategy),
      whole: () => core.dispatch(calls, quick, { strategy, maxConcurrency: 8 }),
    });
    cells.push(times(ms.streamed / ms.whole), `${((ms.streamed / size) * 1000).toFixed(1)} µs`);
  }
  costs.push([strategy, ...cells]);
}
printTable(
  ['strategy', '100 calls: streamed / whole', 'a call', '1,000', 'a call', '10,000', 'a call'],
  costs,
);
