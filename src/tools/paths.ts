import { ToolError } from './errors.ts';
import { foldLoosely } from './folding.ts';
import type { Root } from './ports.ts';
import { canonicalUri, formatUri, joinUri, namesOf, normalizePath, parseUri, segmentsBelow } from './uri.ts';

/**
 * The URIs that an input path may mean, purely by its letters (DESIGN section 2; cases 3, 19, X3). Mostly one; a
 * relative path in a workspace with several folders means one in each of them, unless it starts with a folder's name.
 * @throws {ToolError} for what can be no path, and when no folder is open.
 */
export function candidates(input: string, roots: readonly Root[]): readonly string[] {
  if (input.includes('\0')) throw new ToolError('bad-path', 'A path cannot hold a zero character.');
  if (input.startsWith('untitled:')) return [canonicalUri(input)];
  if (roots.length === 0) {
    throw new ToolError(
      'no-workspace',
      'No folder is open, so there are no files to work on. Ask the user to open one.',
    );
  }
  if (isUri(input, roots)) return [canonicalUri(input)];
  const windows = roots.some((root) => /^\/[a-z]:/.test(parseUri(root.uri).path));
  const path = windows ? input.replaceAll('\\', '/') : input;
  if (windows && /^[A-Za-z]:(\/|$)/.test(path)) return [fileUri('', `/${path}`)];
  const share = windows ? /^\/\/([^/]+)(\/.*)$/.exec(path) : undefined;
  if (share) return [fileUri((share[1] ?? '').toLowerCase(), share[2] ?? '/')];
  return path.startsWith('/') ? absolute(path, roots) : relative(path, roots);
}

/**
 * The URI of one file as declarations tell it, without I/O; `Files.keyOf` makes it the key (DESIGN section 2).
 * @throws {ToolError} when only a look at the disk could tell which file is meant; the call then counts as unsafe.
 */
export function lexicalResource(input: string, roots: readonly Root[]): string {
  const [first, ...more] = candidates(input, roots);
  if (first === undefined || more.length > 0) throw ambiguous(input, roots, [first ?? '', ...more]);
  return first;
}

/**
 * The file of the workspace that an unsaved new one (`untitled:/w/a.ts`) is meant to become, for both names lead to its
 * text (case 18). Every other URI as it is.
 */
export function asSaved(uri: string, roots: readonly Root[]): string {
  if (!uri.startsWith('untitled:')) return uri;
  const { path } = parseUri(uri);
  const [file] = path.startsWith('/') ? absolute(path, roots) : [];
  return file !== undefined && possibleRootOf(file, roots) !== undefined ? file : uri;
}

/** A place in a workspace folder. */
export interface InRoot<R extends Root> {
  readonly root: R;
  readonly below: readonly string[];
}

/** The innermost workspace folder that holds it, by its letters. */
export function rootOf<R extends Root>(uri: string, roots: readonly R[]): InRoot<R> | undefined {
  return innermost(uri, roots, segmentsBelow);
}

/**
 * The same, or else the one that could hold it if its volume took other spellings for the same name (case 3). Whether
 * it does, only the disk can tell: locate.ts asks before anything is read.
 */
export function possibleRootOf<R extends Root>(uri: string, roots: readonly R[]): InRoot<R> | undefined {
  return rootOf(uri, roots) ?? innermost(uri, roots, looselyBelow);
}

function innermost<R extends Root>(
  uri: string,
  roots: readonly R[],
  belowOf: typeof segmentsBelow,
): InRoot<R> | undefined {
  let best: InRoot<R> | undefined;
  for (const root of roots) {
    const below = belowOf(root.uri, uri);
    if (below !== undefined && (best === undefined || below.length < best.below.length))
      best = { root, below };
  }
  return best;
}

function looselyBelow(ancestor: string, uri: string): readonly string[] | undefined {
  const below = segmentsBelow(looseUri(ancestor), looseUri(uri));
  const names = namesOf(parseUri(uri));
  return below && names.slice(names.length - below.length);
}

/** Equal for URIs that could be one on some volume. */
export function looseUri(uri: string): string {
  const parts = parseUri(uri);
  return formatUri({ ...parts, path: foldLoosely(parts.path) });
}

/**
 * The way to name a file to a model or a person: relative to its folder, the folder's name first where there are
 * several. What this returns, `candidates` takes.
 */
export function displayPath(uri: string, roots: readonly Root[]): string {
  const inRoot = rootOf(uri, roots);
  if (inRoot === undefined) {
    const parts = parseUri(uri);
    return parts.scheme === 'file' ? parts.path.replace(/^\/(?=[a-z]:)/, '') : uri;
  }
  const { root, below } = inRoot;
  const path = below.join('/');
  if (roots.length === 1) return path === '' ? '.' : path;
  const unique = roots.filter((other) => other.name === root.name).length === 1;
  const name = unique ? root.name : root.uri;
  return path === '' ? name : `${name}/${path}`;
}

/** Several places could be meant: names them all and says how to choose (case X3). */
export function ambiguous(input: string, roots: readonly Root[], uris: readonly string[]): ToolError {
  const names = uris.map((uri) => displayPath(uri, roots)).join(' or ');
  return new ToolError(
    'ambiguous-path',
    `"${input}" could be ${names}. Start the path with the name of the workspace folder, or give the absolute path.`,
  );
}

/** The border of the workspace, for the model (case 19). */
export function outside(input: string, roots: readonly Root[]): ToolError {
  const names = roots.map((root) => displayPathOfRoot(root)).join(', ');
  return new ToolError(
    'outside',
    `"${input}" is outside the workspace. Only files in ${names} can be used; links that lead elsewhere are not followed.`,
  );
}

function displayPathOfRoot(root: Root): string {
  const parts = parseUri(root.uri);
  return parts.scheme === 'file' ? parts.path.replace(/^\/(?=[a-z]:)/, '') : root.uri;
}

function isUri(input: string, roots: readonly Root[]): boolean {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]+):\//.exec(input)?.[1]?.toLowerCase();
  if (scheme === undefined) return false;
  return (
    input.includes('://') || scheme === 'file' || roots.some((root) => parseUri(root.uri).scheme === scheme)
  );
}

function absolute(path: string, roots: readonly Root[]): readonly string[] {
  const normal = normalizePath(path);
  const uris = [...new Set(roots.map((root) => formatUri({ ...parseUri(root.uri), path: normal })))];
  const inside = uris.filter((uri) => rootOf(uri, roots) !== undefined);
  if (inside.length > 0) return inside;
  const possible = uris.filter((uri) => possibleRootOf(uri, roots) !== undefined);
  return possible.length > 0 ? possible : [fileUri('', normal)];
}

function relative(path: string, roots: readonly Root[]): readonly string[] {
  const [only, second] = roots;
  if (only !== undefined && second === undefined) return [joinUri(only.uri, path)];
  const [name, ...rest] = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  const named = roots.filter((root) => root.name === name);
  if (named.length > 0) return named.map((root) => joinUri(root.uri, ...rest));
  return roots.map((root) => joinUri(root.uri, path));
}

function fileUri(authority: string, path: string): string {
  return formatUri({ scheme: 'file', authority, path: normalizePath(path) });
}
