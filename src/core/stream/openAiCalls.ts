/**
 * The calls of one chat-completion stream. The format tells calls apart by `index`, but servers that speak it leave the
 * index out, give one to all calls, leave ids out or change them from chunk to chunk (case 28). Nothing says when a call
 * is complete before the message ends.
 */
import { broken } from './adapt.ts';
import { createObjectScan, type ObjectScan } from './objectScan.ts';
import type { StreamEvent } from './streamEvent.ts';

/** One entry of `delta.tool_calls`. Ids and names that are empty are none. */
export interface CallItem {
  readonly index: number | string | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly text: string;
}

export interface ChatCalls {
  add(item: CallItem): Iterable<StreamEvent>;
  /** The message is over: closes what is complete, and what the server says is complete. */
  end(cutOff: boolean): Iterable<StreamEvent>;
}

interface Call {
  readonly index: number;
  id: string | undefined;
  name: string | undefined;
  readonly scan: ObjectScan;
  /** What is still to be handed out: a call waits for its name, and for the names of the calls before it. */
  pieces: string[];
  closed: boolean;
  /** Its function was named again after its text was complete: more text would be another call's. */
  namedAgain: boolean;
}

export function createChatCalls(): ChatCalls {
  const calls: Call[] = [];
  const byIndex = new Map<number | string, Call>();
  const byId = new Map<string, Call>();
  let latest: Call | undefined;
  let opened = 0;
  let generated = 0;

  /** The call that an item may belong to. A new index is a new call, whatever its id: some servers give all calls one. */
  function candidate({ index, id }: CallItem): Call | undefined {
    const held = index === undefined ? latest : byIndex.get(index);
    if (!held || id === undefined || held.id === id) return held;
    return byId.get(id) ?? held;
  }

  function begin(item: CallItem, before: Call | undefined): Call {
    const name = item.name ?? (before?.namedAgain ? before.name : undefined);
    const call: Call = {
      index: calls.length,
      id: item.id,
      name,
      scan: createObjectScan(),
      pieces: [],
      closed: false,
      namedAgain: false,
    };
    calls.push(call);
    return call;
  }

  function* add(item: CallItem): Iterable<StreamEvent> {
    let call = candidate(item);
    if (!call || startsAnother(item, call)) {
      if (item.id === undefined && item.name === undefined && isBlank(item.text)) return;
      call = begin(item, call);
    } else {
      if (item.name !== undefined && isComplete(call)) call.namedAgain = true;
      call.name ??= item.name;
      call.id ??= item.id;
    }
    if (item.id !== undefined) byId.set(item.id, call);
    if (item.index !== undefined) byIndex.set(item.index, call);
    latest = call;
    if (call.closed && !isBlank(item.text)) {
      yield broken(`More input came for call "${call.name}", which was complete.`);
    } else if (!call.closed && item.text !== '') {
      call.scan.add(item.text);
      call.pieces.push(item.text);
    }
    yield* openNamed();
    yield* handOut(call);
  }

  /** In the model's order: a call whose name is still to come holds back those after it. */
  function* openNamed(): Iterable<StreamEvent> {
    for (let call = calls[opened]; call?.name !== undefined; call = calls[opened]) {
      const before = calls[opened - 1];
      opened++;
      if (before) yield* handOut(before);
      yield { type: 'call-opened', index: call.index, id: call.id ?? freshId(), name: call.name };
      yield* handOut(call);
    }
  }

  /** A call with a later one behind it is over once it is one whole object. */
  function* handOut(call: Call): Iterable<StreamEvent> {
    if (call.index >= opened) return;
    for (const text of call.pieces) yield { type: 'input-fragment', index: call.index, text };
    call.pieces = [];
    if (call.index < opened - 1 && isComplete(call)) yield* close(call);
  }

  function* close(call: Call): Iterable<StreamEvent> {
    if (call.closed) return;
    call.closed = true;
    yield { type: 'call-closed', index: call.index };
  }

  function* end(cutOff: boolean): Iterable<StreamEvent> {
    for (const call of calls) call.name ??= '';
    yield* openNamed();
    for (const call of calls) if (!cutOff || isComplete(call)) yield* close(call);
  }

  function freshId(): string {
    do generated++;
    while (byId.has(`call_${generated}`));
    return `call_${generated}`;
  }

  return { add, end };
}

/**
 * Whether an item begins a call of its own, and not the next piece of `call`. Names and ids may be repeated on every
 * chunk, and an id may change within a call (https://github.com/poolsideai/pool/issues/9): alone they say little.
 */
function startsAnother({ id, name, text }: CallItem, call: Call): boolean {
  if (name !== undefined && call.name !== undefined && name !== call.name) return true;
  const complete = isComplete(call);
  if (id !== undefined && id !== call.id) {
    if (name !== undefined) return complete || call.id !== undefined;
    if (call.id !== undefined && complete && !isBlank(text)) return true;
  }
  return complete && !isBlank(text) && (name !== undefined || call.namedAgain);
}

function isComplete(call: Call): boolean {
  return call.scan.state() === 'complete';
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
