/** The text of a call's input while it arrives, and what it comes to in the end (DESIGN section 5). */
import { messageOf } from '../errors.ts';
import { kindOf } from '../kind.ts';
import type { ToolCall } from '../model.ts';
import { isRecord } from '../record.ts';
import { createClosedArguments } from './closedArguments.ts';

/** As a call has them: with an error, `input` is the text as it came. */
export type ArrivedInput = Pick<ToolCall, 'input' | 'inputError'>;

export interface InputText {
  /** Takes the next piece, cut anywhere. */
  add(piece: string): void;
  /** Whether nothing but whitespace has come, or nothing at all: a call without arguments, if it closes so. */
  readonly isBlank: boolean;
  /** The input of a call that has closed. Parsed strictly, and once: what was known earlier does not count. */
  close(): ArrivedInput;
  /** The input of a call that never closed: nobody knows what is missing, even where the text looks complete. */
  cutOff(): ArrivedInput;
}

const CUT_OFF =
  'The input was cut off before it was complete, so the call was not run. Call again with the whole input; where it is long, in smaller parts.';

export function createInputText(): InputText {
  const pieces: string[] = [];
  let isBlank = true;
  return {
    add(piece) {
      pieces.push(piece);
      isBlank &&= !/[^ \t\n\r]/.test(piece);
    },
    get isBlank() {
      return isBlank;
    },
    close: () => (isBlank ? { input: {} } : read(pieces.join(''))),
    cutOff: () => ({ input: pieces.join(''), inputError: CUT_OFF }),
  };
}

function read(text: string): ArrivedInput {
  try {
    const input: unknown = JSON.parse(text);
    if (isRecord(input)) return { input };
    return { input: text, inputError: `The input must be an object, not ${kindOf(input)}.` };
  } catch (error) {
    if (couldGoOn(text)) return { input: text, inputError: CUT_OFF };
    const inputError = `The input is not valid JSON (${messageOf(error)}), so the call was not run. Call again with the input as one JSON object.`;
    return { input: text, inputError };
  }
}

/** Whether more text could still make this one JSON object. The messages of `JSON.parse` tell it in no portable way. */
function couldGoOn(text: string): boolean {
  const closed = createClosedArguments();
  closed.add(text);
  return closed.state === 'open';
}
