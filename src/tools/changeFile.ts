import type { DecodedText } from './encoding.ts';
import { ToolError } from './errors.ts';
import type { FilesParts } from './files.ts';
import type { Place } from './locate.ts';
import type { ChangedFile, OpenDocument, TextChange, TextEdit, TextFile } from './ports.ts';
import { applyEdits, lineDifference } from './text.ts';
import { encodeText, newFileFormat } from './textBytes.ts';

/** A file as it was found: on disk, open in an editor, both, or neither. */
export interface FoundFile {
  readonly place: Place;
  readonly uri: string;
  readonly bytes?: Uint8Array;
  /** What `bytes` say. */
  readonly stored?: DecodedText;
  readonly document?: OpenDocument;
  readonly readOnly?: boolean;
}

/** The text that the user sees. */
export function textFileOf({ document, stored }: FoundFile): TextFile | undefined {
  if (document?.unsaved === true || (document !== undefined && stored === undefined)) {
    const bom = stored?.bom ?? document.encoding === 'utf8bom';
    return { text: document.text, encoding: document.encoding, bom, unsaved: true };
  }
  return stored && { ...stored, unsaved: false };
}

/**
 * Stores a change (DESIGN section 7): through the editor where it holds the text, as one undo step, and on disk
 * otherwise. Undefined when the text changed meanwhile, and nothing was done.
 */
export async function storeChange(
  found: FoundFile,
  change: TextChange,
  parts: FilesParts,
): Promise<ChangedFile | undefined> {
  const now = textFileOf(found);
  if (now === undefined) return create(found, change, parts);
  const after = 'content' in change ? change.content : applyEdits(now.text, change.edits);
  const { document, place } = found;
  if (found.readOnly === true) {
    throw new ToolError('denied', `${place.path} is read-only. Ask the user to allow changes to it.`);
  }
  if (document !== undefined && throughEditor(found, document, change, now, after)) {
    return changeDocument(found, document, change, after, parts);
  }
  return changeBytes(found, after, parts);
}

/** An editor would change more than was asked for: mixed line ends, a BOM that isn't there, a text it hasn't loaded. */
function throughEditor(
  { stored }: FoundFile,
  document: OpenDocument,
  change: TextChange,
  now: TextFile,
  after: string,
): boolean {
  if (now.unsaved) return true;
  if (stored === undefined || document.text !== stored.text) return false;
  if (stored.encoding.startsWith('utf16') && !stored.bom) return false;
  if ('edits' in change && change.edits.some((edit) => splitsLineEnd(now.text, edit))) return false;
  return withLineEnds(after, lineEndOf(after, document)) === after;
}

async function changeDocument(
  { place }: FoundFile,
  document: OpenDocument,
  change: TextChange,
  after: string,
  { codec, documents, disk }: FilesParts,
): Promise<ChangedFile | undefined> {
  await encodeText({ text: after, encoding: document.encoding, bom: false }, codec, place.path);
  const lineEnd = 'content' in change ? lineEndOf(after, document) : document.lineEnd;
  const whole = { start: 0, end: document.text.length, text: after };
  const difference = lineEnd === document.lineEnd ? lineDifference(document.text, after) : whole;
  const edits = 'edits' in change ? change.edits : difference === undefined ? [] : [difference];
  if (edits.some((edit) => splitsLineEnd(document.text, edit))) {
    throw new ToolError(
      'bad-input',
      'old_string begins or ends inside a CRLF line end. Leave out the "\\r".',
    );
  }
  if (!(await documents.apply(document, edits, lineEnd))) return undefined;
  const nowhere = document.untitled && document.uri === place.real;
  if (!nowhere && !(await documents.save(document))) {
    throw new ToolError(
      'not-saved',
      `The change stands in the open editor of ${place.path}, but it could not be saved; maybe the file changed on disk. ` +
        'Ask the user to look at the editor.',
    );
  }
  const text = documents.textOf(document.uri) ?? after;
  const altered = text !== withLineEnds(after, lineEnd);
  const created = document.untitled && !nowhere && (await disk.stat(place.real)) !== undefined;
  return { text, created, saved: !nowhere, alteredBySave: altered };
}

async function changeBytes(
  { bytes, stored, place }: FoundFile,
  after: string,
  { codec, disk }: FilesParts,
): Promise<ChangedFile | undefined> {
  if (bytes === undefined || stored === undefined) return undefined;
  const next = await encodeText({ ...stored, text: after }, codec, place.path);
  const done = await unlessRefused('changed', disk.replaceBytes(place.real, bytes, next));
  return done ? { text: after, created: false, saved: true, alteredBySave: false } : undefined;
}

async function create(
  { place, uri }: FoundFile,
  change: TextChange,
  { codec, disk }: FilesParts,
): Promise<ChangedFile | undefined> {
  const text = 'content' in change ? change.content : applyEdits('', change.edits);
  const bytes = await encodeText({ ...newFileFormat(codec.encodingFor(uri)), text }, codec, place.path);
  const done = await unlessRefused('exists', disk.createFile(place.real, bytes));
  return done ? { text, created: true, saved: true, alteredBySave: false } : undefined;
}

async function unlessRefused(code: 'changed' | 'exists', work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof ToolError && error.code === code) return false;
    throw error;
  }
}

function splitsLineEnd(text: string, { start, end }: TextEdit): boolean {
  return [start, end].some((at) => text[at - 1] === '\r' && text[at] === '\n');
}

function lineEndOf(text: string, document: OpenDocument): '\n' | '\r\n' {
  if (text.includes('\r\n')) return '\r\n';
  return text.includes('\n') ? '\n' : document.lineEnd;
}

function withLineEnds(text: string, lineEnd: string): string {
  return text.replace(/\r\n|\n|\r/g, () => lineEnd);
}
