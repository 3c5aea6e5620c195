/**
 * A list that is copied cheaply when one entry changes: chunks of 64, so that a change copies one chunk and the
 * list of chunks. States share what did not change, which makes every state of a long run affordable to keep.
 */
export interface Table<T> {
  readonly size: number;
  readonly chunks: readonly (readonly T[])[];
}

const BITS = 6;
const CHUNK = 1 << BITS;

export const EMPTY_TABLE: Table<never> = { size: 0, chunks: [] };

/** A table of these rows. */
export function tableOf<T>(rows: readonly T[]): Table<T> {
  const chunks: T[][] = [];
  for (let at = 0; at < rows.length; at += CHUNK) chunks.push(rows.slice(at, at + CHUNK));
  return { size: rows.length, chunks };
}

export function rowAt<T>(table: Table<T>, index: number): T | undefined {
  return table.chunks[index >> BITS]?.[index & (CHUNK - 1)];
}

/** The table with row `index` replaced, or appended where `index` equals the size; otherwise the table as it is. */
export function withRow<T>(table: Table<T>, index: number, row: T): Table<T> {
  if (!Number.isInteger(index) || index < 0 || index > table.size) return table;
  const chunks = table.chunks.slice();
  const chunk = (chunks[index >> BITS] ?? []).slice();
  chunk[index & (CHUNK - 1)] = row;
  chunks[index >> BITS] = chunk;
  return { size: Math.max(table.size, index + 1), chunks };
}

/** All rows in order. */
export function* rowsOf<T>(table: Table<T>): Generator<T> {
  for (const chunk of table.chunks) yield* chunk;
}
