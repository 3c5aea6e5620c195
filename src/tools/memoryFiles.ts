import { createFiles } from './files.ts';
import { createMemoryDisk, type MemoryDisk, type MemoryDiskOptions, type MemoryNode } from './memoryDisk.ts';
import { createMemoryDocuments, type MemoryDocuments } from './memoryDocuments.ts';
import type { Codec, Files, Root } from './ports.ts';
import { joinUri } from './uri.ts';

export interface MemoryFiles extends Files {
  readonly disk: MemoryDisk;
  readonly documents: MemoryDocuments;
}

export interface MemoryFilesOptions extends MemoryDiskOptions {
  /** Default: one folder, `file:///w`. */
  readonly roots?: readonly Root[];
  /** The encoding of files without BOM. Default: utf8. */
  readonly encoding?: string;
}

/**
 * A workspace in memory, with the same rules as the real one.
 * @param initial by URI or by path below the first root
 */
export function createMemoryFiles(
  initial: Readonly<Record<string, MemoryNode>> = {},
  options: MemoryFilesOptions = {},
): MemoryFiles {
  const roots = options.roots ?? [{ name: 'w', uri: 'file:///w' }];
  const home = roots[0]?.uri ?? 'file:///';
  const disk = createMemoryDisk(options);
  for (const root of roots) disk.put(root.uri, 'folder');
  for (const [name, node] of Object.entries(initial)) disk.put(toUri(name, home), node);
  const documents = createMemoryDocuments(disk);
  const files = createFiles({
    roots: () => roots,
    disk,
    documents,
    codec: unicodeOnly(options.encoding ?? 'utf8'),
  });
  return { ...files, disk, documents };
}

/** The codec of places that know no encodings but UTF-8 and UTF-16. */
export function unicodeOnly(encoding = 'utf8'): Codec {
  const refuse = async () => {
    throw new Error(`${encoding} is not known here.`);
  };
  return { encodingFor: () => encoding, decode: refuse, encode: refuse };
}

function toUri(name: string, home: string): string {
  if (/^[a-z][a-z0-9+.-]*:/.test(name)) return name;
  return name.startsWith('/') ? joinUri('file:///', name) : joinUri(home, name);
}
