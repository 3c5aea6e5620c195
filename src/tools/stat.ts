import type { Tool, ToolContext } from '../core/tools.ts';
import { readsPlace } from './declarations.ts';
import { throwIfAborted } from './errors.ts';
import { count } from './notes.ts';
import { notFound } from './notFound.ts';
import { displayPath } from './paths.ts';
import { chooseUri, type Input, text } from './toolInput.ts';
import type { WorkspacePorts } from './workspaceTools.ts';

/** `stat`: what a path is, how large, how old (DESIGN section 7). */
export function createStatTool({ files }: WorkspacePorts): Tool {
  return {
    name: 'stat',
    description:
      'Tells whether a path of the workspace is a file or a folder, its size, when it changed, ' +
      'where a link leads, and whether the editor holds unsaved changes of it.',
    inputSchema: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
          minLength: 1,
          description: 'A file or folder: an absolute path, or a path relative to the workspace folder.',
        },
      },
      required: ['path'],
      additionalProperties: false,
    },
    ...readsPlace(files, 'path'),
    async run(input: Input, context: ToolContext) {
      throwIfAborted(context.signal);
      const uri = await chooseUri(text(input, 'path'), files);
      context.report({ resource: await files.realResource(uri), mode: 'read' });
      const stat = await files.stat(uri);
      if (stat === undefined) throw await notFound(uri, files);
      return [
        `${displayPath(uri, files.roots)}: ${stat.kind === 'other' ? 'a device, pipe or socket' : stat.kind}`,
        stat.leadsTo === undefined ? '' : `leads to: ${displayPath(stat.leadsTo, files.roots)}`,
        stat.kind === 'file' ? `size: ${count(stat.size, 'byte')}` : '',
        stat.mtime > 0 ? `changed: ${new Date(stat.mtime).toISOString()}` : '',
        stat.unsaved ? 'unsaved changes in the editor: yes' : '',
      ]
        .filter((line) => line !== '')
        .join('\n');
    },
  };
}
