import * as vscode from 'vscode';
import { createFiles } from '../tools/files.ts';
import type { Codec, Disk, Files, Root } from '../tools/ports.ts';
import { canonicalUri } from '../tools/uri.ts';
import { createDocuments } from './filesDocuments.ts';
import { createLocalDisk, ignoresCase } from './filesLocal.ts';
import { createVirtualDisk } from './filesVirtual.ts';

/** The workspace's files in VS Code; `dispose` ends its subscription to the workspace's folders. */
export interface VscodeFiles extends Files, vscode.Disposable {
  /** Done when it is known which folders ignore case; until then the system's habit is taken for theirs. */
  readonly ready: Promise<void>;
}

/** The workspace's files as the user of this window sees them (DESIGN section 7). */
export function createVscodeFiles(): VscodeFiles {
  const caseKnown = new Map<string, boolean>();
  const local = createLocalDisk();
  const virtual = createVirtualDisk();
  const diskOf = (uri: string) => (uri.startsWith('file:') ? local : virtual);

  async function learnCase(): Promise<void> {
    const uris = folders().map((root) => root.uri);
    await Promise.all(uris.filter(isLocal).map(async (uri) => caseKnown.set(uri, await ignoresCase(uri))));
  }

  const roots = () =>
    folders().map(
      (root): Root => ({
        ...root,
        ignoresCase: caseKnown.get(root.uri) ?? (isLocal(root.uri) && systemHabit),
      }),
    );
  const files = createFiles({
    roots,
    disk: choose(diskOf),
    documents: createDocuments(),
    codec: editorCodec,
    readOnlyBecause: () =>
      vscode.workspace.isTrusted
        ? undefined
        : 'The user has not trusted this workspace, so nothing may be changed. Ask the user to trust it.',
  });
  const subscription = vscode.workspace.onDidChangeWorkspaceFolders(() => void learnCase());
  return {
    ...files,
    get roots() {
      return roots();
    },
    ready: learnCase(),
    dispose: () => subscription.dispose(),
  };
}

const systemHabit = process.platform === 'win32' || process.platform === 'darwin';

/** The encodings that the editor knows, by the user's settings. */
const editorCodec: Codec = {
  encodingFor: (uri) =>
    vscode.workspace.getConfiguration('files', vscode.Uri.parse(uri)).get<string>('encoding') ?? 'utf8',
  decode: async (bytes, encoding) => vscode.workspace.decode(bytes, { encoding }),
  encode: async (text, encoding) => vscode.workspace.encode(text, { encoding }),
};

function folders(): { name: string; uri: string }[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => ({
    name,
    uri: canonicalUri(uri.toString()),
  }));
}

function isLocal(uri: string): boolean {
  return uri.startsWith('file:');
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
