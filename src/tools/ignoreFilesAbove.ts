/**
 * The ignore files that lie above a searched place and rule in it too. A declaration names them, by the letters of the
 * place, and a search reads exactly these: both begin from the same folders.
 */
import type { ToolContext } from '../core/tools.ts';
import { createIgnoreRules, IGNORE_FILE, type IgnoreRules } from './ignoreFiles.ts';
import { type InRoot, possibleRootOf } from './paths.ts';
import type { Files, Root } from './ports.ts';
import { joinUri } from './uri.ts';

/** What comes down to a place from the folders above it. */
export interface RulesAbove {
  /** Rules that leave out the place itself, or a folder on the way to it, are dropped: it was asked for. */
  readonly rules: IgnoreRules;
  /** They leave out the place itself. */
  readonly ignored: boolean;
}

/** From the workspace folder down to the parent of the place; those in the place belong to it. Without I/O. */
export function ignoreFilesAbove(place: string, roots: readonly Root[]): readonly string[] {
  const inRoot = possibleRootOf(place, roots);
  return inRoot === undefined ? [] : foldersAbove(inRoot).map(({ uri }) => joinUri(uri, IGNORE_FILE));
}

/** Reads them, and reports each as a read, existing or not: that there is none counts as well. */
export async function rulesAbove(
  inRoot: InRoot<Root>,
  files: Files,
  report: ToolContext['report'],
): Promise<RulesAbove> {
  const none = createIgnoreRules(inRoot.root, files);
  let rules = none;
  let ignored = false;
  for (const { uri, segments } of foldersAbove(inRoot)) {
    const entries = await files.list(uri);
    // A link is no ignore file: what it leads to is not touched, and may lie outside the workspace.
    if (!entries.some(({ name, kind }) => name === IGNORE_FILE && kind === 'link')) {
      report({ resource: await files.realResource(joinUri(uri, IGNORE_FILE)), mode: 'read' });
    }
    rules = await rules.inside(segments, entries);
    if (!rules.ignores(inRoot.below.slice(0, segments.length + 1), true)) continue;
    rules = none;
    ignored = true;
  }
  return { rules, ignored };
}

function foldersAbove({ root, below }: InRoot<Root>) {
  return below.map((_, depth) => {
    const segments = below.slice(0, depth);
    return { segments, uri: joinUri(root.uri, ...segments) };
  });
}
