import ignore from 'ignore';
import type { Entry, Files, Root } from './ports.ts';
import { joinUri } from './uri.ts';

/** The rules that hold inside one folder: those of its .gitignore and of all above it (DESIGN section 7, case 41). */
export interface IgnoreRules {
  /** @param segments the path below the workspace folder */
  ignores(segments: readonly string[], isFolder: boolean): boolean;
  /** The rules one folder further down; `entries` are what is in it. */
  inside(segments: readonly string[], entries: readonly Entry[]): Promise<IgnoreRules>;
}

interface Level {
  readonly depth: number;
  readonly rules: ignore.Ignore;
}

/** What is left out of searches also where no .gitignore says so. */
export const leftOutByDefault: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  '.git',
  '.hg',
  '.svn',
]);

/** The one kind of file whose rules are honoured. */
export const IGNORE_FILE = '.gitignore';

const maxBytes = 1_000_000;

/** Matching takes time that grows with the path to this power, so a rule with more must not count (case 33). */
const maxGlobstars = 4;

/** No rules yet: what holds outside every folder. */
export function createIgnoreRules(root: Root, files: Files, levels: readonly Level[] = []): IgnoreRules {
  return {
    ignores(segments, isFolder) {
      let ignored = false;
      for (const { depth, rules } of levels) {
        const result = rules.test(segments.slice(depth).join('/') + (isFolder ? '/' : ''));
        if (result.ignored) ignored = true;
        else if (result.unignored) ignored = false;
      }
      return ignored;
    },
    async inside(segments, entries) {
      if (!entries.some((entry) => entry.name === IGNORE_FILE && entry.kind === 'file')) return this;
      const folder = joinUri(root.uri, ...segments);
      const text = await read(joinUri(folder, IGNORE_FILE), files);
      if (text === undefined) return this;
      const options = { ignorecase: await files.ignoresCase(folder), allowRelativePaths: true };
      const level = { depth: segments.length, rules: ignore(options).add(harmless(text)) };
      return createIgnoreRules(root, files, [...levels, level]);
    },
  };
}

function harmless(text: string): string {
  const lines = text.split(/\r?\n/);
  return lines.filter((line) => line.split('**').length - 1 <= maxGlobstars).join('\n');
}

/** Rules that cannot be read rule nothing. */
async function read(uri: string, files: Files): Promise<string | undefined> {
  try {
    return (await files.readText(uri, { maxBytes })).text;
  } catch {
    return undefined;
  }
}
