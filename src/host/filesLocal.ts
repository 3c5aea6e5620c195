import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, readlink, realpath, unlink } from 'node:fs/promises';
import { basename, dirname, join, parse, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { sameBytes } from '../tools/encoding.ts';
import { ToolError } from '../tools/errors.ts';
import type { Disk, Entry, FileStat } from '../tools/ports.ts';
import { canonicalUri } from '../tools/uri.ts';
import { codeOf, fileError, tooLarge } from './filesErrors.ts';

/** Never follows a link that appeared since the path was resolved, and never waits for a FIFO. */
const careful = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The local disk through Node, for `file:` URIs: far quicker than the editor's file service (DESIGN section 7). */
export function createLocalDisk(): Disk {
  return {
    realUri: (uri) => at(uri, async (path) => canonicalUri(pathToFileURL(await realPath(path)).href)),
    stat: (uri) =>
      at(uri, async (path) => {
        const stats = await lstat(path).catch(undefinedIfMissing);
        return stats && statOf(stats);
      }),
    list: (uri) =>
      at(uri, async (path) => {
        const entries = await readdir(path, { withFileTypes: true });
        return entries.map((entry): Entry => ({ name: entry.name, kind: kindOf(entry) }));
      }),
    readBytes: (uri, maxBytes) =>
      at(uri, async (path) => {
        await using file = await openFile(path, constants.O_RDONLY);
        const { size } = await file.stat();
        if (size > maxBytes) throw tooLarge(path, size, maxBytes);
        const bytes = await file.readFile();
        if (bytes.length > maxBytes) throw tooLarge(path, bytes.length, maxBytes);
        return bytes;
      }),
    replaceBytes: (uri, before, after) =>
      at(uri, async (path) => {
        await using file = await openFile(path, constants.O_RDWR);
        if (((await file.stat()).mode & 0o222) === 0) throw new ToolError('denied', `${path} is read-only.`);
        if (!sameBytes(await file.readFile(), before)) throw new ToolError('changed', `${path} has changed.`);
        await overwrite(file, before, after);
      }),
    createFile: (uri, bytes) =>
      at(uri, async (path) => {
        await makeFolder(dirname(path));
        await using file = await open(
          path,
          constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | careful,
        );
        try {
          await writeAt(file, bytes, 0);
          await file.datasync();
        } catch (error) {
          await unlink(path);
          throw error;
        }
      }),
  };
}

/** A drive alone (`c:`) would mean the current folder on it. */
function pathOf(uri: string): string {
  const path = fileURLToPath(uri);
  return /^[a-z]:$/i.test(path) ? path + sep : path;
}

async function at<T>(uri: string, work: (path: string) => Promise<T>): Promise<T> {
  const path = pathOf(uri);
  try {
    return await work(path);
  } catch (error) {
    throw fileError(error, path);
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    if (!['EEXIST', 'ENOTDIR'].includes(codeOf(error))) throw error;
    throw new ToolError('not-a-folder', `${path} cannot be a folder: something in its path is a file.`);
  }
}

/** Resolves links; for what doesn't exist, those of the nearest ancestor, and dangling ones (cases 2, 19). */
async function realPath(path: string, links = { left: 40 }): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const folder = await realPath(parent, links);
  const target = await readlink(join(folder, basename(path))).catch(() => undefined);
  if (target === undefined) return join(folder, basename(path));
  if (links.left-- === 0) throw new ToolError('io', `${path} leads through too many links.`);
  const { root } = parse(target);
  let at = resolve(folder, root);
  for (const name of target.slice(root.length).split(sep === '/' ? sep : /[\\/]/)) {
    if (name === '..')
      at = dirname(at); // above where a link before it leads, as the system does
    else if (name !== '' && name !== '.') at = await realPath(join(at, name), links);
  }
  return at;
}

async function openFile(path: string, flags: number): Promise<FileHandle> {
  const file = await open(path, flags | careful);
  const stats = await file.stat();
  if (stats.isFile()) return file;
  await file.close();
  throw new ToolError('not-a-file', `${path} is not a regular file.`);
}

/**
 * Overwrites in place, so that links, mode, owner and hard links stay (case 40). What is new goes behind the old end
 * first: a full disk then leaves the old text as it was. A failure later puts the old bytes back.
 */
async function overwrite(file: FileHandle, before: Uint8Array, after: Uint8Array): Promise<void> {
  const shared = Math.min(before.length, after.length);
  let from = 0;
  while (from < shared && before[from] === after[from]) from++;
  try {
    await writeAt(file, after.subarray(shared), shared);
    await writeAt(file, after.subarray(from, shared), from);
    if (after.length < before.length) await file.truncate(after.length);
  } catch (error) {
    await writeAt(file, before.subarray(from), from);
    await file.truncate(before.length);
    throw error;
  }
  await file.datasync();
}

async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

function statOf(stats: Stats): FileStat {
  const kind = kindOf(stats);
  return {
    kind: kind === 'link' ? 'other' : kind,
    size: stats.size,
    mtime: stats.mtimeMs,
    readOnly: (stats.mode & 0o222) === 0,
    volume: String(stats.dev),
  };
}

function kindOf(one: Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): Entry['kind'] {
  if (one.isFile()) return 'file';
  if (one.isDirectory()) return 'folder';
  return one.isSymbolicLink() ? 'link' : 'other';
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error));
}

function undefinedIfMissing(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}
