/** Random messages that stream in: whatever comes when, each call is answered once, and nothing starts too early. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { VirtualClock } from '../../../src/core/clock.ts';
import { createGate } from '../../../src/core/dispatch/gate.ts';
import type { StreamingOptions } from '../../../src/core/dispatch/streaming.ts';
import type { WavesEvent } from '../../../src/core/events.ts';
import type { ToolCall } from '../../../src/core/model.ts';
import { plan } from '../../../src/core/plan/plan.ts';
import { STRATEGY_NAMES } from '../../../src/core/plan/strategies.ts';
import { reduce } from '../../../src/core/reduce.ts';
import { initialState } from '../../../src/core/state.ts';
import type { StreamEvent } from '../../../src/core/stream/streamEvent.ts';
import { createRegistry, type Tool } from '../../../src/core/tools.ts';
import { dispatched, nap, ofType, permitsOf, tool } from './helpers.ts';
import { close, end, open, streamed, text } from './streamed.ts';

const KINDS = ['Read', 'Keyed', 'Edit', 'Fine', 'Shell', 'Odd', 'Nope'] as const;
type Kind = (typeof KINDS)[number];

interface Sent {
  readonly kind: Kind;
  readonly path: string;
  readonly note: boolean;
  /** The path comes last, twice, or first. */
  readonly order: 'first' | 'last' | 'twice';
  /** Where the input is cut, as shares of its length, and how long each piece and the close take to come. */
  readonly cuts: readonly number[];
  readonly gaps: readonly number[];
}

const sent: fc.Arbitrary<Sent> = fc.record({
  kind: fc.constantFrom(...KINDS, 'Read' as const, 'Read' as const),
  path: fc.constantFrom('a', 'b', 'd/x', 'd'),
  note: fc.boolean(),
  order: fc.constantFrom('first' as const, 'last' as const, 'twice' as const),
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
  gaps: fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 6, maxLength: 6 }),
});
const message = fc.array(sent, { minLength: 1, maxLength: 9 });

/** The text that the model writes, which is not what JSON.stringify would. */
function textOf({ kind, path, note, order }: Sent): string {
  if (kind === 'Shell') return '';
  const about = note ? ['"note":"why"'] : [];
  const named = `"path":"${path}"`;
  if (order === 'twice') return `{"path":"other", ${[...about, named].join(', ')}}`;
  return `{ ${(order === 'first' ? [named, ...about] : [...about, named]).join(' ,')} }`;
}

const inputOf = (call: Sent): Record<string, unknown> => JSON.parse(textOf(call) || '{}');

/** What comes when. */
function timedOf(calls: readonly Sent[]): {
  timed: [number, StreamEvent][];
  endsAt: number;
  closesAt: number[];
} {
  const timed: [number, StreamEvent][] = [];
  const closesAt: number[] = [];
  let at = 0;
  for (const [index, call] of calls.entries()) {
    const whole = textOf(call);
    timed.push([at, open(index, call.kind)]);
    const places = [...call.cuts.map((cut) => Math.round(cut * whole.length)), whole.length].sort(
      (a, b) => a - b,
    );
    let from = 0;
    for (const [piece, to] of places.entries()) {
      at += call.gaps[piece] ?? 0;
      timed.push([at, text(index, whole.slice(from, to))]);
      from = to;
    }
    at += call.gaps[5] ?? 0;
    timed.push([at, close(index)]);
    closesAt.push(at);
  }
  at += 25;
  timed.push([at, end()]);
  return { timed, endsAt: at, closesAt };
}

/** A world of files: reads tell what is there, edits append. */
function world(clock: VirtualClock, calls: readonly Sent[]) {
  const files = new Map<string, string>();
  const ran: { name: string; input: unknown; at: number; endedAt?: number; aborted: boolean }[] = [];
  const msOf = (input: Record<string, unknown>) =>
    5 + ((String(input.path).length * 17 + calls.length * 7) % 50);
  const run =
    (name: string, work: (path: string) => string): Tool['run'] =>
    async (input, { signal }) => {
      const own: (typeof ran)[number] = { name, input, at: clock.now(), aborted: false };
      ran.push(own);
      signal.addEventListener('abort', () => {
        own.aborted = true;
      });
      await nap(clock, msOf(input), signal);
      own.endedAt = clock.now();
      return work(String(input.path));
    };
  const read = run(
    'Read',
    (path) => [...files].filter(([name]) => name.startsWith(path)).join(' ') || 'empty',
  );
  const append = (name: string) =>
    run(name, (path) => {
      files.set(path, `${files.get(path) ?? ''}+${name}`);
      return `appended to ${path}`;
    });
  const access = (mode: 'read' | 'write') => (input: Record<string, unknown>) => [
    { resource: `/${input.path}`, mode },
  ];
  const tools: Tool[] = [
    tool('Read', { accesses: access('read'), startsWhen: ['path'], run: read }),
    tool('Keyed', { resourceKey: ({ path }) => `/${path}`, startsWhen: ['path'], run: read }),
    tool('Edit', { safe: false, accesses: access('write'), startsWhen: ['path'], run: append('Edit') }),
    tool('Fine', {
      resourceKey: ({ path }) => `/${path}`,
      accesses: access('write'),
      startsWhen: ['path'],
      run: append('Fine'),
    }),
    tool('Shell', { safe: false, run: append('Shell') }),
    tool('Odd', {
      startsWhen: ['path'],
      isSafeForConcurrentExecution() {
        throw new Error('cannot say');
      },
      run: append('Odd'),
    }),
  ];
  return { tools, ran, files };
}

const wholeBatch = (calls: readonly Sent[]): ToolCall[] =>
  calls.map((call, index) => ({ id: `t${index + 1}`, name: call.kind, input: inputOf(call) }));

async function stream(calls: readonly Sent[], options: StreamingOptions) {
  const { timed, endsAt, closesAt } = timedOf(calls);
  let own: ReturnType<typeof world> | undefined;
  const outcome = await streamed(
    timed,
    (clock) => {
      own = world(clock, calls);
      return own.tools;
    },
    { onHardError: 'answer-all', ...options },
  );
  return { ...outcome, ...own!, endsAt, closesAt };
}

/** Of each call, the run that counts: from its last start on. */
function spans(events: readonly WavesEvent[]): Map<number, { from: number; to: number }> {
  const from = new Map<number, number>();
  const found = new Map<number, { from: number; to: number }>();
  const returned = new Map<number, number>();
  for (const event of events) {
    if (event.type === 'call-started') from.set(event.call, event.t);
    if (event.type === 'permit-returned') returned.set(event.call, event.t);
    if (event.type === 'call-ended' && from.has(event.call)) {
      found.set(event.call, { from: from.get(event.call)!, to: event.t });
    }
  }
  // One that began early had ended when its permit came back.
  for (const [call, span] of found) {
    const at = returned.get(call);
    if (at !== undefined && at < span.to && at >= span.from) found.set(call, { ...span, to: at });
  }
  return found;
}

const strategy = fc.constantFrom(...STRATEGY_NAMES);
const options = fc.record({
  strategy,
  maxConcurrency: fc.integer({ min: 1, max: 4 }),
  writesStart: fc.constantFrom('message-ended' as const, 'closed' as const),
  slow: fc.boolean(),
});

describe('a message that streams in', () => {
  test('each call is answered once and in order, is run once with its whole input, and permits come back', async () => {
    await fc.assert(
      fc.asyncProperty(message, options, async (calls, { slow, ...asked }) => {
        const gate = createGate();
        const { results, events, ran, logged, error } = await stream(calls, {
          ...asked,
          gate,
          ...(slow && { resolve: async (resource: string) => resource }),
        });
        expect(error).toBeUndefined();
        expect(results.map(({ toolCallId }) => toolCallId)).toEqual(calls.map((_, index) => `t${index + 1}`));
        expect(
          ofType(events, 'call-ended')
            .map(({ call }) => call)
            .sort((a, b) => a - b),
        ).toEqual([...calls.keys()]);
        expect(ofType(events, 'slot-filled')).toHaveLength(calls.length);
        const counting = ran.filter(
          ({ aborted, endedAt, input }) => !aborted && endedAt !== undefined && input,
        );
        const expected = calls
          .filter(({ kind }) => kind !== 'Nope')
          .map((call) => JSON.stringify(inputOf(call)));
        const inputs = counting.map(({ input }) => JSON.stringify(input));
        for (const input of expected) {
          expect(inputs).toContain(input);
        }
        // What ran besides was thrown away.
        expect(ran.length - ofType(events, 'speculation-discarded').length).toBeLessThanOrEqual(
          expected.length,
        );
        const { most, heldAtEnd } = permitsOf(events);
        expect(heldAtEnd).toBe(0);
        expect(most).toBeLessThanOrEqual(asked.maxConcurrency);
        expect(logged).toEqual([]);
        const visitor = {
          batch: {},
          accesses: [{ resource: '*', mode: 'write' as const }],
          parent: undefined,
          call: { id: 'x', name: 'x', input: {} },
        };
        expect(gate.enter(visitor, () => {}).state).toBe('inside');
      }),
      { numRuns: 400 },
    );
  });

  test('its plan is that of the whole batch, decision by decision', async () => {
    await fc.assert(
      fc.asyncProperty(message, strategy, async (calls, name) => {
        const { events, tools } = await stream(calls, { strategy: name });
        const { decisions } = plan(wholeBatch(calls), createRegistry(tools), { strategy: name });
        const streamedOnes = ofType(events, 'decision-made');
        expect(
          streamedOnes.map(({ call, wave, rule, rejected, waitsFor }) => ({
            call,
            wave,
            rule,
            rejected,
            waitsFor,
          })),
        ).toEqual(
          decisions.map(({ call, wave, rule, rejected, waitsFor }) => ({
            call,
            wave,
            rule,
            rejected,
            waitsFor,
          })),
        );
      }),
      { numRuns: 300 },
    );
  });

  test('nothing that may write starts before its close, nor before the message has ended', async () => {
    await fc.assert(
      fc.asyncProperty(message, options, async (calls, { slow: _slow, ...asked }) => {
        const { events } = await stream(calls, asked);
        const at = (type: WavesEvent['type'], call: number) =>
          events.find((event) => event.type === type && 'call' in event && event.call === call)?.seq;
        const ended = ofType(events, 'message-ended')[0]!.seq;
        for (const [index, { kind }] of calls.entries()) {
          const started = at('call-started', index);
          if (kind === 'Read' || kind === 'Keyed' || started === undefined) continue;
          expect(started).toBeGreaterThan(at('call-closed', index)!);
          if (asked.writesStart === 'message-ended') expect(started).toBeGreaterThan(ended);
          expect(ofType(events, 'speculation-started').map(({ call }) => call)).not.toContain(index);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('dataflow: files and every read are those of one call after the other', async () => {
    await fc.assert(
      fc.asyncProperty(message, options, async (calls, { slow: _slow, ...asked }) => {
        const ours = await stream(calls, { ...asked, strategy: 'dataflow' });
        let theirs: ReturnType<typeof world> | undefined;
        const oneByOne = await dispatched(
          wholeBatch(calls),
          (clock) => {
            theirs = world(clock, calls);
            return theirs.tools;
          },
          { strategy: 'sequential', onHardError: 'answer-all' },
        );
        expect(ours.results.map(({ content, isError }) => [content, isError])).toEqual(
          oneByOne.results.map(({ content, isError }) => [content, isError]),
        );
        expect([...ours.files].sort()).toEqual([...theirs!.files].sort());
      }),
      { numRuns: 400 },
    );
  });

  test('batches and sequential: nobody overtakes what it must not run beside', async () => {
    await fc.assert(
      fc.asyncProperty(message, options, async (calls, { slow: _slow, ...asked }) => {
        const unsafe = (index: number) => ['Edit', 'Shell', 'Odd'].includes(calls[index]!.kind);
        for (const name of ['batches', 'sequential'] as const) {
          const { events } = await stream(calls, { ...asked, strategy: name });
          const ran = spans(events);
          for (const [later, span] of ran) {
            for (const [earlier, before] of ran) {
              if (earlier >= later) continue;
              if (name === 'sequential' || unsafe(earlier) || unsafe(later))
                expect(before.to).toBeLessThanOrEqual(span.from);
            }
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  test('its recording: any part of it can be drawn, and what was won and wasted is what the clock says', async () => {
    await fc.assert(
      fc.asyncProperty(message, options, async (calls, { slow: _slow, ...asked }) => {
        const { events } = await stream(calls, asked);
        let state = initialState;
        for (const event of events) {
          state = reduce(state, event);
          expect(Object.values(state.counts).reduce((sum, count) => sum + count, 0)).toBe(state.calls.size);
          expect(state.unknown).toBe(0);
        }
        expect(state.phase).toBe('done');
        expect(state.message?.state).toBe('ended');
        expect(state.holders.every((call) => call === undefined)).toBe(true);
        for (const event of events) {
          if (event.type !== 'speculation-confirmed' && event.type !== 'speculation-discarded') continue;
          const before = events.filter(({ seq }) => seq < event.seq);
          const started = ofType(before, 'call-started').find(({ call }) => call === event.call)?.t;
          const returned = ofType(before, 'permit-returned').find(({ call }) => call === event.call)?.t;
          const ran = started === undefined ? 0 : (returned ?? event.t) - started;
          expect('wonMs' in event ? event.wonMs : event.wastedMs).toBeCloseTo(ran, 3);
        }
      }),
      { numRuns: 200 },
    );
  });
});
