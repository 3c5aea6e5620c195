import * as vscode from 'vscode';
import { sameBytes } from '../tools/encoding.ts';
import { ToolError } from '../tools/errors.ts';
import type { Disk, Entry, FileStat } from '../tools/ports.ts';
import { createShared } from '../tools/shared.ts';
import { parentUri, parseUri } from '../tools/uri.ts';
import { codeOf, fileError, tooLarge } from './filesErrors.ts';

const { fs } = vscode.workspace;

/** Everything that is not `file:`, through the editor's file service (case X4). Links cannot be resolved there. */
export function createVirtualDisk(): Disk {
  const shared = createShared<boolean>();

  /** Where a link leads cannot be known here, so nothing is reached through one. */
  async function refuseLinks(uri: string): Promise<void> {
    const above: string[] = [];
    for (let one = uri; parseUri(one).path.length > 1; one = parentUri(one)) above.push(one);
    const links = await Promise.all(above.map((one) => shared(one, () => isLink(one))));
    if (links.includes(true)) {
      throw new ToolError('outside', `${uri} is reached through a link, and links cannot be followed there.`);
    }
  }

  return {
    realUri: (uri) =>
      at(uri, async () => {
        await refuseLinks(uri);
        return uri;
      }),
    stat: (uri) => at(uri, async (target) => statOf(await fs.stat(target))).catch(undefinedIfMissing),
    list: (uri) =>
      at(uri, async (target) => {
        const entries = await fs.readDirectory(target);
        return entries.map(([name, type]): Entry => ({ name, kind: kindOf(type) }));
      }),
    readBytes,
    replaceBytes: (uri, before, after) =>
      at(uri, async (target) => {
        const now = await readBytes(uri, Number.MAX_SAFE_INTEGER);
        if (!sameBytes(now, before)) throw new ToolError('changed', `${uri} has changed.`);
        await fs.writeFile(target, after);
      }),
    createFile: (uri, bytes) =>
      at(uri, async (target) => {
        const there = await Promise.resolve(fs.stat(target)).catch(undefinedIfMissing);
        if (there !== undefined) throw new ToolError('exists', `${uri} exists already.`);
        await fs.createDirectory(vscode.Uri.parse(parentUri(uri)));
        await fs.writeFile(target, bytes);
      }),
  };
}

function readBytes(uri: string, maxBytes: number): Promise<Uint8Array> {
  return at(uri, async (target) => {
    const { size } = await fs.stat(target);
    if (size > maxBytes) throw tooLarge(uri, size, maxBytes);
    return fs.readFile(target);
  });
}

async function isLink(uri: string): Promise<boolean> {
  const stat = await Promise.resolve(fs.stat(vscode.Uri.parse(uri))).catch(() => undefined);
  return stat !== undefined && (stat.type & vscode.FileType.SymbolicLink) !== 0;
}

async function at<T>(uri: string, work: (target: vscode.Uri) => Promise<T>): Promise<T> {
  try {
    return await work(vscode.Uri.parse(uri));
  } catch (error) {
    throw fileError(error, uri);
  }
}

function statOf(stat: vscode.FileStat): FileStat {
  const kind = kindOf(stat.type);
  return {
    kind: kind === 'link' ? 'other' : kind,
    size: stat.size,
    mtime: stat.mtime,
    readOnly: ((stat.permissions ?? 0) & vscode.FilePermission.Readonly) !== 0,
  };
}

function kindOf(type: vscode.FileType): Entry['kind'] {
  if ((type & vscode.FileType.SymbolicLink) !== 0) return 'link';
  if ((type & vscode.FileType.Directory) !== 0) return 'folder';
  return (type & vscode.FileType.File) !== 0 ? 'file' : 'other';
}

function undefinedIfMissing(error: unknown): undefined {
  if (['not-found', 'FileNotFound'].includes(codeOf(error))) return undefined;
  throw error;
}
