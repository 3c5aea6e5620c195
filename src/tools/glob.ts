import type { Tool, ToolContext } from '../core/tools.ts';
import { searches } from './declarations.ts';
import { ToolError, throwIfAborted } from './errors.ts';
import { parseGlob, splitGlob } from './globPattern.ts';
import type { Limits } from './limits.ts';
import { count, withNotes } from './notes.ts';
import { candidates, displayPath, lexicalResource } from './paths.ts';
import type { Files, Matching } from './ports.ts';
import { chooseUri, flag, type Input, optionalText, text } from './toolInput.ts';
import { joinUri } from './uri.ts';
import { LeftOut, someRootIgnoresCase, walk } from './walk.ts';
import type { WorkspacePorts } from './workspaceTools.ts';

/** `glob`: files by the shape of their path (DESIGN section 7; cases 35, 41). */
export function createGlobTool({ files, matcher }: WorkspacePorts, limits: Limits): Tool {
  return {
    name: 'glob',
    description:
      'Finds files of the workspace by a glob such as "src/**/*.ts"; "*.ts" looks at the top only. ' +
      'What .gitignore leaves out, names with a dot and node_modules are left out, unless the pattern names them.',
    inputSchema: {
      type: 'object',
      properties: {
        pattern: { type: 'string', minLength: 1, description: 'The glob, with "/" between folders.' },
        path: { type: 'string', description: 'The folder to search. Default: the whole workspace.' },
        include_ignored: { type: 'boolean', description: 'Search also what is ignored or hidden.' },
      },
      required: ['pattern'],
      additionalProperties: false,
    },
    ...searches(files, (input) => placesOf(input, files)),
    async run(input: Input, context: ToolContext) {
      throwIfAborted(context.signal);
      const pattern = text(input, 'pattern');
      const glob = parseGlob(pattern, await someRootIgnoresCase(files));
      const starts = await startFolders(glob.base, optionalText(input, 'path'), files, context);
      const left = new LeftOut();
      const ignored = flag(input, 'include_ignored');
      const options = {
        hidden: ignored || glob.hidden,
        ignored,
        maxFiles: limits.walkedFiles,
        context,
      };
      await using matching = await matcher.start(glob.source, glob.flags, context.signal);
      const found: string[] = [];
      for (const start of starts) {
        const walked: { uri: string; path: string }[] = [];
        for await (const file of walk(start, files, options, left)) walked.push(file);
        const fits = await testAll(
          matching,
          walked.map((file) => file.path),
        );
        for (const [i, file] of walked.entries()) if (fits[i]) found.push(displayPath(file.uri, files.roots));
      }
      const paths = left.files.map((file) => file.path);
      const fits = await testAll(matching, paths);
      const fitting = new Set(paths.filter((_, i) => fits[i]));
      const shown = found.sort().slice(0, limits.globFiles);
      return withNotes(shown.length > 0 ? shown.join('\n') : `No files shown for ${pattern}.`, [
        found.length > shown.length &&
          `Only ${shown.length} of ${count(found.length, 'file')}; use a narrower pattern`,
        found.length === 0 &&
          /^[^/]*\*[^/]*$/.test(pattern) &&
          `For all folders use **/${pattern.replace(/^\*\*/, '*')}`,
        ...left.notes((path) => fitting.has(path)),
      ]);
    },
  };
}

async function testAll(matching: Matching, paths: readonly string[]): Promise<readonly boolean[]> {
  const all: boolean[] = [];
  for (let i = 0; i < paths.length; i += 5000) all.push(...(await matching.test(paths.slice(i, i + 5000))));
  return all;
}

/** Where a call looks, by the letters of its input: the same folders that `startFolders` looks for. */
function placesOf(input: Input, { roots }: Files): readonly string[] {
  const { base } = splitGlob(text(input, 'pattern'));
  const path = optionalText(input, 'path');
  if (path !== undefined) return [joinUri(lexicalResource(path, roots), base)];
  return withoutPath(base, roots);
}

function withoutPath(base: string, roots: Files['roots']): readonly string[] {
  return base === '' ? roots.map((root) => root.uri) : candidates(base, roots);
}

/** Where to look: the folder that the pattern names plainly, below the given path or in each workspace folder. */
async function startFolders(
  base: string,
  path: string | undefined,
  files: Files,
  { report }: ToolContext,
): Promise<readonly string[]> {
  const absolute = base.startsWith('/') || /^[A-Za-z]:/.test(base);
  if (path !== undefined && absolute) {
    throw new ToolError(
      'bad-input',
      'The pattern is absolute, so leave out the path, or make the pattern relative.',
    );
  }
  const uris =
    path === undefined ? withoutPath(base, files.roots) : [joinUri(await chooseUri(path, files), base)];
  const existing: string[] = [];
  for (const uri of uris) {
    report({ resource: await files.realResource(uri), mode: 'read' });
    const kind = (await files.stat(uri))?.kind;
    if (kind === 'folder') existing.push(uri);
    else if (uris.length === 1 || base === '')
      throw noFolder(displayPath(uri, files.roots), kind !== undefined);
  }
  if (existing.length === 0 && base !== '')
    throw new ToolError('not-found', `There is no folder ${base} in the workspace.`);
  return existing;
}

function noFolder(path: string, exists: boolean): ToolError {
  return exists
    ? new ToolError('not-a-folder', `${path} is not a folder. Give a folder as path.`)
    : new ToolError('not-found', `There is no folder ${path}. Use list to see what there is.`);
}
