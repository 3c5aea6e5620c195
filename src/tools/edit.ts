import type { Tool, ToolContext } from '../core/tools.ts';
import { type DeclarationProfile, writesFile } from './declarations.ts';
import { ToolError, throwIfAborted } from './errors.ts';
import { count, withNotes } from './notes.ts';
import { notFound } from './notFound.ts';
import { displayPath } from './paths.ts';
import { findReplacements } from './text.ts';
import { chooseUri, FILE_PATH, flag, type Input, text } from './toolInput.ts';
import type { WorkspacePorts } from './workspaceTools.ts';

/** `edit`: replaces one exact text and leaves every other byte alone (DESIGN section 7; cases 18, 20-22, 32, 43, 44). */
export function createEditTool({ files, session }: WorkspacePorts, profile: DeclarationProfile): Tool {
  return {
    name: 'edit',
    description:
      'Replaces a text in a file of the workspace. old_string must be in the file exactly once, blanks included; ' +
      'add surrounding lines until it is, or set replace_all. Line ends, encoding and all other text stay as they are. ' +
      'Give the text as read returns it, without the line numbers.',
    inputSchema: {
      type: 'object',
      properties: {
        file_path: FILE_PATH,
        old_string: { type: 'string', description: 'The exact text to replace; not empty.' },
        new_string: { type: 'string', description: 'The text to put there, taken literally; must differ.' },
        replace_all: { type: 'boolean', description: 'Replace every occurrence instead of exactly one.' },
      },
      required: ['file_path', 'old_string', 'new_string'],
      additionalProperties: false,
    },
    ...writesFile(files, 'file_path', profile),
    async run(input: Input, context: ToolContext) {
      throwIfAborted(context.signal);
      const uri = await chooseUri(text(input, 'file_path'), files);
      const resource = await files.realResource(uri);
      context.report({ resource, mode: 'write' });
      if ((await files.stat(uri)) === undefined) throw await notFound(uri, files);
      const path = displayPath(uri, files.roots);
      let replaced = 0;
      let unsavedBefore = false;
      const changed = await files.change(uri, (now) => {
        throwIfAborted(context.signal);
        if (now === undefined) throw new ToolError('not-found', `${path} does not exist any more.`);
        if (session.isStale(resource, now.text) === true) throw stale(path);
        const edits = findReplacements(
          now.text,
          text(input, 'old_string'),
          text(input, 'new_string'),
          flag(input, 'replace_all'),
        );
        replaced = edits.length;
        unsavedBefore = now.unsaved;
        return { edits };
      });
      session.saw(resource, changed.text);
      return withNotes(`Replaced ${count(replaced, 'occurrence')} in ${path}.`, [
        unsavedBefore && changed.saved && 'Unsaved changes of the editor were kept and saved with it',
        !changed.saved && 'The file is new and not saved yet; the change stands in its editor',
        changed.alteredBySave &&
          'Saving changed the file further (a formatter, say); read it before the next edit',
      ]);
    },
  };
}

/** The text is not the one that the model has seen; content decides, not the time stamp (case 32). */
export function stale(path: string): ToolError {
  return new ToolError('changed', `${path} has changed since it was read. Read it again, then retry.`);
}
