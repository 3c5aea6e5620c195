import { ToolError } from './errors.ts';
import { asListed } from './listed.ts';
import { displayPath, type InRoot, looseUri, outside, possibleRootOf, rootOf } from './paths.ts';
import type { Disk, Documents, OpenDocument, Root } from './ports.ts';
import { createShared } from './shared.ts';
import { joinUri, parseUri } from './uri.ts';

/** Where a URI really leads. */
export interface Place {
  /** As the disk knows it, links resolved. */
  readonly real: string;
  /** The same below the root as it was opened, for people: a root may itself be a link. */
  readonly inRoot: string;
  /** The URI that was asked for, as people and models know it. */
  readonly path: string;
}

/** The border of the workspace. */
export interface Border {
  /**
   * Resolves links and refuses what lies outside the roots, before and after (case 19). A file that doesn't exist has
   * the place that it will have (case 2). @throws {ToolError} `outside`
   */
  locate(uri: string, roots: readonly Root[]): Promise<Place>;
}

export function createBorder(disk: Disk): Border {
  const shared = createShared<string>();
  const realRoot = ({ uri }: Root) => shared(uri, () => disk.realUri(uri));

  /** By the letters of the real URIs, or, where only their spelling differs, by the names that the disk lists. */
  async function homeOf<R extends Root>(real: string, roots: readonly R[]): Promise<InRoot<R> | undefined> {
    const home = rootOf(real, roots);
    if (home !== undefined || possibleRootOf(real, roots) === undefined) return home;
    const listed = await Promise.all(
      roots.map(async (root) => ({ ...root, uri: await asListed(root.uri, disk) })),
    );
    return rootOf(await asListed(real, disk), listed);
  }

  return {
    async locate(uri, roots) {
      const path = displayPath(uri, roots);
      if (possibleRootOf(uri, roots) === undefined) throw outside(path, roots);
      const [real, ...resolved] = await Promise.all([
        disk.realUri(uri),
        ...roots.map(async (root) => ({ name: root.name, uri: await realRoot(root), opened: root })),
      ]);
      const home = await homeOf(real, resolved);
      if (home === undefined) throw outside(path, roots);
      return { real, inRoot: joinUri(home.root.opened.uri, ...home.below), path };
    },
  };
}

/**
 * The open document that shows a file: under this name, under its real one, or, while it has unsaved text, under any
 * name that leads to it. @throws {ToolError} when two editors hold different unsaved texts of it.
 */
export async function findDocument(
  uri: string,
  place: Place,
  documents: Documents,
  disk: Disk,
): Promise<OpenDocument | undefined> {
  const shown: OpenDocument[] = [];
  for (const document of documents.list()) {
    if (document.untitled) continue;
    const named = document.uri === uri || document.uri === place.real;
    if (named || (document.unsaved && (await leadsTo(document.uri, place.real, disk)))) shown.push(document);
  }
  const [unsaved, second] = shown.filter((document) => document.unsaved);
  if (second !== undefined) {
    throw new ToolError(
      'unsaved',
      `${place.path} is open under two names, each with unsaved changes. Ask the user to save one of them.`,
    );
  }
  return unsaved ?? shown[0];
}

/** A new file that was never saved and is meant to become this one (case 18). */
export function findUntitled(uri: string, documents: Documents): OpenDocument | undefined {
  const { path } = parseUri(uri);
  return documents
    .list()
    .find((document) => document.untitled && (document.uri === uri || parseUri(document.uri).path === path));
}

/** Keys would not do: two files may share one, and the text of one must not pass for the other's. */
async function leadsTo(uri: string, real: string, disk: Disk): Promise<boolean> {
  if (parseUri(uri).scheme !== parseUri(real).scheme) return false;
  try {
    const other = await disk.realUri(uri);
    if (other === real || looseUri(other) !== looseUri(real)) return other === real;
    return (await asListed(other, disk)) === (await asListed(real, disk));
  } catch {
    return false;
  }
}
