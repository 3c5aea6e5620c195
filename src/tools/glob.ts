import type { Tool, ToolContext } from '../core/tools.ts';
import { readsPlace } from './declarations.ts';
import { ToolError, throwIfAborted } from './errors.ts';
import { parseGlob } from './globPattern.ts';
import type { Limits } from './limits.ts';
import { count, withNotes } from './notes.ts';
import { candidates, displayPath } from './paths.ts';
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
    ...readsPlace(files, 'path'),
    async run(input: Input, context: ToolContext) {
      throwIfAborted(context.signal);
      const pattern = text(input, 'pattern');
      const glob = parseGlob(pattern, await someRootIgnoresCase(files));
      const starts = await startFolders(glob.base, optionalText(input, 'path'), files);
      const left = new LeftOut();
      const ignored = flag(input, 'include_ignored');
      const options = {
        hidden: ignored || glob.hidden,
        ignored,
        maxFiles: limits.walkedFiles,
        signal: context.signal,
      };
      await using matching = await matcher.start(glob.source, glob.flags, context.signal);
      const found: string[] = [];
      for (const start of starts) {
        context.report({ resource: await files.realResource(start), mode: 'read' });
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

/** Where to look: the folder that the pattern names plainly, below the given path or in each workspace folder. */
async function startFolders(
  base: string,
  path: string | undefined,
  files: Files,
): Promise<readonly string[]> {
  const absolute = base.startsWith('/') || /^[A-Za-z]:/.test(base);
  if (path !== undefined && absolute) {
    throw new ToolError(
      'bad-input',
      'The pattern is absolute, so leave out the path, or make the pattern relative.',
    );
  }
  if (path !== undefined) return [await folder(joinUri(await chooseUri(path, files), base), files)];
  if (base === '') return files.roots.map((root) => root.uri);
  const uris = candidates(base, files.roots);
  const [only, second] = uris;
  if (only !== undefined && second === undefined) return [await folder(only, files)];
  const existing: string[] = [];
  for (const uri of uris) if ((await files.stat(uri))?.kind === 'folder') existing.push(uri);
  if (existing.length === 0) throw new ToolError('not-found', `There is no folder ${base} in the workspace.`);
  return existing;
}

async function folder(uri: string, files: Files): Promise<string> {
  const stat = await files.stat(uri);
  const path = displayPath(uri, files.roots);
  if (stat?.kind === 'folder') return uri;
  if (stat !== undefined)
    throw new ToolError('not-a-folder', `${path} is not a folder. Give a folder as path.`);
  throw new ToolError('not-found', `There is no folder ${path}. Use list to see what there is.`);
}
