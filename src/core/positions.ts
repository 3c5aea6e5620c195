/** JSON text with places: what is wrong, at which line and column (both from 1). */
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

export interface TextError {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A parsed JSON text; `value` is undefined where `errors` is not empty. */
export interface Located {
  readonly value: unknown;
  readonly errors: readonly TextError[];
  /** The place of the value at this JSON pointer, or of the nearest value around it that exists. */
  at(pointer: string): { line: number; column: number };
}

/** Parses strict JSON (no comments, no trailing commas) and remembers where everything stands. */
export function parseLocated(text: string): Located {
  const problems: ParseError[] = [];
  const tree = parseTree(text, problems, { disallowComments: true, allowTrailingComma: false });
  const place = placer(text);
  const errors = problems
    .slice(0, 20)
    .map(({ error, offset }) => ({ ...place(offset), message: syntaxMessage(error) }));
  return {
    value: errors.length === 0 ? JSON.parse(text.replace(/^\uFEFF/, '')) : undefined,
    errors,
    at(pointer) {
      const path = segments(pointer);
      for (let length = path.length; length >= 0; length--) {
        const node = tree && find(tree, path.slice(0, length));
        if (node) return place(node.offset);
      }
      return place(0);
    },
  };
}

function find(tree: Node, path: readonly string[]): Node | undefined {
  let node: Node | undefined = tree;
  for (const segment of path) {
    node = node && findNodeAtLocation(node, [node.type === 'array' ? Number(segment) : segment]);
  }
  return node;
}

function segments(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Line and column of an offset, counted in UTF-16 units as editors do. */
function placer(text: string): (offset: number) => { line: number; column: number } {
  return (offset) => {
    const before = text.slice(0, offset);
    const line = before.split('\n').length;
    return { line, column: offset - before.lastIndexOf('\n') };
  };
}

const SYNTAX: Record<string, string> = {
  InvalidSymbol: 'This is no JSON value.',
  InvalidNumberFormat: 'This number is not written as JSON wants it.',
  PropertyNameExpected: 'A property name in double quotes is expected here.',
  ValueExpected: 'A value is expected here.',
  ColonExpected: 'A colon is expected here.',
  CommaExpected: 'A comma is expected here.',
  CloseBraceExpected: 'A closing brace is missing.',
  CloseBracketExpected: 'A closing bracket is missing.',
  EndOfFileExpected: 'Nothing may follow the end of the JSON value.',
  InvalidCommentToken: 'JSON has no comments.',
  UnexpectedEndOfComment: 'JSON has no comments.',
  UnexpectedEndOfString: 'This string has no closing quote.',
  UnexpectedEndOfNumber: 'This number is cut off.',
  InvalidUnicode: 'This \\u escape needs four hexadecimal digits.',
  InvalidEscapeCharacter: 'This escape is not known to JSON.',
  InvalidCharacter: 'This character must be escaped in a JSON string.',
};

function syntaxMessage(code: ParseError['error']): string {
  const name = printParseErrorCode(code);
  return SYNTAX[name] ?? `JSON error: ${name}.`;
}
