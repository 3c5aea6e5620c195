import * as vscode from 'vscode';
import { createFiles } from '../tools/files.ts';
import type { Codec, Disk, Files, Root } from '../tools/ports.ts';
import { canonicalUri } from '../tools/uri.ts';
import { createDocuments } from './filesDocuments.ts';
import { createLocalDisk } from './filesLocal.ts';
import { createVirtualDisk } from './filesVirtual.ts';

/** The workspace's files as the user of this window sees them (DESIGN section 7). */
export function createVscodeFiles(): Files {
  const local = createLocalDisk();
  const virtual = createVirtualDisk();
  return createFiles({
    roots: folders,
    disk: choose((uri) => (uri.startsWith('file:') ? local : virtual)),
    documents: createDocuments(),
    codec: editorCodec,
    readOnlyBecause: () =>
      vscode.workspace.isTrusted
        ? undefined
        : 'The user has not trusted this workspace, so nothing may be changed. Ask the user to trust it.',
  });
}

/** The encodings that the editor knows, by the user's settings. */
const editorCodec: Codec = {
  encodingFor: (uri) =>
    vscode.workspace.getConfiguration('files', vscode.Uri.parse(uri)).get<string>('encoding') ?? 'utf8',
  decode: async (bytes, encoding) => vscode.workspace.decode(bytes, { encoding }),
  encode: async (text, encoding) => vscode.workspace.encode(text, { encoding }),
};

function folders(): readonly Root[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => ({
    name,
    uri: canonicalUri(uri.toString()),
  }));
}

/** One disk out of several, by the URI that is asked for. */
function choose(diskOf: (uri: string) => Disk): Disk {
  return {
    realUri: (uri) => diskOf(uri).realUri(uri),
    stat: (uri) => diskOf(uri).stat(uri),
    list: (uri) => diskOf(uri).list(uri),
    readBytes: (uri, maxBytes) => diskOf(uri).readBytes(uri, maxBytes),
    replaceBytes: (uri, before, after) => diskOf(uri).replaceBytes(uri, before, after),
    createFile: (uri, bytes) => diskOf(uri).createFile(uri, bytes),
  };
}
