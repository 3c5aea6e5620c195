/** What all adapters share: a provider's events go in, the neutral stream comes out (DESIGN section 5). */
import { messageOf } from '../errors.ts';
import { isRecord } from '../record.ts';
import type { StreamEvent } from './streamEvent.ts';

/** Reads one message. It never throws, and says nothing more after `message-ended` or `stream-broken`. */
export interface StreamReader {
  /** What one event of the provider means; nothing if it is about something else. */
  read(event: unknown): readonly StreamEvent[];
  /** The source is over: what that means, unless the message had ended. */
  end(): readonly StreamEvent[];
}

/** The rules of one provider's format. Whoever runs them takes nothing after the last event of a message. */
export interface Format {
  read(event: Readonly<Record<string, unknown>>): Iterable<StreamEvent>;
  /** Left out where a source that is over before the message's own end means a lost connection. */
  end?(): Iterable<StreamEvent>;
}

const ENDED_EARLY = 'The stream ended before the message did.';

export function createReader(format: Format): StreamReader {
  let over = false;
  const take = (events: () => Iterable<StreamEvent>): readonly StreamEvent[] => {
    if (over) return [];
    const taken: StreamEvent[] = [];
    try {
      for (const event of events()) {
        taken.push(event);
        over = isLast(event);
        if (over) break;
      }
    } catch (error) {
      // Even a look at an event may throw: getters, proxies, an input that is no JSON.
      over = true;
      taken.push(broken(messageOf(error)));
    }
    return taken;
  };
  return {
    read: (event) => take(() => (isRecord(event) ? format.read(event) : [])),
    end: () => take(() => format.end?.() ?? [broken(ENDED_EARLY)]),
  };
}

/** The neutral stream of a source. A source that throws is a broken stream; it is closed once the message has ended. */
export async function* adapt(
  events: AsyncIterable<unknown>,
  reader: StreamReader,
): AsyncGenerator<StreamEvent, void, undefined> {
  let handingOut = false;
  try {
    for await (const event of events) {
      handingOut = true;
      for (const next of reader.read(event)) {
        yield next;
        if (isLast(next)) return;
      }
      handingOut = false;
    }
  } catch (error) {
    // The source threw while it was being closed, or the taker threw: nobody waits for an event any more.
    if (handingOut) return;
    yield broken(messageOf(error));
    return;
  }
  yield* reader.end();
}

export function broken(reason: string): StreamEvent {
  return { type: 'stream-broken', reason };
}

export function ended(stopReason: string | undefined, cutOff: boolean): StreamEvent {
  return {
    type: 'message-ended',
    ...(stopReason !== undefined && { stopReason }),
    ...(cutOff && { cutOff }),
  };
}

/** The sentence of an error that a provider sent as data: `{ message }`, or that inside `error`, or plain text. */
export function sentenceOf(error: unknown): string {
  if (typeof error === 'string' && error.trim() !== '') return error;
  if (isRecord(error)) {
    if (typeof error.message === 'string' && error.message.trim() !== '') return error.message;
    if (isRecord(error.error) || typeof error.error === 'string') return sentenceOf(error.error);
  }
  return 'The provider reported an error without saying which.';
}

function isLast({ type }: StreamEvent): boolean {
  return type === 'message-ended' || type === 'stream-broken';
}
