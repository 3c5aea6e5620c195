/** What the core's tests share: small tools, calls, and a log that reads like a sentence. */
import { createVirtualClock, type VirtualClock } from '../../../src/core/clock.ts';
import { dispatch } from '../../../src/core/dispatch/dispatch.ts';
import type { DispatchOptions } from '../../../src/core/dispatch/options.ts';
import type { EventType, WavesEvent, WavesEventOf } from '../../../src/core/events.ts';
import type { ToolCall, ToolResult } from '../../../src/core/model.ts';
import { createRegistry, type Registry, type Tool } from '../../../src/core/tools.ts';

/** Calls named `tool` or `tool(key)`: "read(a)" becomes { name: 'read', input: { path: 'a' } }. */
export function calls(...names: string[]): ToolCall[] {
  return names.map((text, index) => {
    const match = /^(\w+)(?:\((.*)\))?$/.exec(text)!;
    return { id: `t${index + 1}`, name: match[1]!, input: match[2] === undefined ? {} : { path: match[2] } };
  });
}

export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** A tool that answers with its path after `ms`; safe with the path as its key unless told otherwise. */
export function tool(
  name: string,
  more: Partial<Tool> & { ms?: number; safe?: boolean; keyed?: boolean } = {},
): Tool {
  const { ms = 0, safe = true, keyed = false, ...rest } = more;
  return {
    name,
    isSafeForConcurrentExecution: () => safe,
    ...(keyed && { resourceKey: (input) => `file:${input.path}` }),
    async run(input, context) {
      if (ms > 0) await sleep(ms, context.signal);
      return `${name} ${input.path ?? ''}`.trim();
    },
    ...rest,
  };
}

/** The tools of the design's worked example. */
export const designTools = createRegistry([
  tool('Read', { keyed: true }),
  tool('Edit', { safe: false }),
  tool('Grep'),
  tool('Stat'),
]);

export function ofType<T extends EventType>(events: readonly WavesEvent[], type: T): WavesEventOf<T>[] {
  return events.filter((event) => event.type === type) as unknown as WavesEventOf<T>[];
}

/** The most permits held at once, and whether all came back. */
export function permitsOf(events: readonly WavesEvent[]): { most: number; heldAtEnd: number } {
  const held = new Set<number>();
  let most = 0;
  for (const event of events) {
    if (event.type === 'permit-taken') {
      if (held.has(event.permit)) throw new Error(`permit ${event.permit} is held twice`);
      held.add(event.permit);
    } else if (event.type === 'permit-returned' && !held.delete(event.permit)) {
      throw new Error(`permit ${event.permit} came back twice`);
    }
    most = Math.max(most, held.size);
  }
  return { most, heldAtEnd: held.size };
}

/** Between which two events of the recording each call ran; calls that never started have none. */
export function spansOf(events: readonly WavesEvent[]): Map<number, { start: number; end: number }> {
  const spans = new Map<number, { start: number; end: number }>();
  for (const event of events) {
    if (event.type === 'call-started')
      spans.set(event.call, { start: event.seq, end: Number.POSITIVE_INFINITY });
    const span = event.type === 'call-ended' ? spans.get(event.call) : undefined;
    if (span) span.end = event.seq;
  }
  return spans;
}

/** A random number of [0, 1) per call, the same for the same seed: durations that a property test can repeat. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0; // mulberry32
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Milliseconds on a virtual clock; deaf to aborts unless it is given the signal. */
export function nap(clock: VirtualClock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const forget = clock.after(ms, resolve);
    signal?.addEventListener('abort', () => {
      forget();
      reject(signal.reason);
    });
  });
}

/** What became of a batch on a virtual clock. */
interface Dispatched {
  /** Empty when it was rejected. */
  readonly results: readonly ToolResult[];
  readonly error: unknown;
  readonly events: readonly WavesEvent[];
  readonly logged: readonly string[];
  /** The virtual time at which `dispatch` settled. */
  readonly endedAt: number;
}

/**
 * Dispatches a batch on a virtual clock, and lets the clock run on until everything that outlives the batch is over.
 * `on` makes the tools, and sets what else is to happen when.
 */
export async function dispatched(
  calls: readonly ToolCall[],
  on: (clock: VirtualClock) => Iterable<Tool> | Registry,
  options: DispatchOptions = {},
): Promise<Dispatched> {
  const clock = createVirtualClock();
  const tools = on(clock);
  const events: WavesEvent[] = [];
  const logged: string[] = [];
  let results: readonly ToolResult[] = [];
  let error: unknown;
  const registry = 'inputError' in tools ? tools : createRegistry(tools);
  const done = dispatch(calls, registry, {
    ...options,
    clock,
    onEvent: (event) => void events.push(event),
    log: (text) => void logged.push(text),
  }).then(
    (all) => {
      results = all;
    },
    (thrown: unknown) => {
      error = thrown;
    },
  );
  await clock.runUntil(done);
  const endedAt = clock.now();
  await clock.runUntil(nap(clock, 10_000));
  return { results, error, events, logged, endedAt };
}
