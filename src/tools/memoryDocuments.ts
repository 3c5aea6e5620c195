import { decodeUnicode, encodeUnicode } from './encoding.ts';
import type { MemoryDisk } from './memoryDisk.ts';
import type { Documents, OpenDocument } from './ports.ts';
import { applyEdits } from './text.ts';

/** Open documents in memory that tests can type into. */
export interface MemoryDocuments extends Documents {
  /** Opens a file, or a new one; with `text`, as if a person had typed that and not saved it. */
  open(uri: string, text?: string): void;
  /** Takes back one step, as Ctrl+Z does. */
  undo(uri: string): void;
  close(uri: string): void;
  readonly elsewhere: string[];
}

/** Behaves as VS Code's text documents do: one kind of line end, and an encoding that is kept when saving. */
export function createMemoryDocuments(disk: Pick<MemoryDisk, 'bytes' | 'put'>): MemoryDocuments {
  const open = new Map<string, OpenDocument>();
  const steps = new Map<string, OpenDocument[]>();
  const elsewhere: string[] = [];

  function change(document: OpenDocument, next: OpenDocument): void {
    steps.set(document.uri, [...(steps.get(document.uri) ?? []), document]);
    open.set(document.uri, next);
  }

  return {
    elsewhere,
    list: () => [...open.values()],
    unsavedElsewhere: () => elsewhere,
    open(uri, text) {
      const bytes = disk.bytes(uri);
      const stored = bytes && decodeUnicode(bytes);
      const lineEnd = (text ?? stored?.text ?? '').includes('\r\n') ? '\r\n' : '\n';
      const encoding =
        stored?.bom === true && stored.encoding === 'utf8' ? 'utf8bom' : (stored?.encoding ?? 'utf8');
      const shown = withLineEnds(text ?? stored?.text ?? '', lineEnd);
      const untitled = bytes === undefined;
      open.set(uri, { uri, text: shown, unsaved: text !== undefined, encoding, untitled, lineEnd });
    },
    undo(uri) {
      const before = steps.get(uri)?.pop();
      if (before !== undefined) open.set(uri, { ...before, unsaved: true });
    },
    close: (uri) => void open.delete(uri),
    async apply(document, edits, lineEnd) {
      if (open.get(document.uri) !== document) return false;
      const text = withLineEnds(applyEdits(document.text, edits), lineEnd);
      change(document, { ...document, text, lineEnd, unsaved: true });
      return true;
    },
    async save({ uri }) {
      const document = open.get(uri);
      if (document === undefined) return false;
      if (!document.unsaved) return true;
      const bom = document.encoding === 'utf8bom' || document.encoding.startsWith('utf16');
      const bytes = encodeUnicode({ ...document, bom });
      if (bytes === undefined) return false;
      disk.put(uri.replace(/^untitled:\/*/, 'file:///'), bytes);
      open.set(uri, { ...document, unsaved: false });
      return true;
    },
    textOf: (uri) => open.get(uri)?.text,
  };
}

function withLineEnds(text: string, lineEnd: string): string {
  return text.replace(/\r\n|\n|\r/g, () => lineEnd);
}
