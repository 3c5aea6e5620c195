import { ToolError } from './errors.ts';
import type { TextEdit } from './ports.ts';

/** Applies sorted edits; all text between them stays as it is. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const edit of edits) {
    parts.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/** The whole lines that differ, as one edit; undefined when nothing does. Editors then keep cursors and folds. */
export function lineDifference(before: string, after: string): TextEdit | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  start = start === 0 ? 0 : before.lastIndexOf('\n', start - 1) + 1;
  let kept = 0;
  while (kept < shorter - start && before.at(-1 - kept) === after.at(-1 - kept)) kept++;
  const lineStart = before.indexOf('\n', before.length - kept - 1);
  kept = lineStart === -1 || kept === 0 ? 0 : Math.min(kept, before.length - lineStart - 1);
  return { start, end: before.length - kept, text: after.slice(start, after.length - kept) };
}

/**
 * Finds what to replace (cases 21, 22, 43, 44). Exact but for line ends: LF in `oldText` matches CRLF too, and LF in
 * `newText` takes the line end that stands at the match. Nothing in `newText` is special.
 * @throws {ToolError} unless there is exactly one match, or `replaceAll` and at least one.
 */
export function findReplacements(
  text: string,
  oldText: string,
  newText: string,
  replaceAll: boolean,
): readonly TextEdit[] {
  if (oldText === '') {
    throw new ToolError(
      'bad-input',
      'old_string is empty. Give the text to replace; to write a whole file use write.',
    );
  }
  if (oldText === newText) {
    throw new ToolError('unchanged', 'old_string and new_string are the same, so nothing would change.');
  }
  const spans = findAll(text, oldText);
  if (spans.length === 0) throw notFound(text, oldText);
  if (spans.length > 1 && !replaceAll) {
    throw new ToolError(
      'too-many-matches',
      `old_string occurs ${spans.length} times (lines ${lineList(text, spans)}). ` +
        'Add surrounding lines until it is unique, or set replace_all to true.',
    );
  }
  const edits = withoutOverlaps(spans).map((span) => ({
    ...span,
    text: newText.includes('\r') ? newText : withLineEndsOf(text, span, newText),
  }));
  if (edits.every((edit) => text.slice(edit.start, edit.end) === edit.text)) {
    throw new ToolError('unchanged', 'The file already holds new_string there, so nothing would change.');
  }
  return edits;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** All places, overlapping ones too: "aa" stands twice in "aaa", so it is not unique. */
function findAll(text: string, wanted: string): Span[] {
  const spans: Span[] = [];
  if (wanted.includes('\r') || !wanted.includes('\n') || !text.includes('\r\n')) {
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
      spans.push({ start: at, end: at + wanted.length });
    }
    return spans;
  }
  const { lf, offsets } = toLf(text);
  for (let at = lf.indexOf(wanted); at !== -1; at = lf.indexOf(wanted, at + 1)) {
    spans.push({ start: offsets(at), end: offsets(at + wanted.length) });
  }
  return spans;
}

/** The text with LF for CRLF, and where each of its places lies in the original. */
function toLf(text: string): { lf: string; offsets: (at: number) => number } {
  const dropped: number[] = []; // places in the LF text of those LF that were CRLF
  for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2)) {
    dropped.push(at - dropped.length);
  }
  const offsets = (at: number) => {
    let low = 0;
    let high = dropped.length; // how many CR stand before the place
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((dropped[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return at + low;
  };
  return { lf: text.replaceAll('\r\n', '\n'), offsets };
}

function withoutOverlaps(spans: readonly Span[]): Span[] {
  const kept: Span[] = [];
  for (const span of spans) if (span.start >= (kept.at(-1)?.end ?? 0)) kept.push(span);
  return kept;
}

/** The n-th line break takes the n-th line end of the match; beyond them the match's last one, or the nearest. */
function withLineEndsOf(text: string, span: Span, newText: string): string {
  if (!newText.includes('\n')) return newText;
  const ends = text.slice(span.start, span.end).match(/\r\n|\n/g) ?? [];
  const beyond = ends.at(-1) ?? nearestLineEnd(text, span);
  return newText
    .split('\n')
    .map((line, i, all) => (i < all.length - 1 ? line + (ends[i] ?? beyond) : line))
    .join('');
}

function nearestLineEnd(text: string, { start, end }: Span): string {
  const before = start === 0 ? -1 : text.lastIndexOf('\n', start - 1);
  const at = before === -1 ? text.indexOf('\n', end) : before;
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n';
}

function lineList(text: string, spans: readonly Span[]): string {
  const shown = spans.slice(0, 10).map((span) => lineAt(text, span.start));
  return [...new Set(shown)].join(', ') + (spans.length > shown.length ? ', …' : '');
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

/** Says where text that differs only in blanks, quotes or dashes stands; it is never taken for a match (case 44). */
function notFound(text: string, oldText: string): ToolError {
  const first = oldText
    .split(/\r?\n/)
    .map(loose)
    .find((line) => line !== '');
  const line = first === undefined ? -1 : text.split(/\r?\n/).findIndex((one) => loose(one).includes(first));
  const near =
    line === -1
      ? ''
      : ` Line ${line + 1} is similar but not the same; blanks, quotes and dashes must match exactly.`;
  return new ToolError(
    'no-match',
    `old_string was not found.${near} Read the file and copy the text exactly, without the line numbers.`,
  );
}

function loose(line: string): string {
  return line
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
}
