import type { Tool, ToolContext } from '../core/tools.ts';
import { type DeclarationProfile, writesFile } from './declarations.ts';
import { stale } from './edit.ts';
import { ToolError, throwIfAborted } from './errors.ts';
import { withNotes } from './notes.ts';
import { displayPath } from './paths.ts';
import { chooseUri, FILE_PATH, type Input, text } from './toolInput.ts';
import type { WorkspacePorts } from './workspaceTools.ts';

/** `write`: makes a file hold exactly this text (DESIGN section 7). An existing file keeps its encoding and mode. */
export function createWriteTool({ files, session }: WorkspacePorts, profile: DeclarationProfile): Tool {
  return {
    name: 'write',
    description:
      'Writes a whole file of the workspace, byte for byte as given; makes missing folders. ' +
      'To change a part of an existing file use edit.',
    inputSchema: {
      type: 'object',
      properties: {
        file_path: FILE_PATH,
        content: { type: 'string', description: 'All that the file will hold.' },
      },
      required: ['file_path', 'content'],
      additionalProperties: false,
    },
    ...writesFile(files, 'file_path', profile),
    async run(input: Input, context: ToolContext) {
      throwIfAborted(context.signal);
      const uri = await chooseUri(text(input, 'file_path'), files, true);
      const resource = await files.realResource(uri);
      context.report({ resource, mode: 'write' });
      const path = displayPath(uri, files.roots);
      const content = text(input, 'content');
      const changed = await files.change(uri, (now) => {
        throwIfAborted(context.signal);
        const isStale = now && session.isStale(resource, now.text);
        if (isStale === true) throw stale(path);
        if (isStale === undefined && now?.unsaved === true) {
          throw new ToolError(
            'unsaved',
            `${path} has unsaved changes in the editor that you have not seen. Read it first, then retry.`,
          );
        }
        return { content };
      });
      session.saw(resource, changed.text);
      return withNotes(`${changed.created ? 'Created' : 'Wrote'} ${path} (${content.length} characters).`, [
        !changed.saved && 'The file is new and not saved yet; the text stands in its editor',
        changed.alteredBySave &&
          'Saving changed the text further (a formatter, say); read it before the next edit',
      ]);
    },
  };
}
