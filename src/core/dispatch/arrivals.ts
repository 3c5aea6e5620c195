/**
 * The calls of a message, in the model's order, while they stream in: which of them are complete, and whether what
 * comes makes sense (DESIGN section 5).
 */
import { BatchRefused } from '../errors.ts';
import { isStreamEvent, type StreamEvent } from '../stream/streamEvent.ts';
import type { Registry } from '../tools.ts';
import { Arrival } from './arrival.ts';
import { emptyId, idTwice, sameCall } from './duplicates.ts';

/** Who is told of what comes. */
export interface Listener {
  opened(arrival: Arrival): void;
  known(arrival: Arrival, argument: string): void;
  closed(arrival: Arrival): void;
  ended(stopReason: string | undefined, cutOff: boolean): void;
  /** What came makes no sense, or the source said that it is broken. */
  broken(reason: string): void;
  /** Ids with which results cannot be told apart. */
  refused(reason: string): void;
}

export class Arrivals {
  readonly #registry: Registry;
  readonly #listener: Listener;
  /** In the order of opening. */
  readonly #calls: Arrival[] = [];
  readonly #byIndex = new Map<number, Arrival>();
  /** The first with an id is the call; others share its result if they are the same. */
  readonly #byId = new Map<string, Arrival[]>();
  #taken = 0;
  #ended = false;

  constructor(registry: Registry, listener: Listener) {
    this.#registry = registry;
    this.#listener = listener;
  }

  /** Whether the message has ended. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The first call that has not been taken. */
  get next(): Arrival | undefined {
    return this.#calls[this.#taken];
  }

  /** The calls that are complete, and not taken yet: each once, in the model's order. */
  take(): readonly Arrival[] {
    const from = this.#taken;
    while (this.#isComplete(this.#taken)) this.#taken++;
    return this.#calls.slice(from, this.#taken);
  }

  /** All that have not been taken: for a run that stops. */
  takeRest(): readonly Arrival[] {
    const from = this.#taken;
    this.#taken = this.#calls.length;
    return this.#calls.slice(from);
  }

  push(event: StreamEvent): void {
    if (this.#ended) return;
    try {
      this.#take(event);
    } catch (error) {
      if (error instanceof BatchRefused) this.#listener.refused(error.message);
      else if (error instanceof Contradiction) this.#listener.broken(error.message);
      else throw error;
    }
  }

  #take(event: unknown): void {
    if (!isStreamEvent(event)) throw new Contradiction('something came that is no event of a stream');
    if (event.type === 'call-opened') this.#open(event.index, event.id, event.name);
    else if (event.type === 'input-fragment') this.#fragment(event.index, event.text);
    else if (event.type === 'call-closed') this.#close(event.index);
    else if (event.type === 'message-ended') this.#end(event.stopReason, event.cutOff === true);
    else throw new Contradiction(event.reason);
  }

  #open(index: number, id: string, name: string): void {
    if (this.#byIndex.has(index)) throw new Contradiction(`call ${index} was opened twice`);
    if (id === '') throw new BatchRefused(emptyId(this.#calls.length));
    const arrival = new Arrival(this.#calls.length, id, name, this.#registry.get(name));
    this.#byIndex.set(index, arrival);
    const same = this.#byId.get(id);
    if (same) same.push(arrival);
    else {
      this.#byId.set(id, [arrival]);
      this.#calls.push(arrival);
      this.#listener.opened(arrival);
    }
  }

  #fragment(index: number, text: string): void {
    const arrival = this.#at(index);
    if (arrival.closed) {
      if (text.trim() !== '') throw new Contradiction(`more input came for call ${index}, which was closed`);
      return;
    }
    const known = arrival.add(text);
    if (this.#isTwin(arrival)) return;
    for (const argument of known) this.#listener.known(arrival, argument);
  }

  #close(index: number): void {
    const arrival = this.#at(index);
    if (arrival.closed) return;
    arrival.close();
    this.#checkTwins(arrival.call.id);
    if (!this.#isTwin(arrival)) this.#listener.closed(arrival);
  }

  #end(stopReason: string | undefined, cutOff: boolean): void {
    for (const arrival of this.#byIndex.values()) if (!arrival.closed) arrival.cutOff();
    const last = this.#calls.at(-1);
    // Nothing of its input has come, and none was to come: or it has not, since the message was cut off.
    if (cutOff && last?.isBlank) last.cutOff();
    for (const id of this.#byId.keys()) this.#checkTwins(id);
    this.#ended = true;
    this.#listener.ended(stopReason, cutOff);
  }

  #at(index: number): Arrival {
    const arrival = this.#byIndex.get(index);
    if (!arrival) throw new Contradiction(`call ${index} goes on, and was never opened`);
    return arrival;
  }

  /** A blank input means `{}` if the model went on: before the next call, or the end, nobody can tell. */
  #isComplete(at: number): boolean {
    const arrival = this.#calls[at];
    if (!arrival?.closed) return false;
    return this.#ended || !arrival.isBlank || at < this.#calls.length - 1;
  }

  #isTwin(arrival: Arrival): boolean {
    return this.#byId.get(arrival.call.id)?.[0] !== arrival;
  }

  /** Calls of one id must be the same call, as far as they are complete. */
  #checkTwins(id: string): void {
    const [first, ...twins] = this.#byId.get(id) ?? [];
    for (const twin of twins) {
      if (first?.closed && twin.closed && !sameCall(first.call, twin.call))
        throw new BatchRefused(idTwice(id));
    }
  }
}

/** What came makes no sense, or the source said that it is broken. */
class Contradiction extends Error {}
