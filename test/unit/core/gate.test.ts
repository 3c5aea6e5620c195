// For when the gate exists (DESIGN section 11: createGate, option `gate`); it has never been run.
import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/core/clock.ts';
import { dispatch } from '../../../src/core/dispatch/dispatch.ts';
import { createGate } from '../../../src/core/dispatch/gate.ts';
import { createRegistry } from '../../../src/core/tools.ts';
import { calls, nap, tool } from './helpers.ts';

test('case 7: a call that is cancelled while it waits is answered at once, never runs, and holds up nobody', async () => {
  const clock = createVirtualClock();
  const gate = createGate();
  const abort = new AbortController();
  const ran: string[] = [];
  const registry = createRegistry([
    tool('Work', {
      accesses: () => [{ resource: 'file:x', mode: 'write' }],
      async run({ path }) {
        ran.push(`${path} at ${clock.now()}`);
        await nap(clock, 100);
        return '';
      },
    }),
  ]);
  const one = (id: string, more = {}) => dispatch(calls(`Work(${id})`), registry, { gate, clock, ...more });
  clock.after(20, () => abort.abort());
  const a = one('A');
  let answeredAt = -1;
  const b = one('B', { signal: abort.signal, onHardError: 'answer-all' }).then((results) => {
    answeredAt = clock.now();
    return results;
  });
  const c = one('C');
  const [, [cancelled]] = await clock.runUntil(Promise.all([a, b, c]));
  expect(cancelled).toMatchObject({ isError: true });
  expect(answeredAt).toBe(20);
  await clock.runUntil(nap(clock, 10_000));
  expect(ran).toEqual(['A at 0', 'C at 100']);
});
