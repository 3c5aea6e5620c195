// One run for each state of the panel (PANEL section 4), as the messages that the host would send.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  createGate,
  createRegistry,
  createStreamingDispatch,
  dispatch,
  parseScenario,
  simulate,
} from '../../dist/core.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A scenario of test/fixtures, changed by `change`. */
export function scenario(name, change = (it) => it) {
  const { scenario: parsed, errors } = parseScenario(
    readFileSync(`${ROOT}test/fixtures/scenarios/${name}.waves.json`, 'utf8'),
  );
  if (!parsed) throw new Error(`${name}: ${JSON.stringify(errors)}`);
  return change(structuredClone(parsed));
}

/** The events of a scenario's run. */
export async function eventsOf(given, options = {}) {
  const { events } = await simulate(given, options);
  return events;
}

export function logMessage(
  events,
  { id = 'batch-14', title = 'batch 14', source = 'recorded', notes = [] } = {},
) {
  return { type: 'log', batch: { id, title, source, notes }, events };
}

/** A batch of this many calls: reads, keyed edits, a few unsafe ones. */
export function bigScenario(calls) {
  return {
    title: `${calls} calls`,
    strategy: 'first-fit',
    maxConcurrency: 8,
    tools: {
      read: { safe: true, ms: 20 },
      edit: { safe: true, key: 'file:{path}', ms: 35 },
      shell: { safe: false, ms: 50 },
    },
    calls: Array.from({ length: calls }, (_, index) => ({
      tool: index % 97 === 96 ? 'shell' : index % 5 === 0 ? 'edit' : 'read',
      input: { path: `src/part${index % 23}/file${index % 211}.ts` },
      ms: 5 + ((index * 37) % 60),
      ...(index % 131 === 130 && { outcome: 'soft' }),
    })),
  };
}

function cutAt(events, t) {
  return events.filter((event) => event.t <= t);
}

/** The log of a run that was cancelled at the end of these events. */
function cancelled(events, state = 'cancelled') {
  const log = [...events];
  const t = events.at(-1).t + 5;
  const add = (event) => log.push({ ...event, seq: log.length, t: event.t ?? t });
  add({ type: 'cancel-requested', reason: 'The user cancelled the batch.' });
  if (state === 'cancelling') return log;
  const open = new Map();
  const ended = new Set();
  for (const event of events) {
    if (event.type === 'permit-taken') open.set(event.call, event.permit);
    if (event.type === 'call-ended') {
      open.delete(event.call);
      ended.add(event.call);
    }
  }
  let completion = ended.size;
  for (const [call, permit] of open) {
    const at = t + 12 + 4 * call;
    add({
      type: 'call-ended',
      call,
      outcome: 'cancelled',
      completion: ++completion,
      error: 'interrupted by user',
      t: at,
    });
    add({ type: 'permit-returned', call, permit, t: at });
    ended.add(call);
  }
  const last = log.at(-1).t;
  const count = events.find((event) => event.type === 'batch-received').calls.length;
  for (let call = 0; call < count; call++)
    if (!ended.has(call))
      add({
        type: 'call-ended',
        call,
        outcome: 'never-started',
        error: 'not run: the batch was cancelled',
        t: last,
      });
  add({ type: 'run-aborted', how: 'cancelled', reason: 'The user cancelled the batch.', t: last });
  return log;
}

/** The log of a batch of which one call waits at the gate: another batch edits the file that it wants to read. */
export async function atTheGate() {
  const gate = createGate();
  let leave = () => {};
  const declares = (mode) => ({
    isSafeForConcurrentExecution: () => true,
    accesses: ({ path }) => [{ resource: `file:///w/src/${path}`, mode }],
  });
  const registry = createRegistry([
    { name: 'edit', ...declares('write'), run: () => new Promise((resolve) => (leave = () => resolve(''))) },
    { name: 'read', ...declares('read'), run: () => 'text' },
  ]);
  const calls = (...list) =>
    list.map(([name, path], index) => ({ id: `${name}-${index + 1}`, name, input: { path } }));
  const other = dispatch(calls(['edit', 'session.ts']), registry, { gate });
  const events = [];
  const own = dispatch(calls(['read', 'session.ts'], ['read', 'login.ts'], ['read', 'auth.ts']), registry, {
    gate,
    strategy: 'dataflow',
    onEvent: (event) => events.push(event),
  });
  while (events.filter(({ type }) => type === 'permit-returned').length < 2)
    await new Promise((resolve) => setTimeout(resolve, 1));
  const waiting = [...events];
  leave();
  await Promise.all([other, own]);
  return waiting;
}

/**
 * The log of a message that is streamed, up to its calls' end: one early run that is confirmed long after it ended, one
 * that is thrown away, one unsafe call that waits for the message's end, one call that is cut off.
 */
async function streamed(untilMs = Number.POSITIVE_INFINITY) {
  const clock = manualClock();
  const takes = (ms, signal) =>
    new Promise((resolve, reject) => {
      const forget = clock.after(ms, () => resolve('text'));
      signal.addEventListener('abort', () => {
        forget();
        reject(signal.reason);
      });
    });
  const tool = (name, mode, ms, more) => ({
    name,
    isSafeForConcurrentExecution: () => mode === 'read',
    accesses: ({ path }) => [{ resource: `file:///w/src/${path}`, mode }],
    run: (_input, { signal }) => takes(ms, signal),
    ...more,
  });
  const registry = createRegistry([
    tool('read', 'read', 300, { startsWhen: ['path'] }),
    tool('grep', 'read', 700),
    tool('edit', 'write', 250),
  ]);
  const events = [];
  const stream = createStreamingDispatch(registry, {
    strategy: 'dataflow',
    maxConcurrency: 3,
    clock,
    onHardError: 'answer-all',
    onEvent: (event) => events.push(event),
  });
  const say = (at, type, index, more) => clock.after(at, () => stream.push({ type, index, ...more }));
  const call = (index, name, opens, pieces, closes) => {
    say(opens, 'call-opened', index, { id: `call-${index + 1}`, name });
    for (const [at, text] of pieces) say(at, 'input-fragment', index, { text });
    if (closes !== undefined) say(closes, 'call-closed', index);
  };
  call(0, 'read', 0, [[120, '{"path":"auth.ts"']], undefined);
  say(520, 'input-fragment', 0, { text: '}' });
  say(520, 'call-closed', 0);
  call(1, 'grep', 540, [[600, '{"path":"login.ts","pattern":"session"}']], 620);
  call(
    2,
    'read',
    640,
    [
      [700, '{"path":"token.ts"'],
      [900, ',"limit":40}'],
    ],
    920,
  );
  call(3, 'edit', 940, [[1180, '{"path":"auth.ts","old_string":"let session","new_string":"const"}']], 1200);
  call(
    4,
    'read',
    1220,
    [
      [1320, '{"path":"user.ts"'],
      [1800, '}'],
    ],
    1800,
  );
  call(5, 'edit', 1820, [[1900, '{"path":"user.ts","old_str']], undefined);
  clock.after(2000, () => stream.push({ type: 'message-ended', stopReason: 'max_tokens', cutOff: true }));
  let over = false;
  stream.results.finally(() => {
    over = true;
  });
  while (!over && clock.now() < untilMs) await clock.next();
  return events.filter(({ t }) => t <= untilMs);
}

/** A clock that stands still until it is told to go on to the next timer. */
function manualClock() {
  const timers = [];
  let now = 0;
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0);
    },
    async next() {
      await new Promise((resolve) => setTimeout(resolve, 0));
      timers.sort((a, b) => a.at - b.at);
      const timer = timers.shift();
      if (!timer) return;
      now = timer.at;
      timer.run();
    },
  };
}

function withOutcome(...outcomes) {
  return (it) => {
    for (const [index, outcome] of outcomes) it.calls[index].outcome = outcome;
    return it;
  };
}

/** Every state by name: the messages that bring the panel there. */
export async function panelStates() {
  const nine = await eventsOf(scenario('nine-calls'));
  const decisions = nine.filter((event) => event.type === 'decision-made');
  const planning = nine.slice(0, nine.indexOf(decisions[4]) + 1);
  const planned = nine.slice(0, nine.indexOf(decisions.at(-1)) + 1);
  const running = cutAt(nine, 290);
  const soft = await eventsOf(scenario('nine-calls', withOutcome([1, 'soft'], [7, 'soft'])));
  const hard = await eventsOf(scenario('nine-calls', withOutcome([4, 'hard'])));
  const live = { source: 'live' };
  return {
    empty: [{ type: 'empty' }],
    planning: [logMessage(planning, live)],
    planned: [logMessage(planned)],
    running: [logMessage(running, live)],
    streaming: [logMessage(await streamed(1700), live)],
    streamed: [logMessage(await streamed())],
    gate: [logMessage(await atTheGate(), live)],
    cancelling: [logMessage(cancelled(running, 'cancelling'), live)],
    done: [logMessage(nine)],
    errors: [logMessage(soft)],
    aborted: [logMessage(hard)],
    cancelled: [logMessage(cancelled(running))],
    interrupted: [logMessage(running, { notes: ['The last line was cut off.'] })],
    problem: [
      logMessage(nine),
      {
        type: 'problem',
        message: 'lesson.waves.jsonl cannot be read: line 12 is not JSON.',
        detail: 'Unexpected token } at offset 4,310',
      },
    ],
    'catching-up': [],
  };
}
