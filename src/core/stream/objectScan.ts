/**
 * blank: nothing but space yet. open: an object has begun. complete: exactly one object, from `{` to its `}`.
 * other: it begins with something else, or goes on after the object's end.
 */
export type ObjectState = 'blank' | 'open' | 'complete' | 'other';

export interface ObjectScan {
  add(text: string): void;
  state(): ObjectState;
}

/**
 * Tells where an object ends in JSON text that comes in pieces. It looks at brackets and quotes only, and at each
 * character once, so long inputs in small pieces stay linear (case 26); whether the text is valid is for the parser.
 */
export function createObjectScan(): ObjectScan {
  let state: ObjectState = 'blank';
  let depth = 0;
  let inString = false;
  let escaped = false;

  function add(text: string): void {
    for (let at = 0; at < text.length && state !== 'other'; at++) {
      const character = text.charAt(at);
      if (inString) {
        if (escaped) escaped = false;
        else if (character === '\\') escaped = true;
        else if (character === '"') inString = false;
      } else if (' \t\n\r'.includes(character)) {
        // Space means nothing between tokens.
      } else if (state !== 'open') {
        state = state === 'blank' && character === '{' ? 'open' : 'other';
        depth = 1;
      } else if (character === '"') inString = true;
      else if (character === '{' || character === '[') depth++;
      else if (character === '}' || character === ']') {
        depth--;
        if (depth === 0) state = 'complete';
      }
    }
  }

  return { add, state: () => state };
}
