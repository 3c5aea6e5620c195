import * as vscode from 'vscode';
import { createRegistry, type Registry, type Tool } from '../core/tools.ts';
import { displayPath } from '../tools/paths.ts';
import type { Files } from '../tools/ports.ts';
import { createSession, type Session } from '../tools/session.ts';
import type { Subscription } from './emitter.ts';
import type { GrepMatcher } from './grepMatcher.ts';
import { readSample } from './sample.ts';
import type { Settings } from './settings.ts';

/** The user's files, or a new copy of the sample workspace in memory. */
export type FilesChoice = 'workspace' | 'sample';

export interface PreparedTools {
  readonly registry: Registry;
  /** Sentences that a person should know about this choice of files. */
  readonly notes: readonly string[];
  /** The one key of a resource, however it is spelled: the resolving step of these files. */
  keyOf(resource: string): Promise<string>;
  /** A resource as people write it: a path below the workspace. */
  nameOf(resource: string): string;
}

export interface ToolsetParts {
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
}

/** What the tools work with, made when the first batch needs it. */
interface Ports {
  readonly workspace: Files;
  readonly matcher: GrepMatcher;
}

/** The tools that a batch can call: the built-in ones on some files, and those that extensions registered. */
export class Toolset implements vscode.Disposable {
  readonly #parts: ToolsetParts;
  readonly #registered = new Map<string, Tool>();
  #ports: Promise<Ports> | undefined;

  constructor(parts: ToolsetParts) {
    this.#parts = parts;
  }

  /** Adds a tool until disposed. @throws {Error} when its name is taken or empty. */
  register(tool: Tool): Subscription {
    createRegistry([...this.#registered.values(), tool]); // throws for a bad name
    this.#registered.set(tool.name, tool);
    return { dispose: () => void this.#registered.delete(tool.name) };
  }

  /** The tools for one batch. */
  async prepare(
    choice: FilesChoice,
    profile: Settings['profile'],
    session: Session = createSession(),
  ): Promise<PreparedTools> {
    const { extensionUri, log } = this.#parts;
    const { createWorkspaceTools } = await import('../tools/workspaceTools.ts');
    this.#ports ??= createPorts(extensionUri);
    const { workspace, matcher } = await this.#ports;
    const files = choice === 'sample' ? await sampleFiles(extensionUri) : workspace;
    const builtIn = createWorkspaceTools({ files, matcher, session }, { profile });
    const names = new Set(builtIn.map(({ name }) => name));
    const others = [...this.#registered.values()].filter(({ name }) => {
      if (names.has(name))
        log.warn(`A registered tool is named "${name}" like a built-in one, which is used.`);
      return !names.has(name);
    });
    return {
      registry: createRegistry([...builtIn, ...others]),
      notes: notesOn(choice),
      keyOf: files.keyOf,
      nameOf: (resource) => displayPath(resource, files.roots),
    };
  }

  /** The URI by which the user opened what a run names by its key; the way back from keys for people. */
  async uriOf(resource: string): Promise<string> {
    this.#ports ??= createPorts(this.#parts.extensionUri);
    return (await this.#ports).workspace.uriOf(resource);
  }

  dispose(): void {
    void this.#ports?.then(({ matcher }) => matcher.dispose());
  }
}

async function createPorts(extensionUri: vscode.Uri): Promise<Ports> {
  const [{ createVscodeFiles }, { createGrepMatcher }] = await Promise.all([
    import('./vscodeFiles.ts'),
    import('./grepMatcher.ts'),
  ]);
  const workerPath = vscode.Uri.joinPath(extensionUri, 'dist', 'grepWorker.js').fsPath;
  return { workspace: createVscodeFiles(), matcher: createGrepMatcher({ workerPath }) };
}

async function sampleFiles(extensionUri: vscode.Uri): Promise<Files> {
  const { createMemoryFiles } = await import('../tools/memoryFiles.ts');
  return createMemoryFiles(await readSample(extensionUri), {
    roots: [{ name: 'sample', uri: 'waves-sample:/sample' }],
  });
}

function notesOn(choice: FilesChoice): readonly string[] {
  if (choice === 'sample')
    return ['This batch ran on a copy of the sample workspace in memory: none of your files was touched.'];
  if (!vscode.workspace.isTrusted)
    return ['This workspace is not trusted, so calls that edit or write files are refused. Reading works.'];
  return [];
}
