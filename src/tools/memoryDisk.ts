import { sameBytes } from './encoding.ts';
import { ToolError } from './errors.ts';
import type { Disk, Entry, FileStat } from './ports.ts';
import { baseName, canonicalUri, childUri, joinUri, namesOf, parentUri, parseUri, topUri } from './uri.ts';

/** What a disk in memory holds: text (as UTF-8), bytes, a link to a path, a folder, or a device. */
export type MemoryNode =
  | string
  | Uint8Array
  | { readonly link: string }
  | 'folder'
  | { readonly device: true };

interface Stored {
  readonly uri: string;
  readonly content: Uint8Array | { readonly link: string } | 'folder' | 'other';
  readonly mtime: number;
}

/** What a volume in memory ignores about names. */
export interface MemoryVolume {
  /** `a.ts` and `A.ts` are one file. */
  readonly ignoresCase?: boolean;
  /** `é` as one character and as two is one name. */
  readonly ignoresForm?: boolean;
}

export interface MemoryDiskOptions extends MemoryVolume {
  /** Folders in which other volumes begin. */
  readonly mounts?: Readonly<Record<string, MemoryVolume>>;
}

/** A disk in memory that tests can look into. */
export interface MemoryDisk extends Disk {
  put(uri: string, node: MemoryNode): void;
  remove(uri: string): void;
  bytes(uri: string): Uint8Array | undefined;
  /** Everything that is stored, links not followed. */
  uris(): readonly string[];
}

/** A real file system in a map: bytes, folders, links (also dangling), devices, and volumes with habits of their own. */
export function createMemoryDisk(options: MemoryDiskOptions = {}): MemoryDisk {
  const nodes = new Map<string, Stored>();
  let clock = 0;
  const mounts = new Map<string, MemoryVolume>();
  for (const [uri, volume] of Object.entries(options.mounts ?? {})) mounts.set(keyIn(uri).key, volume);
  const key = (uri: string) => keyIn(uri).key;
  const get = (uri: string) => nodes.get(key(uri));

  /** The key of a node, each name folded as the volume of its folder does. */
  function keyIn(uri: string): { readonly key: string; readonly volume: string } {
    const parts = parseUri(uri);
    let at = topUri(parts);
    let habits: MemoryVolume = options;
    let volume = at;
    for (const name of namesOf(parts)) {
      at = joinUri(at, foldedIn(habits, name));
      const mounted = mounts.get(at);
      if (mounted !== undefined) [habits, volume] = [mounted, at];
    }
    return { key: at, volume };
  }

  function put(uri: string, content: Stored['content']): void {
    const canonical = canonicalUri(uri);
    const parent = parentUri(canonical);
    if (parent !== canonical && get(parent) === undefined) put(parent, 'folder');
    if (parent !== canonical && get(parent)?.content !== 'folder') {
      throw new ToolError('not-a-folder', `${parseUri(parent).path} is a file, so nothing can be in it.`);
    }
    nodes.set(key(canonical), { uri: get(canonical)?.uri ?? canonical, content, mtime: ++clock });
  }

  function resolve(uri: string): string {
    const parts = parseUri(uri);
    const top = topUri(parts);
    let at = top;
    let followed = 0;
    const names = [...namesOf(parts)];
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      if (name === '..') at = parentUri(at);
      if (name === '..' || name === '.' || name === '') continue;
      const next = childUri(at, name);
      const node = get(next);
      if (typeof node?.content === 'object' && 'link' in node.content) {
        if (++followed > 40) {
          throw new ToolError('io', `${parseUri(uri).path} is a link that leads back to itself.`);
        }
        const { link } = node.content;
        names.unshift(...link.split('/'));
        if (link.startsWith('/')) at = top;
      } else at = node?.uri ?? next;
    }
    return at;
  }

  function file(uri: string): Uint8Array {
    const content = get(uri)?.content;
    if (content instanceof Uint8Array) return content;
    if (content === undefined) throw new ToolError('not-found', `${parseUri(uri).path} does not exist.`);
    throw new ToolError('not-a-file', `${parseUri(uri).path} is not a file.`);
  }

  return {
    put(uri, node) {
      const content = contentOf(node);
      const isLink = typeof content === 'object' && 'link' in content;
      put(isLink ? joinUri(resolve(parentUri(uri)), baseName(uri)) : resolve(uri), content);
    },
    remove: (uri) => void nodes.delete(key(uri)),
    bytes: (uri) => {
      const content = get(resolve(uri))?.content;
      return content instanceof Uint8Array ? content : undefined;
    },
    uris: () => [...nodes.values()].map((node) => node.uri),
    realUri: async (uri) => resolve(uri),
    stat: async (uri) => statOf(get(uri), keyIn(uri).volume),
    async list(uri) {
      const content = get(uri)?.content;
      const top = canonicalUri(uri) === topUri(parseUri(uri));
      if (content === undefined && !top)
        throw new ToolError('not-found', `${parseUri(uri).path} does not exist.`);
      const folder = key(uri);
      return [...nodes.values()]
        .filter((node) => parentUri(node.uri) !== node.uri && key(parentUri(node.uri)) === folder)
        .map((node): Entry => ({ name: baseName(node.uri), kind: kindOf(node) }));
    },
    async readBytes(uri, maxBytes) {
      const bytes = file(uri);
      if (bytes.length > maxBytes) {
        throw new ToolError(
          'too-large',
          `${parseUri(uri).path} has ${bytes.length} bytes; the limit is ${maxBytes}.`,
        );
      }
      return bytes;
    },
    async replaceBytes(uri, before, after) {
      if (!sameBytes(file(uri), before)) throw new ToolError('changed', `${parseUri(uri).path} has changed.`);
      put(uri, after);
    },
    async createFile(uri, bytes) {
      if (get(uri) !== undefined) throw new ToolError('exists', `${parseUri(uri).path} exists already.`);
      put(uri, bytes);
    },
  };
}

function contentOf(node: MemoryNode): Stored['content'] {
  if (node === 'folder' || node instanceof Uint8Array) return node;
  if (typeof node === 'string') return new TextEncoder().encode(node);
  return 'device' in node ? 'other' : node;
}

function foldedIn(volume: MemoryVolume, name: string): string {
  const formed = volume.ignoresForm === true ? name.normalize('NFC') : name;
  return volume.ignoresCase === true ? formed.toLowerCase() : formed;
}

function statOf(node: Stored | undefined, volume: string): FileStat | undefined {
  if (node === undefined) return undefined;
  const kind = kindOf(node);
  const size = node.content instanceof Uint8Array ? node.content.length : 0;
  return { kind: kind === 'link' ? 'other' : kind, size, mtime: node.mtime, volume };
}

function kindOf({ content }: Stored): Entry['kind'] {
  if (content instanceof Uint8Array) return 'file';
  return typeof content === 'string' ? content : 'link';
}
