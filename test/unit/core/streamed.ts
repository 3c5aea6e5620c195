/** What the tests of streaming share: events as words, and a stream on a virtual clock. */
import { createVirtualClock, type VirtualClock } from '../../../src/core/clock.ts';
import { createStreamingDispatch, type StreamingOptions } from '../../../src/core/dispatch/streaming.ts';
import type { WavesEvent } from '../../../src/core/events.ts';
import type { ToolResult } from '../../../src/core/model.ts';
import type { StreamEvent } from '../../../src/core/stream/streamEvent.ts';
import { createRegistry, type Tool } from '../../../src/core/tools.ts';
import { nap, tool } from './helpers.ts';

export const open = (index: number, name: string, id = `t${index + 1}`): StreamEvent => ({
  type: 'call-opened',
  index,
  id,
  name,
});
export const text = (index: number, piece: string): StreamEvent => ({
  type: 'input-fragment',
  index,
  text: piece,
});
export const close = (index: number): StreamEvent => ({ type: 'call-closed', index });
export const end = (stopReason = 'tool_use'): StreamEvent => ({ type: 'message-ended', stopReason });
export const cut = (stopReason = 'max_tokens'): StreamEvent => ({
  type: 'message-ended',
  stopReason,
  cutOff: true,
});
export const broke = (reason = 'connection reset'): StreamEvent => ({ type: 'stream-broken', reason });

/** A whole call at once. */
export const whole = (index: number, name: string, input: object = {}, id?: string): StreamEvent[] => [
  open(index, name, id),
  text(index, JSON.stringify(input)),
  close(index),
];

/** Events, each at its time in milliseconds. */
export type Timed = readonly (readonly [at: number, ...events: (StreamEvent | readonly StreamEvent[])[]])[];

export interface Streamed {
  /** Empty when it was rejected. */
  readonly results: readonly ToolResult[];
  readonly error: unknown;
  readonly events: readonly WavesEvent[];
  readonly logged: readonly string[];
  readonly endedAt: number;
}

/** Streams these events on a virtual clock, and lets it run on until everything that outlives the batch is over. */
export async function streamed(
  timed: Timed,
  on: (clock: VirtualClock) => Iterable<Tool>,
  options: StreamingOptions & { abortAt?: number } = {},
): Promise<Streamed> {
  const clock = createVirtualClock();
  const events: WavesEvent[] = [];
  const logged: string[] = [];
  const { abortAt, ...rest } = options;
  const stream = createStreamingDispatch(createRegistry(on(clock)), {
    ...rest,
    clock,
    onEvent: (event) => void events.push(event),
    log: (message) => void logged.push(message),
  });
  for (const [at, ...batch] of timed) {
    clock.after(at, () => {
      for (const event of batch.flat() as StreamEvent[]) stream.push(event);
    });
  }
  if (abortAt !== undefined) clock.after(abortAt, () => stream.abort());
  let results: readonly ToolResult[] = [];
  let error: unknown;
  const done = stream.results.then(
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

/** What tools were run with, and when. */
export interface Ran {
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly at: number;
  aborted: boolean;
}

/** A tool that notes its runs and answers with its input after some time; safe, and it needs `path` for an early start. */
export function reader(clock: VirtualClock, ran: Ran[], more: Partial<Tool> & { ms?: number } = {}): Tool {
  const { ms = 100, ...rest } = more;
  const name = more.name ?? 'Read';
  return tool(name, {
    accesses: ({ path }) => [{ resource: `file:${path}`, mode: 'read' }],
    startsWhen: ['path'],
    async run(input, { signal }) {
      const own: Ran = { name, input, at: clock.now(), aborted: false };
      ran.push(own);
      signal.addEventListener('abort', () => {
        own.aborted = true;
      });
      await nap(clock, ms, signal);
      return `${name} ${JSON.stringify(input)}`;
    },
    ...rest,
  });
}

/** The same, unsafe, and without an early start. */
export function writer(clock: VirtualClock, ran: Ran[], more: Partial<Tool> & { ms?: number } = {}): Tool {
  const { startsWhen: _none, ...plain } = reader(clock, ran, { name: 'Write', ...more });
  return {
    ...plain,
    isSafeForConcurrentExecution: () => false,
    accesses: ({ path }) => [{ resource: `file:${path}`, mode: 'write' }],
    ...more,
  };
}
