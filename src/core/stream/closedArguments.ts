/**
 * The arguments of a call that are complete while its input still arrives (DESIGN section 5). An argument counts from
 * its closing token on: never `"sr` of `"src/app.ts"`, never `12` of `1234`.
 */
import { JSONParser, TokenType } from '@streamparser/json';

export interface ClosedArguments {
  /** Takes the next piece of the input, cut anywhere. The names that are closed with it. Never throws. */
  add(piece: string): readonly string[];
  /** What is closed so far, each as `JSON.parse` would give it; of a name given twice, the later. */
  readonly known: ReadonlyMap<string, unknown>;
  /**
   * `ended`: the object is closed. `invalid`: the text cannot become one JSON object, and nothing more becomes known;
   * noticed at the latest where the token that is out of place ends.
   */
  readonly state: 'open' | 'ended' | 'invalid';
}

/**
 * The parser tells where arguments begin and end; the value of one is `JSON.parse` of just that text. For the parser's
 * own values differ from it: U+FEFF is dropped, raw or escaped, and halves of surrogate pairs become U+FFFD. So each
 * character is parsed twice, and no more, however the text is cut.
 */
export function createClosedArguments(): ClosedArguments {
  // Without a buffer, strings are kept as an array of characters, and put together in one long step at their end.
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false, stringBufferSize: 1024 });
  const known = new Map<string, unknown>();
  let state: ClosedArguments['state'] = 'open';
  let begun = false;
  /** The text from the argument on that was arriving when the last piece came, and its place in the whole text. */
  let text = '';
  let textAt = 0;
  /** Places in the whole text: of the argument that is arriving, of the colon behind its name, of the last token. */
  let argumentAt = 0;
  let colonAt = 0;
  let tokenAt = 0;
  let depth = 0;
  /** What this piece has closed: it counts if the piece is sound to its end. */
  let closed: [name: string, value: unknown][] = [];

  parser.onToken = ({ token, offset }) => {
    tokenAt = offset;
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) {
      if (++depth === 1) argumentAt = offset + 1;
    } else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth--;
    else if (depth === 1 && token === TokenType.COLON) colonAt = offset;
    else if (depth === 1 && token === TokenType.COMMA) argumentAt = offset + 1;
  };

  parser.onValue = ({ value }) => {
    const name: string = JSON.parse(text.slice(argumentAt - textAt, colonAt - textAt));
    const end = endOf(value, text, tokenAt - textAt);
    closed.push([name, JSON.parse(text.slice(colonAt + 1 - textAt, end))]);
  };

  return {
    known,
    get state() {
      return state;
    },
    add(piece) {
      if (state === 'invalid') return NONE;
      try {
        if (!begun) begun = begins(piece);
        text += piece;
        parser.write(unitsOf(piece));
      } catch {
        state = 'invalid';
        text = '';
        return NONE;
      }
      const now = closed.length === 0 ? NONE : closed.map(([name]) => name);
      for (const [name, value] of closed) known.set(name, value);
      if (closed.length > 0) closed = [];
      if (parser.isEnded) {
        state = 'ended';
        text = '';
      } else if (argumentAt > textAt) {
        // Only once an argument: to cut off its front, the text is put together from its pieces.
        text = text.slice(argumentAt - textAt);
        textAt = argumentAt;
      }
      return now;
    },
  };
}

const NONE: readonly string[] = [];
const DEL = 0x7f;

/**
 * The parser counts bytes, and `slice` counts units: so each unit is one byte. What is beyond ASCII becomes DEL, which
 * may stand just where that may: in strings, unescaped. And the parser is spared encoding, a third of its time.
 */
function unitsOf(piece: string): Uint8Array {
  const units = new Uint8Array(piece.length);
  for (let at = 0; at < piece.length; at++) units[at] = Math.min(piece.charCodeAt(at), DEL);
  return units;
}

/** Whether the object has begun, after nothing but whitespace. */
function begins(piece: string): boolean {
  const first = /[^ \t\n\r]/.exec(piece)?.[0];
  if (first !== undefined && first !== '{') throw new SyntaxError('An object is expected.');
  return first !== undefined;
}

/** The end of a value that is closed, where its last token begins at `at`. */
function endOf(value: unknown, text: string, at: number): number {
  if (typeof value === 'string') return endOfString(text, at);
  if (typeof value === 'number') return endOfNumber(text, at);
  if (typeof value === 'object' && value !== null) return at + 1;
  return at + String(value).length;
}

function endOfString(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end + 1;
}

/** The parser takes any character that cannot go on a number for its end, even the 1 of 01. */
function endOfNumber(text: string, at: number): number {
  const [found] = /^[-+.\deE]+(?=[ \t\n\r,}])/.exec(text.slice(at)) ?? [];
  if (found === undefined) throw new SyntaxError('A number is not ended.');
  return at + found.length;
}
