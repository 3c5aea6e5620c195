import type { Tool, ToolContext } from '../core/tools.ts';
import { pathOrRoots, searches } from './declarations.ts';
import { messageOf, ToolError, throwIfAborted } from './errors.ts';
import { parseGlobFilter } from './globPattern.ts';
import { GrepReport } from './grepReport.ts';
import type { Limits } from './limits.ts';
import { notFound } from './notFound.ts';
import { displayPath } from './paths.ts';
import type { Files, Matching } from './ports.ts';
import { chooseUri, flag, type Input, optionalNumber, optionalText, text } from './toolInput.ts';
import { baseName } from './uri.ts';
import { LeftOut, someRootIgnoresCase, type WalkedFile, walk } from './walk.ts';
import type { WorkspacePorts } from './workspaceTools.ts';

const filesAtOnce = 16;
const shownLineLength = 300;

/** `grep`: lines by a regular expression (DESIGN section 7; cases 33-35, 41, 42). */
export function createGrepTool({ files, matcher }: WorkspacePorts, limits: Limits): Tool {
  return {
    name: 'grep',
    description:
      'Finds lines in the workspace that match a regular expression (JavaScript syntax, line by line), unsaved changes ' +
      'included. What .gitignore leaves out, names with a dot and node_modules are left out, unless path names them. ' +
      'Tells path:line:text.',
    inputSchema: {
      type: 'object',
      properties: {
        pattern: { type: 'string', minLength: 1, description: 'The regular expression.' },
        path: { type: 'string', description: 'The file or folder to search. Default: the whole workspace.' },
        glob: {
          type: 'string',
          minLength: 1,
          description: 'Only files that fit, say "*.ts" or "src/**/*.css".',
        },
        case_insensitive: { type: 'boolean', description: 'Take capital and small letters as equal.' },
        context: {
          type: 'integer',
          minimum: 0,
          maximum: 20,
          description: 'Lines to tell around each match.',
        },
        max_results: { type: 'integer', minimum: 1, maximum: 2000, description: 'The most matches to tell.' },
        include_ignored: { type: 'boolean', description: 'Search also what is ignored or hidden.' },
      },
      required: ['pattern'],
      additionalProperties: false,
    },
    ...searches(files, (input) => pathOrRoots(input, files)),
    async run(input: Input, context: ToolContext) {
      const { signal } = context;
      throwIfAborted(signal);
      const ignored = flag(input, 'include_ignored');
      const path = optionalText(input, 'path');
      const left = new LeftOut();
      const report = new GrepReport(
        optionalNumber(input, 'max_results') ?? limits.grepHits,
        limits.resultLength,
      );
      await using matching = await matcher.start(
        text(input, 'pattern'),
        flag(input, 'case_insensitive') ? 'i' : '',
        signal,
      );
      await using filter = await startFilter(optionalText(input, 'glob'), signal);
      const options = { hidden: ignored, ignored, maxFiles: limits.walkedFiles, context };
      const around = optionalNumber(input, 'context') ?? 0;
      for (const start of path === undefined
        ? files.roots.map((root) => root.uri)
        : [await chooseUri(path, files)]) {
        context.report({ resource: await files.realResource(start), mode: 'read' });
        for await (const chunk of chunks(filesAt(start, files, options, left))) {
          const fits = filter === undefined ? undefined : await filter.test(chunk.map((file) => file.path));
          const chosen = chunk.filter((file, i) => fits?.[i] !== false && !report.skippedLink(file));
          await searchChunk(chosen, matching, report, around);
          throwIfAborted(signal);
          if (report.full) break;
        }
        if (report.full) break;
      }
      return report.text(left);
    },
  };

  async function startFilter(glob: string | undefined, signal: AbortSignal): Promise<Matching | undefined> {
    if (glob === undefined) return undefined;
    const { source, flags } = parseGlobFilter(glob, await someRootIgnoresCase(files));
    return matcher.start(source, flags, signal);
  }

  async function searchChunk(
    chunk: readonly WalkedFile[],
    matching: Matching,
    report: GrepReport,
    context: number,
  ): Promise<void> {
    const texts = await Promise.all(chunk.map((file) => readOr(file, report)));
    for (const [i, file] of chunk.entries()) {
      const content = texts[i];
      if (content === undefined || report.full) continue;
      const path = displayPath(file.uri, files.roots);
      const found = await matching.lines(content, {
        maxHits: report.room,
        context,
        maxLineLength: shownLineLength,
      });
      report.add(path, found);
    }
  }

  async function readOr(file: WalkedFile, report: GrepReport): Promise<string | undefined> {
    try {
      return (await files.readText(file.uri, { maxBytes: limits.grepFileBytes })).text;
    } catch (error) {
      const code = error instanceof ToolError ? error.code : 'io';
      report.skipped(code, displayPath(file.uri, files.roots), messageOf(error));
      return undefined;
    }
  }
}

/** The files of a folder; a single file that was named is searched whatever it is. */
async function* filesAt(
  start: string,
  files: Files,
  options: Parameters<typeof walk>[2],
  left: LeftOut,
): AsyncGenerator<WalkedFile> {
  const stat = await files.stat(start);
  if (stat === undefined) throw await notFound(start, files);
  if (stat.kind === 'folder') yield* walk(start, files, options, left);
  else yield { uri: start, path: baseName(start), link: false };
}

async function* chunks<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  for await (const item of items) {
    chunk.push(item);
    if (chunk.length < filesAtOnce) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
