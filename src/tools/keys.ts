import { createAtMost } from './atMost.ts';
import { foldName, type Trait, traits, varies } from './folding.ts';
import type { Disk, Root } from './ports.ts';
import { canonicalUri, childUri, namesOf, parseUri, topUri, type UriParts } from './uri.ts';
import { createVolumes, type Folder } from './volumes.ts';

/** The one key of each file on a disk (DESIGN section 2; cases 2, 3). */
export interface Keys {
  /**
   * The key of a file however it is spelled, existing or not: its real URI, each name folded where the folder that
   * holds it takes other spellings for the same. Where nothing tells whether it does, the name is folded too: two
   * files may then share a key, which is slower and never wrong.
   * @throws {ToolError} when the disk cannot resolve it
   */
  of(uri: string): Promise<string>;
  /** The same for a URI that `Disk.realUri` returned. */
  ofReal(real: string): Promise<string>;
  /** Whether names in a folder, given by its real URI, are known to be the same in other case. */
  ignoreCase(real: string): Promise<boolean>;
}

/** Keys that are computed at once; a batch may ask for thousands. */
const askedAtOnce = 32;

export function createKeys(disk: Disk): Keys {
  const volumes = createVolumes(disk);
  const atMost = createAtMost(askedAtOnce);

  async function fold(folder: Folder, name: string): Promise<string> {
    const ignored = new Set<Trait>();
    for (const trait of traits) {
      if (varies(name, trait) && (await volumes.habit(folder, trait, name)) !== 'tells apart')
        ignored.add(trait);
    }
    return ignored.size === 0 ? name : foldName(name, ignored);
  }

  async function folderOf(real: string): Promise<Folder> {
    const parts = parseUri(real);
    const top = topUri(parts);
    let folder: Folder = { uri: top, key: top };
    for (const [depth, name] of namesOf(parts).entries()) {
      const folded = depth === 0 && isDrive(name, parts) ? name : await fold(folder, name);
      folder = { uri: childUri(folder.uri, name), key: childUri(folder.key, folded) };
    }
    return folder;
  }

  return {
    of: (uri) => atMost(async () => (await folderOf(await disk.realUri(canonicalUri(uri)))).key),
    ofReal: async (real) => (await folderOf(real)).key,
    ignoreCase: async (real) => (await volumes.habit(await folderOf(real), 'case')) === 'ignores',
  };
}

/** A drive letter has one spelling already (uri.ts), and nothing lists drives. */
function isDrive(name: string, { scheme }: UriParts): boolean {
  return scheme === 'file' && /^[a-z]:$/.test(name);
}

/** Whether a resource is the absolute URI of something on a disk: a local file, or one on a workspace folder's disk. */
export function namesFile(resource: string, roots: readonly Root[]): boolean {
  const scheme = /^([a-z][a-z0-9+.-]+):\//i.exec(resource)?.[1]?.toLowerCase();
  return (
    scheme === 'file' || (scheme !== undefined && roots.some((root) => parseUri(root.uri).scheme === scheme))
  );
}
