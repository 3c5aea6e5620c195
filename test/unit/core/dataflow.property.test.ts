import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/core/clock.ts';
import { dispatch } from '../../../src/core/dispatch/dispatch.ts';
import type { WavesEvent } from '../../../src/core/events.ts';
import { firstConflict } from '../../../src/core/resources.ts';
import { simulate } from '../../../src/core/simulate.ts';
import { createRegistry, type Tool } from '../../../src/core/tools.ts';
import { tool } from './helpers.ts';

const access = fc.record({
  resource: fc.constantFrom('/a', '/a/x', '/a/y', '/b', '/b/x', '*'),
  mode: fc.constantFrom('read' as const, 'read' as const, 'write' as const),
});
const call = fc.record({ accesses: fc.array(access, { maxLength: 2 }), ms: fc.nat(30) });

/** When each call ran. */
async function spans(random: readonly { accesses: unknown; ms: number }[], cap: number) {
  const clock = createVirtualClock();
  const it: Tool = tool('it', {
    accesses: (input) => input.accesses as never,
    run: (input) => new Promise((resolve) => void clock.after(Number(input.ms), () => resolve(''))),
  });
  const events: WavesEvent[] = [];
  const calls = random.map((input, index) => ({ id: `t${index}`, name: 'it', input }));
  await clock.runUntil(
    dispatch(calls, createRegistry([it]), {
      strategy: 'dataflow',
      maxConcurrency: cap,
      clock,
      onEvent: (event) => void events.push(event),
    }),
  );
  const spans = random.map(() => ({ start: 0, end: 0, startSeq: 0, endSeq: 0 }));
  for (const event of events) {
    if (event.type === 'call-started')
      Object.assign(spans[event.call]!, { start: event.t, startSeq: event.seq });
    if (event.type === 'call-ended') Object.assign(spans[event.call]!, { end: event.t, endSeq: event.seq });
  }
  return spans;
}

test('dataflow: of two conflicting calls the later one starts after the earlier one has ended, whatever they take', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { minLength: 2, maxLength: 20 }),
      fc.integer({ min: 1, max: 6 }),
      async (random, cap) => {
        const ran = await spans(random, cap);
        for (const [later, one] of ran.entries()) {
          for (let earlier = 0; earlier < later; earlier++) {
            if (firstConflict(random[earlier]!.accesses, random[later]!.accesses)) {
              expect(ran[earlier]!.endSeq).toBeLessThan(one.startSeq);
            }
          }
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('dataflow: with permits to spare a call starts the moment the last that it conflicts with has ended', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 2, maxLength: 20 }), async (random) => {
      const ran = await spans(random, random.length);
      for (const [later, one] of ran.entries()) {
        const ends = random
          .slice(0, later)
          .map((other, earlier) =>
            firstConflict(other.accesses, random[later]!.accesses) ? ran[earlier]!.end : 0,
          );
        expect(one.start).toBe(Math.max(0, ...ends));
      }
    }),
    { numRuns: 500 },
  );
});

test('dataflow: when permits are short the longest remaining chain goes first, then the lower index', async () => {
  const scenario = {
    tools: { T: { safe: true, accesses: [{ resource: '{path}', mode: 'write' as const }], ms: 10 } },
    calls: ['a', 'b', 'c', 'c', 'c', 'b'].map((path) => ({ tool: 'T', input: { path } })),
  };
  const { events } = await simulate(scenario, { strategy: 'dataflow', maxConcurrency: 1 });
  const starts = events.flatMap((event) => (event.type === 'call-started' ? [event.call + 1] : []));
  expect(starts).toEqual([3, 2, 4, 1, 5, 6]);
});
