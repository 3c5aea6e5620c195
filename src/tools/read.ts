import type { Tool, ToolContext } from '../core/tools.ts';
import { readsFile } from './declarations.ts';
import { ToolError, throwIfAborted } from './errors.ts';
import type { Limits } from './limits.ts';
import { cutEnd, splitLines } from './lines.ts';
import { count, withNotes } from './notes.ts';
import { notFound } from './notFound.ts';
import type { TextFile } from './ports.ts';
import { chooseUri, FILE_PATH, type Input, optionalNumber, text } from './toolInput.ts';
import type { WorkspacePorts } from './workspaceTools.ts';

/** `read`: a file's text as its user sees it, unsaved changes included (DESIGN section 7; cases 18, 20). */
export function createReadTool({ files, session }: WorkspacePorts, limits: Limits): Tool {
  return {
    name: 'read',
    description:
      'Reads a text file of the workspace, unsaved changes of the editor included. ' +
      'Each line comes with its number and a tab, which are not part of the file. ' +
      `At most ${limits.readLines} lines at once; use offset and limit for more.`,
    inputSchema: {
      type: 'object',
      properties: {
        file_path: FILE_PATH,
        offset: { type: 'integer', minimum: 1, description: 'The first line to read, counted from 1.' },
        limit: { type: 'integer', minimum: 1, description: 'How many lines to read.' },
      },
      required: ['file_path'],
      additionalProperties: false,
    },
    ...readsFile(files, 'file_path'),
    async run(input: Input, context: ToolContext) {
      throwIfAborted(context.signal);
      const uri = await chooseUri(text(input, 'file_path'), files);
      const resource = await files.realResource(uri);
      context.report({ resource, mode: 'read' });
      if ((await files.stat(uri)) === undefined) throw await notFound(uri, files);
      const file = await files.readText(uri, { maxBytes: limits.fileBytes });
      throwIfAborted(context.signal);
      context.whenHandedOut(session.reads(resource, file.text));
      return numbered(file, optionalNumber(input, 'offset') ?? 1, optionalNumber(input, 'limit'), limits);
    },
  };
}

function numbered(file: TextFile, offset: number, limit: number | undefined, limits: Limits): string {
  const lines = splitLines(file.text);
  if (lines.length === 0) return withNotes('', ['The file is empty', unsavedNote(file)]);
  if (offset > lines.length) {
    throw new ToolError(
      'bad-input',
      `The file has ${count(lines.length, 'line')}; offset ${offset} is beyond its end.`,
    );
  }
  const most = Math.min(limit ?? limits.readLines, limits.readLines);
  const shown: string[] = [];
  let length = 0;
  let cut = 0;
  for (const line of lines.slice(offset - 1, offset - 1 + most)) {
    if (line.length > limits.lineLength) cut++;
    const row = `${offset + shown.length}\t${cutEnd(line, limits.lineLength)}`;
    if (length + row.length > limits.resultLength && shown.length > 0) break;
    length += row.length + 1;
    shown.push(row);
  }
  const last = offset + shown.length - 1;
  return withNotes(shown.join('\n'), [
    last < lines.length && `Lines ${offset} to ${last} of ${lines.length}; go on with offset ${last + 1}`,
    cut > 0 &&
      `${count(cut, 'line')} longer than ${limits.lineLength} characters cut; grep shows parts of them`,
    unsavedNote(file),
    file.encoding.startsWith('utf8') ? undefined : `Stored as ${file.encoding}`,
  ]);
}

function unsavedNote(file: TextFile): string | undefined {
  return file.unsaved ? 'Includes unsaved changes from the editor' : undefined;
}
