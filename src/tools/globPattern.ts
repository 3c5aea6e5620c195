import picomatch from 'picomatch';
import { messageOf, ToolError } from './errors.ts';

/** A glob, taken apart: the folder that it names plainly, and what is to match below it. */
export interface GlobPattern {
  readonly base: string;
  /** A regular expression for paths below the base; it runs in a matcher, for a glob can be hostile too (case 33). */
  readonly source: string;
  readonly flags: string;
  /** It names something that begins with a dot. */
  readonly hidden: boolean;
}

const magic = /[*?[\]{}()!+@\\]/;
const maxLength = 1000;

/** The folder that a glob names plainly, and its segments below that. Takes every pattern, also one that is refused. */
export function splitGlob(pattern: string): { base: string; rest: readonly string[] } {
  const segments = pattern.replace(/^(?:\.\/+)+/, '').split('/');
  const first = segments.findIndex((segment) => magic.test(segment));
  const plain = first === -1 ? segments.length - 1 : first;
  return { base: segments.slice(0, plain).join('/'), rest: segments.slice(plain) };
}

/**
 * Splits and compiles a glob. A pattern that begins with "-" is a pattern (case 35).
 * @throws {ToolError} for `..` and for patterns that are none
 */
export function parseGlob(pattern: string, ignoresCase: boolean): GlobPattern {
  if (pattern.length > maxLength)
    throw new ToolError('invalid-pattern', 'The pattern is too long; use a shorter one.');
  if (pattern.split('/').includes('..')) {
    throw new ToolError('bad-input', 'The pattern holds ".."; give the folder as path instead.');
  }
  const { base, rest } = splitGlob(pattern);
  const below = rest.join('/');
  return { base, ...globRegex(below, ignoresCase, false), hidden: namesHidden(below) };
}

/** A filter for names: without a slash it holds for the last segment, as in other search tools. */
export function parseGlobFilter(pattern: string, ignoresCase: boolean): { source: string; flags: string } {
  if (pattern.length > maxLength)
    throw new ToolError('invalid-pattern', 'The glob is too long; use a shorter one.');
  return globRegex(pattern.replace(/^(?:\.?\/+)+/, ''), ignoresCase, !pattern.includes('/'));
}

function globRegex(
  pattern: string,
  ignoresCase: boolean,
  basename: boolean,
): { source: string; flags: string } {
  try {
    const glob = basename ? `**/${pattern}` : pattern;
    const { source } = picomatch.makeRe(glob, { dot: true, nonegate: true, strictBrackets: true });
    return { source, flags: ignoresCase ? 'i' : '' };
  } catch (error) {
    throw new ToolError('invalid-pattern', `"${pattern}" is not a glob: ${messageOf(error)}.`);
  }
}

function namesHidden(pattern: string): boolean {
  return /(?:^|[/{,(|])\.[^./]/.test(pattern);
}
