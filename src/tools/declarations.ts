import type { Access, AccessMode } from '../core/model.ts';
import type { Tool } from '../core/tools.ts';
import { lexicalResource } from './paths.ts';
import type { Files } from './ports.ts';
import { type Input, optionalText, text } from './toolInput.ts';

/** `published`: edit and write are unsafe, as in both published designs. `fine-grained`: safe, with their file as key. */
export type DeclarationProfile = 'published' | 'fine-grained';

type Declarations = Required<Pick<Tool, 'isSafeForConcurrentExecution' | 'accesses'>> &
  Pick<Tool, 'resourceKey'>;

/** The row of `read` in DESIGN section 7: safe, keyed by its file. */
export function readsFile(files: Files, argument: string): Declarations {
  return { ...keyedFile(files, argument, 'read'), isSafeForConcurrentExecution: () => true };
}

/** The rows of `edit` and `write`. */
export function writesFile(files: Files, argument: string, profile: DeclarationProfile): Declarations {
  return {
    ...keyedFile(files, argument, 'write'),
    isSafeForConcurrentExecution: () => profile === 'fine-grained',
  };
}

/** The rows of `list`, `stat`, `glob` and `grep`: safe, without key; they read one file, or a folder with all in it. */
export function readsPlace(files: Files, argument: string): Declarations {
  return {
    isSafeForConcurrentExecution: () => true,
    accesses: (input) =>
      places(files, optionalText(input, argument)).map((resource) => ({ resource, mode: 'read' })),
  };
}

/** Without a path, everything in the workspace. */
function places(files: Files, path: string | undefined): readonly string[] {
  const { roots } = files;
  if (path !== undefined) return [lexicalResource(path, roots)];
  return roots.map((root) => root.uri);
}

function keyedFile(files: Files, argument: string, mode: AccessMode) {
  const resource = (input: Input) => lexicalResource(text(input, argument), files.roots);
  return {
    resourceKey: resource,
    accesses: (input: Input): readonly Access[] => [{ resource: resource(input), mode }],
  };
}
