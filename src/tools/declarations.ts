import type { Access, AccessMode } from '../core/model.ts';
import type { Tool } from '../core/tools.ts';
import { ignoreFilesAbove } from './ignoreFilesAbove.ts';
import { lexicalResource } from './paths.ts';
import type { Files } from './ports.ts';
import { type Input, optionalText, text } from './toolInput.ts';

/** `published`: edit and write are unsafe, as in both published designs. `fine-grained`: safe, with their file as key. */
export type DeclarationProfile = 'published' | 'fine-grained';

type Declarations = Required<Pick<Tool, 'isSafeForConcurrentExecution' | 'accesses'>> &
  Pick<Tool, 'resourceKey' | 'startsWhen'>;

/** The row of `read` in DESIGN section 7: safe, keyed by its file. */
export function readsFile(files: Files, argument: string): Declarations {
  return {
    ...keyedFile(files, argument, 'read'),
    isSafeForConcurrentExecution: () => true,
    startsWhen: [argument],
  };
}

/** The rows of `edit` and `write`. */
export function writesFile(files: Files, argument: string, profile: DeclarationProfile): Declarations {
  return {
    ...keyedFile(files, argument, 'write'),
    isSafeForConcurrentExecution: () => profile === 'fine-grained',
  };
}

/** The row of `stat`: safe, without key; it reads one file, or a folder with all in it. */
export function readsPlace(files: Files, argument: string): Declarations {
  return {
    ...reads((input) => [lexicalResource(text(input, argument), files.roots)]),
    startsWhen: [argument],
  };
}

/**
 * The rows of `list`, `glob` and `grep`: as `stat`, and the ignore files above each place, for they rule in it too. A
 * single file is not told from a folder without I/O, so it gets them as well.
 * @param placesOf where a call looks, by the letters of its input
 */
export function searches(files: Files, placesOf: (input: Input) => readonly string[]): Declarations {
  return reads((input) =>
    placesOf(input).flatMap((place) => [place, ...ignoreFilesAbove(place, files.roots)]),
  );
}

/** The place that `path` names; without a path, everything in the workspace. */
export function pathOrRoots(input: Input, { roots }: Files): readonly string[] {
  const path = optionalText(input, 'path');
  return path === undefined ? roots.map((root) => root.uri) : [lexicalResource(path, roots)];
}

function reads(resourcesOf: (input: Input) => readonly string[]): Declarations {
  return {
    isSafeForConcurrentExecution: () => true,
    accesses: (input) => [...new Set(resourcesOf(input))].map((resource) => ({ resource, mode: 'read' })),
  };
}

function keyedFile(files: Files, argument: string, mode: AccessMode) {
  const resource = (input: Input) => lexicalResource(text(input, argument), files.roots);
  return {
    resourceKey: resource,
    accesses: (input: Input): readonly Access[] => [{ resource: resource(input), mode }],
  };
}
