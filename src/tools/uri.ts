import { ToolError } from './errors.ts';

/** The parts of a URI that name a file; `path` is decoded and normalised. */
export interface UriParts {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
}

const uriShape = /^([A-Za-z][A-Za-z0-9+.-]+):(?:\/\/([^/?#]*))?([^?#]*)/;
const drive = /^\/([A-Za-z]):(?=\/|$)/;

/** Takes a URI apart, `.`, `..`, doubled and trailing slashes resolved. @throws {ToolError} when it is none. */
export function parseUri(uri: string): UriParts {
  const [, scheme, authority = '', rawPath = ''] = uriShape.exec(uri) ?? [];
  if (scheme === undefined) throw new ToolError('bad-path', `"${uri}" is not a URI.`);
  let path: string;
  try {
    path = decodeURIComponent(rawPath);
  } catch {
    throw new ToolError('bad-path', `"${uri}" has a broken %-escape; write the path without escapes.`);
  }
  return { scheme: scheme.toLowerCase(), authority: decodeAuthority(authority), path: normalizePath(path) };
}

function decodeAuthority(authority: string): string {
  try {
    return decodeURIComponent(authority).toLowerCase();
  } catch {
    return authority.toLowerCase();
  }
}

/** Resolves a decoded path by its segments; `..` stops at the top. A drive letter becomes a small one (case 3). */
export function normalizePath(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  const joined = (path.startsWith('/') ? '/' : '') + kept.join('/');
  return joined.replace(drive, (_, letter: string) => `/${letter.toLowerCase()}:`);
}

/** Writes a URI as VS Code's `Uri.toString()` does, so that both sides compare equal. */
export function formatUri({ scheme, authority, path }: UriParts): string {
  if (path.includes('\0')) throw new ToolError('bad-path', 'A path cannot hold a zero character.');
  const slashes = authority !== '' || scheme === 'file' ? '//' : '';
  return `${scheme}:${slashes}${authority.split(':').map(encode).join(':')}${path.split('/').map(encode).join('/')}`;
}

function encode(segment: string): string {
  try {
    return encodeURIComponent(segment).replace(
      /[!'()*]/g,
      (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  } catch {
    throw new ToolError('bad-path', 'The path holds half a character (a lone surrogate); write it again.');
  }
}

/** The one spelling of a URI (DESIGN section 2), without asking any disk. */
export function canonicalUri(uri: string): string {
  return formatUri(parseUri(uri));
}

/** Where all paths of its disk begin. */
export function topUri({ scheme, authority }: UriParts): string {
  return formatUri({ scheme, authority, path: '/' });
}

/** The names on the way from the top to the place itself. */
export function namesOf({ path }: UriParts): readonly string[] {
  return path.split('/').filter((name) => name !== '');
}

/** The segments below `ancestor`; undefined when `uri` is not it or under it. By segment, never by string prefix (case 19). */
export function segmentsBelow(ancestor: string, uri: string): readonly string[] | undefined {
  const a = parseUri(ancestor);
  const b = parseUri(uri);
  if (a.scheme !== b.scheme || a.authority !== b.authority) return undefined;
  const above = namesOf(a);
  const all = namesOf(b);
  if (above.length > all.length || above.some((segment, i) => segment !== all[i])) return undefined;
  return all.slice(above.length);
}

/** `uri` with more segments below it. */
export function joinUri(uri: string, ...segments: readonly string[]): string {
  const parts = parseUri(uri);
  return formatUri({ ...parts, path: normalizePath([parts.path, ...segments].join('/')) });
}

/** One name below a folder, without looking at `.` and `..`: for names that a path or a listing holds. */
export function childUri(folder: string, name: string): string {
  return `${folder}${folder.endsWith('/') ? '' : '/'}${encode(name)}`;
}

/** The folder that holds it. */
export function parentUri(uri: string): string {
  return joinUri(uri, '..');
}

/** The last segment, decoded. */
export function baseName(uri: string): string {
  return parseUri(uri).path.split('/').at(-1) ?? '';
}
