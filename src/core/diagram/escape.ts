/**
 * Text as Mermaid shows it literally. Measured with mermaid 12: unescaped, quotes vanish, `<img>` gives an empty label,
 * `#123;` another character, `%%` and `%%{` are taken for comments and directives, backticks and `*` for Markdown,
 * `$$` for maths, `fa:fa-x` for an icon, and a line with `style…:…#…;` loses its last semicolon.
 */

const NAMED: Readonly<Record<string, string>> = { '"': '#quot;', '<': '#lt;', '>': '#gt;', '&': '#amp;' };

/** ASCII that means nothing to Mermaid inside a quoted label or a message. */
const HARMLESS = /[A-Za-z0-9 .,:/()@!?'+=\-_]/;

/** What cannot be seen, or changes the order of what can: controls, direction overrides, halves of a pair. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are exactly what is looked for
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;

/** The text on one line, at most `length` characters, escaped so that it is shown as it is. */
export function literal(text: string, length: number): string {
  return escapeText(shortened(oneLine(text, length), length));
}

/** The end of a text, where that is what tells it from others: a path. */
export function literalTail(text: string, length: number): string {
  const characters = [...oneLine(text)];
  const cut = characters.length > length;
  return escapeText(cut ? `…${characters.slice(1 - length).join('')}` : characters.join(''));
}

/** Every character that Mermaid would read as anything but itself becomes an entity. */
export function escapeText(text: string): string {
  const escaped = Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0x80 || HARMLESS.test(character)) return character;
    return NAMED[character] ?? `#${code};`;
  }).join('');
  return (
    escaped
      // Mermaid's own marks for entities, which it would read in data too: an invisible joiner keeps them apart.
      .replace(/\ufb02(?=\u00b0)|\u00b6(?=\u00df)/g, '$&\u2060')
      // A backslash and an n would be a line break, entity or not.
      .replace(/#92;(?=n)/g, '$&\u2060')
      .replace(/:(?=fa-)/g, '#58;')
      .replace(/style/g, '#115;tyle')
      .replace(/classDef/g, '#99;lassDef')
  );
}

/** Line breaks become a sign; runs of other white space one space; what cannot be seen becomes visible. */
function oneLine(text: string, length = 2_000): string {
  // Only as much as can be shown is looked at, so that a huge input costs nothing.
  return text
    .slice(0, Math.max(length * 4, 400))
    .replace(/\r\n?|\n/g, ' ↵ ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(UNSEEN, '\ufffd');
}

function shortened(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
