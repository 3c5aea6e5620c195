import { ToolError } from './errors.ts';
import { displayPath, outside, resourceOf, rootOf } from './paths.ts';
import type { Disk, Documents, OpenDocument, Root } from './ports.ts';
import { joinUri, parseUri, segmentsBelow } from './uri.ts';

/** Where a URI really leads. */
export interface Place {
  /** As the disk knows it, links resolved. */
  readonly real: string;
  /** As keys and reports name it, in terms of the roots. */
  readonly resource: string;
  /** As people and models know it. */
  readonly path: string;
}

/**
 * Resolves links and refuses what lies outside the roots, before and after (case 19). A file that doesn't exist has
 * the place that it will have (case 2).
 */
export async function locate(uri: string, roots: readonly Root[], disk: Disk): Promise<Place> {
  const path = displayPath(uri, roots);
  if (rootOf(uri, roots) === undefined) throw outside(path, roots);
  const [real, ...realRoots] = await Promise.all(
    [uri, ...roots.map((root) => root.uri)].map((one) => disk.realUri(one)),
  );
  const resolved = roots.map((root, i) => ({ ...root, uri: realRoots[i] ?? root.uri }));
  const home = rootOf(real ?? uri, resolved);
  const root = home === undefined ? undefined : roots[resolved.indexOf(home)];
  if (real === undefined || home === undefined || root === undefined) throw outside(path, roots);
  const inRoot = joinUri(root.uri, ...(segmentsBelow(home.uri, real) ?? []));
  return { real, resource: resourceOf(inRoot, roots), path };
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

async function leadsTo(uri: string, real: string, disk: Disk): Promise<boolean> {
  if (parseUri(uri).scheme !== parseUri(real).scheme) return false;
  try {
    return (await disk.realUri(uri)) === real;
  } catch {
    return false;
  }
}
