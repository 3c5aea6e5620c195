/** Resources and keys as people read them: files by their path below the folder that all of a batch's files share. */
import { EVERYTHING } from './model.ts';
import type { ViewState } from './state.ts';
import { rowsOf } from './table.ts';

export interface ResourceNames {
  /** A resource or key: "src/a.ts". */
  label(resource: string): string;
  /** A sentence in which resources stand. */
  sentence(text: string): string;
}

const FILES = 'file:///';

/** The names that this state's resources go by; no two of them share one. */
export function resourceNames(state: ViewState): ResourceNames {
  const root = commonFolder(state);
  if (root === undefined) return { label: resourceLabel, sentence: withoutScheme };
  const folder = root.slice(root.lastIndexOf('/') + 1);
  return {
    label: (resource) =>
      resource.startsWith(`${root}/`)
        ? decoded(resource.slice(root.length + 1))
        : resource === root
          ? decoded(folder)
          : resourceLabel(resource),
    sentence: (text) =>
      text.includes(FILES) ? withoutScheme(text.replaceAll(`${root}/`, '').replaceAll(root, folder)) : text,
  };
}

/** A resource as people write it: a file's path without its scheme. */
export function resourceLabel(resource: string): string {
  if (resource === EVERYTHING) return 'everything';
  return resource.replace(/^file:(\/\/)?/, '') || resource;
}

/** The deepest folder over all files that calls declare; undefined where they share none. */
function commonFolder(state: ViewState): string | undefined {
  let common: string[] | undefined;
  let several = false;
  for (const { declared } of rowsOf(state.calls)) {
    const own = declared?.accesses.map(({ resource }) => resource) ?? [];
    for (const resource of declared?.key === undefined ? own : [...own, declared.key]) {
      if (!resource.startsWith(FILES)) continue;
      const parts = resource.slice(FILES.length).split('/');
      if (common === undefined) common = parts;
      else if (common.join('/') !== parts.join('/')) {
        several = true;
        let same = 0;
        while (same < common.length && common[same] === parts[same]) same++;
        common = common.slice(0, same);
      }
    }
  }
  if (common && !several) common = common.slice(0, -1); // one file alone lies in its folder
  return common === undefined || common.length === 0 || common[0] === ''
    ? undefined
    : FILES + common.join('/');
}

function withoutScheme(text: string): string {
  return text.replaceAll('file://', '');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
