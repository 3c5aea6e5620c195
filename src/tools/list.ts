import type { Tool, ToolContext } from '../core/tools.ts';
import { pathOrRoots, searches } from './declarations.ts';
import { throwIfAborted } from './errors.ts';
import { rulesAbove } from './ignoreFilesAbove.ts';
import type { Limits } from './limits.ts';
import { count, withNotes } from './notes.ts';
import { notFound } from './notFound.ts';
import { displayPath, possibleRootOf } from './paths.ts';
import type { Entry, Files } from './ports.ts';
import { chooseUri, type Input, optionalText } from './toolInput.ts';
import type { WorkspacePorts } from './workspaceTools.ts';

/** `list`: what is in one folder (DESIGN section 7). Shows ignored and hidden names too, and says so (case 41). */
export function createListTool({ files }: WorkspacePorts, limits: Limits): Tool {
  return {
    name: 'list',
    description:
      'Lists one folder of the workspace: folders end in "/", links in "@", and what .gitignore leaves out is marked. ' +
      'Without a path: the workspace folder, or all of them where there are several.',
    inputSchema: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
          description: 'A folder: an absolute path, or relative to the workspace folder.',
        },
      },
      additionalProperties: false,
    },
    ...searches(files, (input) => pathOrRoots(input, files)),
    async run(input: Input, context: ToolContext) {
      throwIfAborted(context.signal);
      const path = optionalText(input, 'path');
      if (path === undefined && files.roots.length > 1) return listRoots(files, context);
      const uri = await chooseUri(path ?? '.', files);
      context.report({ resource: await files.realResource(uri), mode: 'read' });
      if ((await files.stat(uri)) === undefined) throw await notFound(uri, files);
      const entries = [...(await files.list(uri))].sort(foldersFirst);
      throwIfAborted(context.signal);
      const shown = entries.slice(0, limits.listEntries);
      const rules = await rulesFor(uri, entries, files, context);
      const ignored = new Set(shown.filter((entry) => rules(entry)));
      const rows = shown.map(
        (entry) => `${entry.name}${mark(entry)}${ignored.has(entry) ? ' (ignored)' : ''}`,
      );
      return withNotes(rows.join('\n'), [
        entries.length === 0 ? 'The folder is empty' : undefined,
        entries.length > shown.length &&
          `Only ${shown.length} of ${entries.length} names; use glob to see others`,
        ignored.size > 0 &&
          `${count(ignored.size, 'name')} ignored by .gitignore; glob and grep leave them out`,
      ]);
    },
  };
}

async function listRoots(files: Files, context: ToolContext): Promise<string> {
  for (const root of files.roots)
    context.report({ resource: await files.realResource(root.uri), mode: 'read' });
  const rows = files.roots.map((root) => `${displayPath(root.uri, files.roots)}/`);
  return withNotes(rows.join('\n'), ['The workspace has several folders; begin paths with the name of one']);
}

async function rulesFor(
  uri: string,
  entries: readonly Entry[],
  files: Files,
  { report }: ToolContext,
): Promise<(entry: Entry) => boolean> {
  const inRoot = possibleRootOf(uri, files.roots);
  if (inRoot === undefined) return () => false;
  const { below } = inRoot;
  const above = await rulesAbove(inRoot, files, report);
  const rules = await above.rules.inside(below, entries);
  return (entry) => above.ignored || rules.ignores([...below, entry.name], entry.kind === 'folder');
}

function foldersFirst(a: Entry, b: Entry): number {
  if ((a.kind === 'folder') !== (b.kind === 'folder')) return a.kind === 'folder' ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}

function mark({ kind }: Entry): string {
  switch (kind) {
    case 'folder':
      return '/';
    case 'link':
      return '@';
    case 'other':
      return ' (device, pipe or socket)';
    case 'file':
      return '';
  }
}
