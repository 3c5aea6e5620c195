/** A whole message from its source: what `dispatch` is to a batch that is there at once (DESIGN section 5). */
import { whenAborted } from '../abort.ts';
import { messageOf } from '../errors.ts';
import type { ToolResult } from '../model.ts';
import type { StreamEvent } from '../stream/streamEvent.ts';
import type { Registry } from '../tools.ts';
import { createStreamingDispatch, type StreamingDispatch, type StreamingOptions } from './streaming.ts';

/**
 * Runs the calls of a message as it streams in, and resolves to their results in request order.
 * @throws {BatchAborted | BatchRefused} as `dispatch` does; also when the source throws, or ends before its message.
 * @throws {RangeError} for a strategy or cap that does not exist.
 */
export async function dispatchStream(
  events: AsyncIterable<StreamEvent>,
  registry: Registry,
  options: StreamingOptions = {},
): Promise<ToolResult[]> {
  const stream = createStreamingDispatch(registry, options);
  void feed(events, stream, options.signal);
  return stream.results;
}

/** Reads the source until the run is over, whichever ends first. */
async function feed(
  events: AsyncIterable<StreamEvent>,
  stream: StreamingDispatch,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (signal?.aborted) return;
  try {
    const source = events[Symbol.asyncIterator]();
    let closed = false;
    const close = () => {
      forget?.();
      if (!closed) void Promise.resolve(source.return?.()).catch(() => {}); // nobody waits for it any more
      closed = true;
    };
    const forget = signal && whenAborted(signal, close);
    stream.results.then(close, close);
    for (let next = await source.next(); !next.done; next = await source.next()) stream.push(next.value);
    stream.push({ type: 'stream-broken', reason: 'it ended before its message did' });
  } catch (error) {
    stream.push({ type: 'stream-broken', reason: messageOf(error) });
  }
}
