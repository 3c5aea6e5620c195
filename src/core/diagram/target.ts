/** What a call is about, in a few words: the argument a person would name when asked "which file?". */

const NAMED = ['path', 'file_path', 'filePath', 'file', 'pattern', 'query', 'command', 'url', 'uri', 'name'];

/**
 * The argument that tells this call from others of its tool: a path, a pattern, a command, else the first text or
 * number of the input. Empty when there is none.
 */
export function callTarget(input: unknown): string {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null) return '';
  const values = input as Record<string, unknown>;
  for (const name of NAMED) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (typeof value === 'string' && value !== '') return value;
  }
  for (const value of Object.values(values)) {
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return '';
}
