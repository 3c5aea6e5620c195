/** What a call is about, in a few words: the argument a person would name when asked "which file?". */

const SOUGHT = ['pattern', 'query', 'regex'];
const PLACES = ['path', 'file_path', 'filePath', 'file', 'uri', 'url'];
const OTHERS = ['command', 'name'];

/**
 * What tells this call from others of its tool: what is sought and where, a path, a command, else the first text or
 * number of the input. Empty when there is none.
 */
export function callTarget(input: unknown): string {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return '';
  const entries = new Map<string, unknown>(Object.entries(input));
  const first = (names: readonly string[]) => names.map((name) => entries.get(name)).find(isText);
  const named = [first(SOUGHT), first(PLACES)].filter(isText);
  if (named.length > 0) return named.join(' ');
  const other = first(OTHERS) ?? [...entries.values()].find(isText);
  if (other !== undefined) return other;
  const number = [...entries.values()].find((value) => typeof value === 'number');
  return number === undefined ? '' : String(number);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
