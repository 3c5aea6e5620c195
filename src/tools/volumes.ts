import { otherSpelling, type Trait } from './folding.ts';
import type { Disk } from './ports.ts';
import { createShared } from './shared.ts';
import { baseName, childUri, parentUri } from './uri.ts';

/** A folder that names lie in. */
export interface Folder {
  /** Where it really lies. */
  readonly uri: string;
  /** Its key, under which answers are remembered. */
  readonly key: string;
}

/** What a folder does with names that differ in a trait only; `unknown` where nothing in it or above it tells. */
export type Habit = 'ignores' | 'tells apart' | 'unknown';

export interface Volumes {
  /** @param name the name in question, by which to ask first */
  habit(folder: Folder, trait: Trait, name?: string): Promise<Habit>;
}

/** Names of one folder that are tried before its parent is asked. */
const triedNames = 3;

/**
 * Asks folders what they do with names, through the disk and never by the name of an operating system (case 3): each
 * volume has its own habit, and on some systems each folder.
 *
 * What a folder told by its own names is remembered as long as this lives. So is that nothing tells, where it was
 * answered: a key built on it must be the same once the folder has names that would tell. An answer inherited from
 * above is not: names of its own tell better.
 *
 * It only reads. A question that the disk refuses (a folder that may not be listed) is one that tells nothing.
 */
export function createVolumes(disk: Disk): Volumes {
  const known = new Map<string, Habit>();
  const shared = createShared<Habit>();

  async function ask(folder: Folder, trait: Trait, name?: string): Promise<Habit> {
    const id = idOf(folder, trait);
    const remembered = known.get(id);
    if (remembered !== undefined) return remembered;
    const own = (await byName(folder.uri, trait, name)) ?? (await byEntries(folder.uri, trait));
    if (own !== undefined) {
      known.set(id, own);
      return own;
    }
    return (await inherits(folder.uri)) ? ask(parentOf(folder), trait, baseName(folder.uri)) : 'unknown';
  }

  /**
   * A folder ignores a trait when another spelling of a name leads somewhere without being a name of its own. That it
   * doesn't counts only while the name itself exists before and after: else a file that appears just then would pass
   * for a volume that tells names apart, for good.
   */
  async function byName(folder: string, trait: Trait, name: string | undefined): Promise<Habit | undefined> {
    const other = name === undefined ? undefined : otherSpelling(name, trait);
    if (name === undefined || other === undefined) return undefined;
    const exists = async (one: string) => (await disk.stat(childUri(folder, one))) !== undefined;
    try {
      if (!(await exists(name))) return undefined;
      if (!(await exists(other))) return (await exists(name)) ? 'tells apart' : undefined;
      const names = await namesIn(folder);
      return names.has(name) && names.has(other) ? 'tells apart' : 'ignores';
    } catch {
      return undefined;
    }
  }

  async function byEntries(folder: string, trait: Trait): Promise<Habit | undefined> {
    let names: ReadonlySet<string>;
    try {
      names = await namesIn(folder);
    } catch {
      return undefined;
    }
    let tried = 0;
    for (const name of names) {
      const other = otherSpelling(name, trait);
      if (other === undefined) continue;
      if (names.has(other)) return 'tells apart';
      if (++tried > triedNames) break;
      const habit = await byName(folder, trait, name);
      if (habit !== undefined) return habit;
    }
    return undefined;
  }

  /** A folder that doesn't exist will be on its parent's volume; one that does may be where another begins. */
  async function inherits(folder: string): Promise<boolean> {
    const parent = parentUri(folder);
    if (parent === folder) return false;
    try {
      const own = await disk.stat(folder);
      if (own === undefined) return true;
      return own.volume !== undefined && own.volume === (await disk.stat(parent))?.volume;
    } catch {
      return false;
    }
  }

  async function namesIn(folder: string): Promise<ReadonlySet<string>> {
    return new Set((await disk.list(folder)).map((entry) => entry.name));
  }

  return {
    async habit(folder, trait, name) {
      const id = idOf(folder, trait);
      const remembered = known.get(id);
      if (remembered !== undefined) return remembered;
      const habit = await shared(id, () => ask(folder, trait, name));
      if (habit === 'unknown' && name !== undefined) known.set(id, habit);
      return known.get(id) ?? habit;
    },
  };
}

function idOf({ key }: Folder, trait: Trait): string {
  return `${trait} ${key}`;
}

function parentOf({ uri, key }: Folder): Folder {
  return { uri: parentUri(uri), key: parentUri(key) };
}
