/** Nothing starts once a batch has been stopped, however narrow the moment. */
import { describe, expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/core/clock.ts';
import { dispatch } from '../../../src/core/dispatch/dispatch.ts';
import { createGate } from '../../../src/core/dispatch/gate.ts';
import type { EventType, WavesEvent } from '../../../src/core/events.ts';
import { STRATEGY_NAMES } from '../../../src/core/plan/strategies.ts';
import { createRegistry } from '../../../src/core/tools.ts';
import { calls, dispatched, nap, ofType, tool } from './helpers.ts';

test('a call that is let in at the gate, and stopped before it could start, never runs', async () => {
  const clock = createVirtualClock();
  const gate = createGate();
  const abort = new AbortController();
  const ran: string[] = [];
  const registry = createRegistry([
    tool('Write', {
      accesses: () => [{ resource: 'x', mode: 'write' }],
      async run({ path }) {
        ran.push(String(path));
        await nap(clock, 10);
        return '';
      },
    }),
  ]);
  const events: WavesEvent[] = [];
  // The first leaves the gate, so the second is let in, and in the same breath returns its permit.
  const first = dispatch(calls('Write(first)'), registry, {
    gate,
    clock,
    onEvent: ({ type }) => type === 'permit-returned' && abort.abort(),
  });
  const second = dispatch(calls('Write(second)'), registry, {
    gate,
    clock,
    signal: abort.signal,
    onHardError: 'answer-all',
    onEvent: (event) => void events.push(event),
  });
  const [, [result]] = await clock.runUntil(Promise.all([first, second]));
  expect(result!.content).toBe('not run: the batch was cancelled before this call started.');
  expect(ran).toEqual(['first']);
  expect(ofType(events, 'call-started')).toEqual([]);
  // And it is not left inside: the next one gets in at once.
  await clock.runUntil(dispatch(calls('Write(third)'), registry, { gate, clock }));
  expect(ran).toEqual(['first', 'third']);
});

describe('whoever stops the batch from inside an event stops what the event announces', () => {
  const before: EventType[] = [
    'batch-received',
    'call-declared',
    'decision-made',
    'run-started',
    'wave-started',
    'call-queued',
    'permit-taken',
    'call-started',
  ];
  test.each(before.flatMap((type) => STRATEGY_NAMES.map((strategy) => ({ type, strategy }))))(
    '$type, $strategy: no tool runs',
    async ({ type, strategy }) => {
      const abort = new AbortController();
      const ran: unknown[] = [];
      const clock = createVirtualClock();
      const registry = createRegistry([
        tool('A', {
          run({ path }) {
            ran.push(path);
            return '';
          },
        }),
      ]);
      const results = await clock.runUntil(
        dispatch(calls('A(1)', 'A(2)'), registry, {
          strategy,
          clock,
          signal: abort.signal,
          onHardError: 'answer-all',
          onEvent: (event) => event.type === type && abort.abort(),
        }),
      );
      expect(ran).toEqual([]);
      expect(results.map(({ isError }) => isError)).toEqual([true, true]);
    },
  );
});

test('a batch that is cancelled before it begins asks nobody for the keys of its resources', async () => {
  const asked: string[] = [];
  const { results } = await dispatched(calls('Read(a)'), () => [tool('Read', { keyed: true })], {
    signal: AbortSignal.abort(),
    onHardError: 'answer-all',
    resolve(resource) {
      asked.push(resource);
      return resource;
    },
  });
  expect(results).toHaveLength(1);
  expect(asked).toEqual([]);
});
