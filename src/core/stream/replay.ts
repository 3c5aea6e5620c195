/**
 * A recorded stream of a provider, played again at its pace: for tests, demos and the sample. JSON Lines, the first line
 * a header that names the provider, then a line for each of the provider's own events with its time.
 */
import { type Clock, systemClock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import { isRecord } from '../record.ts';
import { sleep } from '../sleep.ts';
import { fromAnthropicStream } from './anthropic.ts';
import { fromOpenAiStream } from './openAi.ts';
import type { StreamEvent } from './streamEvent.ts';

const FORMAT = 'waves-stream';
const VERSION = 1;

export interface StreamRecording {
  readonly provider: 'anthropic' | 'openai';
  /** In order; `t` in milliseconds since the stream began. */
  readonly events: readonly { readonly t: number; readonly event: unknown }[];
  /** What a person should know: lines that were left out. Empty when all is well. */
  readonly notes: readonly string[];
}

/** @throws {Error} when the text is no recorded stream: no header in its first line. */
export function parseStreamRecording(text: string): StreamRecording {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const provider = providerOf(lines[0] ?? '');
  const events: { t: number; event: unknown }[] = [];
  const unreadable: number[] = [];
  for (const [at, line] of lines.entries()) {
    if (at === 0 || line.trim() === '') continue;
    const event = parseLine(line);
    if (event) events.push(event);
    else unreadable.push(at + 1);
  }
  const [first] = unreadable;
  const notes =
    first === undefined
      ? []
      : [
          `${unreadable.length} unreadable line${unreadable.length === 1 ? ' was' : 's were'} left out, the first is line ${first}.`,
        ];
  return { provider, events, notes };
}

export interface ReplayOptions {
  /** How many times as fast as it was recorded; infinite is at once. Default 1. */
  readonly speed?: number;
  readonly clock?: Clock;
  /** Aborting it breaks the stream. */
  readonly signal?: AbortSignal;
}

/**
 * The recorded message as the neutral stream, from its beginning each time that it is iterated. One whose end was not
 * recorded breaks. Whoever closes it in the midst need not wait for the next event.
 * @throws {RangeError} for a speed that is not above zero.
 */
export function replayStream(
  { provider, events }: StreamRecording,
  { speed = 1, clock = systemClock, signal }: ReplayOptions = {},
): AsyncIterable<StreamEvent> {
  if (!(speed > 0)) throw new RangeError(`The speed of a replay must be above zero, not ${String(speed)}.`);
  async function* played(closed: AbortSignal) {
    const stops = signal ? [signal, closed] : [closed];
    const beganAt = clock.now();
    for (const { t, event } of events) {
      const waitMs = beganAt + t / speed - clock.now();
      if (waitMs > 0) await sleep(clock, waitMs, ...stops).catch(() => {});
      if (stops.some(({ aborted }) => aborted)) throw new Error('the replay was stopped');
      yield event as never; // the adapter takes whatever comes
    }
  }
  const adapted = provider === 'anthropic' ? fromAnthropicStream : fromOpenAiStream;
  return {
    [Symbol.asyncIterator]() {
      const closed = new AbortController();
      const stream = adapted(played(closed.signal));
      return {
        next: () => stream.next(),
        return() {
          closed.abort(); // a generator that waits is closed only when it goes on
          return stream.return();
        },
      };
    },
  };
}

function providerOf(line: string): StreamRecording['provider'] {
  const header = parseJson(line);
  const wanted = `its first line must be {"format":"${FORMAT}","version":${VERSION},"provider":"anthropic" or "openai"}`;
  if (header instanceof Error)
    throw new Error(`This is no recorded stream: ${wanted}, but is no JSON (${header.message}).`);
  if (!isRecord(header) || header.format !== FORMAT)
    throw new Error(`This is no recorded stream: ${wanted}.`);
  if (header.version !== VERSION)
    throw new Error(
      `This stream has version ${String(header.version)}; this Waves knows version ${VERSION}.`,
    );
  const { provider } = header;
  if (provider === 'anthropic' || provider === 'openai') return provider;
  throw new Error(`This recorded stream is of an unknown provider: ${wanted}.`);
}

function parseLine(line: string): { t: number; event: unknown } | undefined {
  const value = parseJson(line);
  if (!isRecord(value) || !isRecord(value.event)) return undefined;
  const { t, event } = value;
  return typeof t === 'number' && Number.isFinite(t) ? { t, event } : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return new Error(messageOf(error));
  }
}
