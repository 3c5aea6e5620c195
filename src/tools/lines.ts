const lineEnds = /\r\n|\n|\r/g;

/** The lines of a text without their ends; a last line end opens no further line. */
export function splitLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(lineEnds);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Moves a cut so that it never stands inside a surrogate pair (case 42). */
function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  const splits = unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
  return splits ? at - 1 : at;
}

/** The beginning of a text, with a mark where it was cut. */
export function cutEnd(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, wholeCharacter(text, max))}…`;
}

/** A long line cut around a hit, some characters kept on both sides, with marks where it was cut (case 42). */
export function cutAround(line: string, start: number, end: number, max: number): string {
  if (line.length <= max) return line;
  const shown = Math.min(end - start, max);
  const from = Math.max(0, Math.min(start - Math.floor((max - shown) / 2), line.length - max));
  const first = wholeCharacter(line, from);
  const last = wholeCharacter(line, Math.min(line.length, first + max));
  return (first > 0 ? '…' : '') + line.slice(first, last) + (last < line.length ? '…' : '');
}
