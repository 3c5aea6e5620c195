import type { ToolContext } from '../core/tools.ts';
import { messageOf, ToolError, throwIfAborted } from './errors.ts';
import { type IgnoreRules, leftOutByDefault } from './ignoreFiles.ts';
import { rulesAbove } from './ignoreFilesAbove.ts';
import { count } from './notes.ts';
import { possibleRootOf } from './paths.ts';
import type { Entry, Files } from './ports.ts';
import { joinUri } from './uri.ts';

export interface WalkOptions {
  readonly hidden: boolean;
  readonly ignored: boolean;
  readonly maxFiles: number;
  /** `report` learns what a walk reads that does not lie below the folder where it begins. */
  readonly context: Pick<ToolContext, 'signal' | 'report'>;
}

export interface WalkedFile {
  readonly uri: string;
  /** Below the folder where the walk began. */
  readonly path: string;
  readonly link: boolean;
}

/** All that a walk passed over, so that it can be said (case 41). */
export class LeftOut {
  /** Paths of single files, by reason. */
  readonly files: { path: string; reason: 'ignored' | 'hidden' }[] = [];
  readonly folders: { path: string; reason: 'ignored' | 'hidden' | 'by default' }[] = [];
  readonly unreadable: string[] = [];
  /** Set when the walk stopped at its limit. */
  stoppedAfter: number | undefined;

  /** The sentences for the result. @param fits counts only files that the search was for */
  notes(fits: (path: string) => boolean = () => true): string[] {
    const notes = this.#leftOut(fits);
    if (this.unreadable.length > 0) {
      const shown = this.unreadable.slice(0, 5).join('; ');
      notes.push(`Could not be read: ${count(this.unreadable.length, 'item')}: ${shown}`);
    }
    if (this.stoppedAfter !== undefined) {
      notes.push(
        `Stopped after ${count(this.stoppedAfter, 'file')}; search a smaller folder to see the rest`,
      );
    }
    return notes;
  }

  #leftOut(fits: (path: string) => boolean): string[] {
    const files = this.files.filter((file) => fits(file.path));
    const total = (reason: string) =>
      files.filter((file) => file.reason === reason).length +
      this.folders.filter((folder) => folder.reason === reason).length;
    const parts = ['ignored', 'hidden', 'by default']
      .map((reason) => ({ reason, n: total(reason) }))
      .filter(({ n }) => n > 0)
      .map(({ reason, n }) => `${n} ${reason}`);
    const names = this.folders.slice(0, 5).map((folder) => `${folder.path}/`);
    if (this.folders.length > names.length) names.push('…');
    const folders = names.length > 0 ? ` (${names.join(', ')})` : '';
    if (parts.length === 0) return [];
    const all =
      total('ignored') + total('hidden') > 0 || this.folders.some(({ path }) => !path.endsWith('.git'));
    const how = all
      ? 'name a folder, or set include_ignored, to look there'
      : 'name the folder to look there';
    return [`Left out: ${parts.join(', ')}${folders}; ${how}`];
  }
}

/**
 * All files below a folder, sorted within each folder, without what .gitignore files, dots and custom leave out. A
 * folder that was named is searched even if it is itself left out. Links are told, never followed.
 */
export async function* walk(
  start: string,
  files: Files,
  options: WalkOptions,
  left: LeftOut,
): AsyncGenerator<WalkedFile> {
  const inRoot = possibleRootOf(start, files.roots);
  if (inRoot === undefined) throw new ToolError('outside', `${start} is outside the workspace.`);
  const { signal, report } = options.context;
  let seen = 0;
  const { rules } = await rulesAbove(inRoot, files, report);
  yield* folder(inRoot.below, '', rules, await files.list(start));

  async function* folder(
    segments: readonly string[],
    path: string,
    above: IgnoreRules,
    entries: readonly Entry[],
  ): AsyncGenerator<WalkedFile> {
    const rules = await above.inside(segments, entries);
    for (const entry of [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      throwIfAborted(signal);
      if (left.stoppedAfter !== undefined) return;
      const inner = [...segments, entry.name];
      const innerPath = path === '' ? entry.name : `${path}/${entry.name}`;
      const reason = reasonToLeaveOut(entry, inner, rules, options);
      if (entry.kind === 'other') continue;
      if (entry.kind !== 'folder') {
        if (reason === 'ignored' || reason === 'hidden') left.files.push({ path: innerPath, reason });
        if (reason !== undefined) continue;
        if (++seen > options.maxFiles) {
          left.stoppedAfter = options.maxFiles;
          return;
        }
        yield { uri: joinUri(start, innerPath), path: innerPath, link: entry.kind === 'link' };
      } else if (reason !== undefined) {
        left.folders.push({ path: innerPath, reason });
      } else {
        const inside = await listOr(joinUri(start, innerPath), innerPath);
        if (inside !== undefined) yield* folder(inner, innerPath, rules, inside);
      }
    }
  }

  async function listOr(uri: string, path: string): Promise<readonly Entry[] | undefined> {
    try {
      return await files.list(uri);
    } catch (error) {
      left.unreadable.push(`${path}/ (${messageOf(error)})`);
      return undefined;
    }
  }
}

function reasonToLeaveOut(
  entry: Entry,
  segments: readonly string[],
  rules: IgnoreRules,
  options: WalkOptions,
): 'ignored' | 'hidden' | 'by default' | undefined {
  const versionControl = leftOutByDefault.has(entry.name) && entry.name.startsWith('.');
  if (versionControl) return 'by default';
  if (!options.ignored && rules.ignores(segments, entry.kind === 'folder')) return 'ignored';
  if (!options.ignored && leftOutByDefault.has(entry.name)) return 'by default';
  if (!options.hidden && entry.name.startsWith('.')) return 'hidden';
  return undefined;
}

/** Patterns then match in any case, in every root: better too much than a file overlooked. */
export async function someRootIgnoresCase(files: Files): Promise<boolean> {
  const answers = await Promise.all(files.roots.map((root) => files.ignoresCase(root.uri)));
  return answers.includes(true);
}
