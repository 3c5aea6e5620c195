/** What the tests of all adapters share: neutral events that read like a sentence, and the laws that every stream obeys. */
import { expect } from 'vitest';
import type { StreamReader } from '../../../../src/core/stream/adapt.ts';
import type { StreamEvent } from '../../../../src/core/stream/streamEvent.ts';

/** All that a reader makes of the events and of their end. */
export function readAll(reader: StreamReader, events: readonly unknown[]): StreamEvent[] {
  return [...events.flatMap((event) => reader.read(event)), ...reader.end()];
}

export async function collect(events: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const all: StreamEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

export async function* source<T>(events: readonly T[], thrown?: unknown): AsyncGenerator<T> {
  yield* events;
  if (thrown !== undefined) throw thrown;
}

/** One line per event: "open 0 id name", "0 + text", "close 0", "end tool_use", "end length, cut off", "broken: why". */
export function told(events: readonly StreamEvent[]): string[] {
  return events.map(line);
}

function line(event: StreamEvent): string {
  switch (event.type) {
    case 'call-opened':
      return `open ${event.index} ${event.id} ${event.name}`.trim();
    case 'input-fragment':
      return `${event.index} + ${event.text}`;
    case 'call-closed':
      return `close ${event.index}`;
    case 'message-ended':
      return `end ${event.stopReason ?? '-'}${event.cutOff ? ', cut off' : ''}`;
    case 'stream-broken':
      return `broken: ${event.reason}`;
  }
}

export interface ReadCall {
  readonly id: string;
  readonly name: string;
  text: string;
  closed: boolean;
}

/**
 * The calls of a stream, by index, after a check of what every stream obeys: a call is opened once, before its input;
 * it is closed once at most, and nothing follows; nothing follows the last event.
 */
export function callsOf(events: readonly StreamEvent[]): Map<number, ReadCall> {
  const calls = new Map<number, ReadCall>();
  for (const [position, event] of events.entries()) {
    const isLast = event.type === 'message-ended' || event.type === 'stream-broken';
    expect(isLast, 'only the last event ends the stream').toBe(position === events.length - 1);
    if (event.type === 'message-ended' || event.type === 'stream-broken') continue;
    const call = calls.get(event.index);
    if (event.type === 'call-opened') {
      expect(call, 'a call is opened once').toBeUndefined();
      calls.set(event.index, { id: event.id, name: event.name, text: '', closed: false });
      continue;
    }
    expect(call?.closed, 'a call takes input until it is closed').toBe(false);
    if (event.type === 'call-closed') call!.closed = true;
    else {
      expect(event.text).not.toBe('');
      call!.text += event.text;
    }
  }
  return calls;
}

/**
 * The stream cut before each of its events: broken, unless its end had come; and no call counts as complete that lacks
 * a part of its input.
 * @param isEnd whether an event of the provider ends the message
 */
export function checkCuts<T>(create: () => StreamReader, events: readonly T[], isEnd: (event: T) => boolean) {
  const whole = callsOf(readAll(create(), events));
  for (let length = 0; length <= events.length; length++) {
    const sent = events.slice(0, length);
    const read = readAll(create(), sent);
    expect(read.at(-1)!.type).toBe(sent.some(isEnd) ? 'message-ended' : 'stream-broken');
    for (const [index, call] of callsOf(read)) {
      expect(whole.get(index)!.text.startsWith(call.text)).toBe(true);
      if (call.closed) expect(call).toEqual(whole.get(index));
    }
  }
}
