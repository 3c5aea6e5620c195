/** One call while its input streams in: the text so far, the arguments that are known, and the run that may begin early. */
import type { ToolCall } from '../model.ts';
import { type ClosedArguments, createClosedArguments } from '../stream/closedArguments.ts';
import { createInputText } from '../stream/inputText.ts';
import type { Tool } from '../tools.ts';
import type { EarlyRun } from './early.ts';

export class Arrival {
  /** Its place in the batch. */
  readonly index: number;
  /** As far as it is known: the input when it is complete. */
  call: ToolCall;
  /** No more of its input comes. */
  closed = false;
  early: EarlyRun | undefined;
  readonly #text = createInputText();
  /** Which arguments an early start needs; undefined where there is none. */
  readonly #startsWhen: readonly string[] | undefined;
  #arguments: ClosedArguments | undefined;

  constructor(index: number, id: string, name: string, tool: Tool | undefined) {
    this.index = index;
    this.call = { id, name, input: undefined };
    this.#startsWhen = tool && startsWhen(tool);
    if (this.#startsWhen) this.#arguments = createClosedArguments();
  }

  /** Takes in the next piece of text. The arguments that an early start needs and that are known with it. */
  add(text: string): readonly string[] {
    this.#text.add(text);
    if (!this.#arguments || !this.#startsWhen || this.early) return NONE;
    const closed = this.#arguments.add(text);
    return closed.length === 0 ? NONE : this.#startsWhen.filter((name) => closed.includes(name));
  }

  /** Nothing but blanks came. */
  get isBlank(): boolean {
    return this.#text.isBlank;
  }

  /** The call as an early start would run it now, if all that it needs is known. */
  get earlyCall(): ToolCall | undefined {
    const { known, state } = this.#arguments ?? {};
    if (!known || state === 'invalid' || this.early) return undefined;
    if (!this.#startsWhen?.every((name) => known.has(name))) return undefined;
    return { ...this.call, input: Object.fromEntries(known) };
  }

  /** Its input was complete: what the strict parse says is the input. */
  close(): void {
    this.closed = true;
    this.#arguments = undefined;
    this.call = { ...this.call, ...this.#text.close() };
  }

  /** The message ended before its input did. */
  cutOff(): void {
    this.closed = true;
    this.#arguments = undefined;
    this.call = { ...this.call, ...this.#text.cutOff() };
  }
}

const NONE: readonly string[] = [];

/** Unsure means no: anything but a list of names is as good as none. */
function startsWhen({ startsWhen: names }: Tool): readonly string[] | undefined {
  return Array.isArray(names) && names.every((name) => typeof name === 'string') ? names : undefined;
}
