import { type FoundFile, storeChange, textFileOf } from './changeFile.ts';
import { ToolError } from './errors.ts';
import { createKeys, namesFile } from './keys.ts';
import { defaultLimits } from './limits.ts';
import { openedUri } from './listed.ts';
import { createBorder, findDocument, findUntitled } from './locate.ts';
import { createLocks } from './locks.ts';
import { asSaved, looseUri } from './paths.ts';
import type { Codec, Disk, Documents, Files, Root } from './ports.ts';
import { decodeText } from './textBytes.ts';

/** What the workspace's files are made of. */
export interface FilesParts {
  roots(): readonly Root[];
  readonly disk: Disk;
  readonly documents: Documents;
  readonly codec: Codec;
  /** Why nothing may be written now (an untrusted workspace, say), or undefined. */
  readOnlyBecause?(): string | undefined;
}

const attempts = 3;

/** Puts a disk and the open documents together into the files that the user sees (DESIGN section 7). */
export function createFiles(parts: FilesParts): Files {
  const { disk, documents, codec } = parts;
  const locks = createLocks();
  const keys = createKeys(disk);
  const border = createBorder(disk);

  const locate = (uri: string) => border.locate(uri, parts.roots());

  async function keyOf(resource: string): Promise<string> {
    const uri = asSaved(resource, parts.roots());
    return namesFile(uri, parts.roots()) ? keys.of(uri) : uri;
  }

  async function find(uri: string, maxBytes: number): Promise<FoundFile> {
    if (isUntitled(uri)) return findNew(uri);
    const place = await locate(uri);
    const stat = await disk.stat(place.real);
    if (stat === undefined) {
      const document = (await findDocument(uri, place, documents, disk)) ?? findUntitled(uri, documents);
      return { place, uri, ...(document && { document }) };
    }
    if (stat.kind !== 'file') throw notAFile(place.path, stat.kind);
    const document = await findDocument(uri, place, documents, disk);
    const bytes = await disk.readBytes(place.real, maxBytes);
    return { place, uri, bytes, readOnly: stat.readOnly === true, ...(document && { document }) };
  }

  function findNew(uri: string): FoundFile {
    const document = documents.list().find((one) => one.uri === uri);
    if (document === undefined) {
      throw new ToolError('not-found', `No unsaved new file "${uri}" is open in the editor.`);
    }
    return { place: { real: uri, inRoot: uri, path: uri }, uri, document };
  }

  async function decoded(found: FoundFile): Promise<FoundFile> {
    if (found.bytes === undefined) return found;
    const encoding = found.document?.encoding ?? codec.encodingFor(found.uri);
    return { ...found, stored: await decodeText(found.bytes, encoding, codec, found.place.path) };
  }

  return {
    get roots() {
      return parts.roots();
    },
    keyOf,
    realResource: async (uri) => (isUntitled(uri) ? keyOf(uri) : keys.ofReal((await locate(uri)).real)),
    async uriOf(resource) {
      if (!namesFile(resource, parts.roots())) return resource;
      const uri = await openedUri(resource, parts.roots(), keys, disk);
      return findUntitled(uri, documents)?.uri ?? uri;
    },
    ignoresCase: async (uri) => keys.ignoreCase((await locate(uri)).real),
    async stat(uri) {
      if (isUntitled(uri)) return newFileStat(findNew(uri));
      const place = await locate(uri);
      const stat = await disk.stat(place.real);
      const document = await findDocument(uri, place, documents, disk);
      if (stat !== undefined) {
        const linked = looseUri(place.inRoot) !== looseUri(uri);
        return { ...stat, unsaved: document?.unsaved === true, ...(linked && { leadsTo: place.inRoot }) };
      }
      const untitled = document ?? findUntitled(uri, documents);
      return untitled && newFileStat({ place, uri, document: untitled });
    },
    async list(uri) {
      const place = await locate(uri);
      const stat = await disk.stat(place.real);
      if (stat === undefined) throw new ToolError('not-found', `${place.path} does not exist.`);
      if (stat.kind !== 'folder') {
        throw new ToolError('not-a-folder', `${place.path} is not a folder. Use read for a file.`);
      }
      return disk.list(place.real);
    },
    async readText(uri, options) {
      const found = await find(uri, options?.maxBytes ?? defaultLimits.fileBytes);
      const text = textFileOf(found.document?.unsaved === true ? found : await decoded(found));
      if (text === undefined) throw new ToolError('not-found', `${found.place.path} does not exist.`);
      return text;
    },
    async change(uri, decide) {
      const readOnly = parts.readOnlyBecause?.();
      if (readOnly !== undefined) throw new ToolError('untrusted', readOnly);
      const { real, path } = isUntitled(uri) ? findNew(uri).place : await locate(uri);
      const key = isUntitled(uri) ? await keyOf(uri) : await keys.ofReal(real);
      const elsewhere = documents.unsavedElsewhere();
      if (elsewhere.includes(uri) || elsewhere.includes(real)) {
        throw new ToolError(
          'unsaved',
          `${path} has unsaved changes in an editor that is not a text editor. Ask the user to save it first.`,
        );
      }
      return locks.run(key, async () => {
        for (let attempt = 0; attempt < attempts; attempt++) {
          const found = await decoded(await find(uri, defaultLimits.fileBytes));
          const changed = await storeChange(found, decide(textFileOf(found)), parts);
          if (changed !== undefined) return changed;
        }
        throw new ToolError(
          'changed',
          `${path} is being changed by somebody else right now. Read it again and retry.`,
        );
      });
    },
  };
}

function isUntitled(uri: string): boolean {
  return uri.startsWith('untitled:');
}

function newFileStat({ document }: FoundFile) {
  return { kind: 'file' as const, size: document?.text.length ?? 0, mtime: 0, unsaved: true };
}

function notAFile(path: string, kind: 'folder' | 'other'): ToolError {
  return kind === 'folder'
    ? new ToolError('not-a-file', `${path} is a folder. Use list to see what is in it.`)
    : new ToolError('not-a-file', `${path} is a device, pipe or socket, not a file.`);
}
