import { foldLoosely, traits, varies } from './folding.ts';
import type { Keys } from './keys.ts';
import { rootOf } from './paths.ts';
import type { Disk, Root } from './ports.ts';
import { childUri, joinUri, namesOf, parseUri, topUri } from './uri.ts';

/**
 * The same place with every name as its folder lists it, so that two spellings become one without folding: for the
 * border of the workspace, where no two folders may be merged. What isn't there stays as it is.
 * @param folded the names are those of a key, so that one stands for every listed name that folds to it
 */
export async function asListed(uri: string, disk: Disk, folded = false): Promise<string> {
  const parts = parseUri(uri);
  let at = topUri(parts);
  for (const name of namesOf(parts)) at = childUri(at, await listedName(at, name, disk, folded));
  return at;
}

async function listedName(folder: string, name: string, disk: Disk, folded: boolean): Promise<string> {
  if (!traits.some((trait) => varies(name, trait))) return name;
  try {
    if (!folded && (await disk.stat(childUri(folder, name))) === undefined) return name;
    const names = (await disk.list(folder)).map((entry) => entry.name);
    const loose = foldLoosely(name);
    const [only, second] = names.filter((one) => foldLoosely(one) === loose);
    return only === undefined || second !== undefined || names.includes(name) ? name : only;
  } catch {
    return name;
  }
}

/**
 * The URI by which the user opened what has this key: below its root as it was opened, which may be a link, with names
 * spelled as the disk lists them. What lies in no root comes back unchanged.
 */
export async function openedUri(
  resource: string,
  roots: readonly Root[],
  keys: Keys,
  disk: Disk,
): Promise<string> {
  const [key, ...keyed] = await Promise.all([
    keys.of(resource),
    ...roots.map(async (root) => ({ name: root.name, uri: await keys.of(root.uri), opened: root.uri })),
  ]);
  const home = rootOf(key, keyed);
  if (home === undefined) return resource;
  const { root, below } = home;
  const listed = await asListed(joinUri(await disk.realUri(root.opened), ...below), disk, true);
  const names = namesOf(parseUri(listed));
  return joinUri(root.opened, ...names.slice(names.length - below.length));
}
