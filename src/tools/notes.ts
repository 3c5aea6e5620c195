/** Puts notes in brackets under a result, each on its own line, so that nothing left out goes unsaid. */
export function withNotes(body: string, notes: readonly (string | false | undefined)[]): string {
  const lines = notes.filter((note) => typeof note === 'string').map((note) => `[${note}]`);
  return [body, ...lines].filter((line) => line !== '').join('\n');
}

/** `1 file`, `2 files`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}
