import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Access } from '../../../src/core/model.ts';
import type { Tool } from '../../../src/core/tools.ts';
import { createLocalDisk } from '../../../src/host/filesLocal.ts';
import type { DeclarationProfile } from '../../../src/tools/declarations.ts';
import { createFiles } from '../../../src/tools/files.ts';
import type { Limits } from '../../../src/tools/limits.ts';
import { createLocalMatcher } from '../../../src/tools/localMatcher.ts';
import { createMemoryDocuments, type MemoryDocuments } from '../../../src/tools/memoryDocuments.ts';
import { createMemoryFiles, unicodeOnly } from '../../../src/tools/memoryFiles.ts';
import type { Files, Matcher } from '../../../src/tools/ports.ts';
import { createSession } from '../../../src/tools/session.ts';
import { canonicalUri, joinUri } from '../../../src/tools/uri.ts';
import { createWorkspaceTools } from '../../../src/tools/workspaceTools.ts';

export type Content = string | Uint8Array | { link: string };

/** A workspace folder `app`, beside which other folders lie that must stay untouched. */
export interface TestWorkspace extends AsyncDisposable {
  readonly files: Files;
  readonly documents: MemoryDocuments;
  /** The absolute path of the folder that holds `app`. */
  readonly above: string;
  /** Paths are relative to `app`. */
  put(path: string, content: Content): void;
  bytes(path: string): Uint8Array | undefined;
  text(path: string): string | undefined;
  uri(path: string): string;
}

export const kinds = ['memory', 'local disk'] as const;

export function openWorkspace(
  kind: (typeof kinds)[number],
  initial: Record<string, Content> = {},
): TestWorkspace {
  const workspace = kind === 'memory' ? inMemory() : onDisk();
  for (const [path, content] of Object.entries(initial)) workspace.put(path, content);
  return workspace;
}

function inMemory(): TestWorkspace {
  const root = 'file:///x/app';
  const files = createMemoryFiles({}, { roots: [{ name: 'app', uri: root }] });
  const { disk, documents } = files;
  const uri = (path: string) => joinUri(root, path);
  const bytes = (path: string) => disk.bytes(uri(path));
  return {
    files,
    documents,
    above: '/x',
    uri,
    bytes,
    text: (path) => decode(bytes(path)),
    put: (path, content) => disk.put(uri(path), content),
    [Symbol.asyncDispose]: async () => {},
  };
}

function onDisk(): TestWorkspace {
  const above = realpathSync(mkdtempSync(join(tmpdir(), 'waves-')));
  const root = join(above, 'app');
  mkdirSync(root);
  const path = (uri: string) => fileURLToPath(uri.replace(/^untitled:\/*/, 'file:///'));
  const read = (file: string) => {
    try {
      return new Uint8Array(readFileSync(file));
    } catch {
      return undefined;
    }
  };
  const documents = createMemoryDocuments({
    bytes: (uri) => read(path(uri)),
    put: (uri, content) => writeFileSync(path(uri), content as Uint8Array),
  });
  const rootUri = canonicalUri(pathToFileURL(root).href);
  const files = createFiles({
    roots: () => [{ name: 'app', uri: rootUri }],
    disk: createLocalDisk(),
    documents,
    codec: unicodeOnly(),
  });
  return {
    files,
    documents,
    above,
    uri: (one) => joinUri(rootUri, one),
    bytes: (one) => read(join(root, one)),
    text: (one) => decode(read(join(root, one))),
    put(one, content) {
      const file = join(root, one);
      mkdirSync(dirname(file), { recursive: true });
      if (typeof content === 'object' && 'link' in content) symlinkSync(content.link, file);
      else writeFileSync(file, content);
    },
    async [Symbol.asyncDispose]() {
      rmSync(above, { recursive: true, force: true });
    },
  };
}

function decode(bytes: Uint8Array | undefined): string | undefined {
  return bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

export interface TestTools {
  readonly tools: readonly Tool[];
  readonly accesses: Access[];
  tool(name: string): Tool;
  run(name: string, input: Record<string, unknown>): Promise<string>;
  /** The sentence of the soft error. */
  fail(name: string, input: Record<string, unknown>): Promise<string>;
}

export interface TestToolsOptions {
  profile?: DeclarationProfile;
  matcher?: Matcher;
  limits?: Partial<Limits>;
  signal?: AbortSignal;
}

/** The tools in one session, with what they reported. */
export function toolsOf(files: Files, options: TestToolsOptions = {}): TestTools {
  const { profile = 'published', matcher = createLocalMatcher(), limits, signal } = options;
  const ports = { files, matcher, session: createSession() };
  const tools = createWorkspaceTools(ports, { profile, ...(limits && { limits }) });
  const accesses: Access[] = [];
  const context = {
    signal: signal ?? new AbortController().signal,
    report: (access: Access) => void accesses.push(access),
    progress: () => {},
    whenHandedOut: (then: () => void) => then(),
    dispatch: async () => {
      throw new Error('no workspace tool dispatches');
    },
  };
  const tool = (name: string) => {
    const found = tools.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no tool ${name}`);
    return found;
  };
  return {
    tools,
    accesses,
    tool,
    async run(name, input) {
      const output = await tool(name).run(input, context);
      if (typeof output !== 'string') throw new Error('expected text');
      return output;
    },
    async fail(name, input) {
      let output: unknown;
      try {
        output = await tool(name).run(input, context);
      } catch (error) {
        const { message } = error as Error;
        if ((error as Error).name !== 'ToolError') throw error;
        return message;
      }
      throw new Error(`expected a soft error, got: ${JSON.stringify(output)}`);
    },
  };
}

export const setMode = chmodSync;
