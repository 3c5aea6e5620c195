import { ToolError } from './errors.ts';
import { ambiguous, candidates } from './paths.ts';
import type { Files } from './ports.ts';

/** The input has passed the tool's JSON Schema when a tool runs; declarations see only checked input too. */
export type Input = Record<string, unknown>;

/** The schema of an argument that names a file. */
export const FILE_PATH = {
  type: 'string',
  minLength: 1,
  description: 'The file: an absolute path, or a path relative to the workspace folder.',
};

/** A required text. @throws {ToolError} when it is none. */
export function text(input: Input, name: string): string {
  const value = input[name];
  if (typeof value === 'string') return value;
  throw new ToolError('bad-input', `"${name}" must be a string.`);
}

export function optionalText(input: Input, name: string): string | undefined {
  return input[name] === undefined ? undefined : text(input, name);
}

export function optionalNumber(input: Input, name: string): number | undefined {
  const value = input[name];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new ToolError('bad-input', `"${name}" must be a number.`);
}

export function flag(input: Input, name: string): boolean {
  return input[name] === true;
}

/**
 * The one URI that an input path means, by looking where a relative path could lead in several folders (case X3).
 * @param forNew the file may not exist yet
 */
export async function chooseUri(path: string, files: Files, forNew = false): Promise<string> {
  if (path.trim() === '')
    throw new ToolError('bad-path', 'The path is empty. Name a file, say "src/app.ts".');
  const uris = candidates(path, files.roots);
  const [only, second] = uris;
  if (only === undefined || second === undefined) return only ?? path;
  const found: string[] = [];
  for (const uri of uris) if (await exists(uri, files)) found.push(uri);
  const [hit, another] = found;
  if (hit !== undefined && another === undefined) return hit;
  if (hit === undefined && !forNew) {
    const names = files.roots.map((root) => root.name).join(', ');
    throw new ToolError(
      'not-found',
      `"${path}" is in none of the workspace folders (${names}). Use glob to find it.`,
    );
  }
  throw ambiguous(path, files.roots, hit === undefined ? uris : found);
}

/** A link that leads outside counts as existing, so that it is refused and not silently passed over. */
async function exists(uri: string, files: Files): Promise<boolean> {
  try {
    return (await files.stat(uri)) !== undefined;
  } catch {
    return true;
  }
}
