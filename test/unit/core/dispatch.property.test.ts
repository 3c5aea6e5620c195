import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/core/clock.ts';
import { dispatch } from '../../../src/core/dispatch/dispatch.ts';
import { BatchAborted, HardError } from '../../../src/core/errors.ts';
import type { WavesEvent } from '../../../src/core/events.ts';
import type { ToolCall } from '../../../src/core/model.ts';
import { createRegistry } from '../../../src/core/tools.ts';
import { ofType, permitsOf } from './helpers.ts';

/** Ways in which a call can go. */
const call = fc.record({
  kind: fc.constantFrom(
    'ok',
    'ok',
    'ok',
    'throw',
    'sync throw',
    'deaf',
    'over its limit',
    'hard',
    'unknown',
    'refused',
  ),
  safe: fc.boolean(),
  key: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
  ms: fc.nat(40),
});

test('case 7: permits never exceed the cap and all come back, and every call has exactly one end, whatever happens when', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { maxLength: 25 }),
      fc.constantFrom('sequential' as const, 'batches' as const, 'first-fit' as const, 'dataflow' as const),
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom('abort' as const, 'answer-all' as const),
      fc.option(fc.nat(150), { nil: undefined }),
      async (random, strategy, cap, onHardError, cancelAt) => {
        const clock = createVirtualClock();
        const controller = new AbortController();
        if (cancelAt !== undefined) clock.after(cancelAt, () => controller.abort());
        const wait = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));
        const runs = new Map<number, number>();
        const registry = createRegistry([
          {
            name: 'it',
            timeoutMs: 60,
            inputSchema: { not: { properties: { kind: { const: 'refused' } }, required: ['kind'] } },
            isSafeForConcurrentExecution: (input) => input.safe === true,
            resourceKey: (input) => input.key as string | undefined,
            run(input) {
              const { index, kind, ms } = input as { index: number; kind: string; ms: number };
              runs.set(index, (runs.get(index) ?? 0) + 1);
              if (kind === 'sync throw') throw new Error('sync');
              return (async () => {
                if (kind === 'deaf') await new Promise(() => {});
                await wait(kind === 'over its limit' ? 100 : ms);
                if (kind === 'throw') throw new Error('async');
                if (kind === 'hard') throw new HardError('hard');
                return `${index}`;
              })();
            },
          },
        ]);
        const calls: ToolCall[] = random.map((one, index) => ({
          id: `t${index}`,
          name: one.kind === 'unknown' ? 'nobody' : 'it',
          input: { index, ...one },
        }));
        const events: WavesEvent[] = [];
        const outcome = await clock.runUntil(
          dispatch(calls, registry, {
            strategy,
            maxConcurrency: cap,
            onHardError,
            signal: controller.signal,
            graceMs: 20,
            clock,
            onEvent: (event) => events.push(event),
            log: () => {},
          }).catch((error: unknown) => error),
        );

        expect(permitsOf(events).heldAtEnd).toBe(0);
        expect(permitsOf(events).most).toBeLessThanOrEqual(Math.max(1, Math.min(cap, calls.length)));
        expect([...runs.values()].every((count) => count === 1)).toBe(true);
        const ended = ofType(events, 'call-ended').map((event) => event.call);
        expect(ended.sort((a, b) => a - b)).toEqual(calls.map((_, index) => index));
        const started = new Set(ofType(events, 'call-started').map((event) => event.call));
        for (const { call: index, outcome: how } of ofType(events, 'call-ended')) {
          if (how === 'never-started') expect(started.has(index)).toBe(false);
        }
        if (outcome instanceof BatchAborted) {
          expect(onHardError).toBe('abort');
          expect(events.at(-1)!.type).toBe('run-aborted');
        } else {
          expect((outcome as { toolCallId: string }[]).map(({ toolCallId }) => toolCallId)).toEqual(
            calls.map(({ id }) => id),
          );
          expect(
            ofType(events, 'slot-filled')
              .map((event) => event.call)
              .sort((a, b) => a - b),
          ).toEqual(calls.map((_, index) => index));
        }
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
      },
    ),
    { numRuns: 1000 },
  );
}, 120_000);
