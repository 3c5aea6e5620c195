/** How the rows of a table are ordered, and how wide its columns are. Pure. */
import type { Column, TableRow } from './select/tables.ts';

export interface Sorting {
  readonly column: number;
  readonly descending: boolean;
}

/** Widest a column gets, in characters; longer texts are cut there, and stand whole in Why. */
const WIDEST = 48;
/** Room for the padding and the sort arrow. */
const ROOM = 4;

/** The rows in order; equal ones stay as they were. */
export function sortRows(rows: readonly TableRow[], { column, descending }: Sorting): readonly TableRow[] {
  const sign = descending ? -1 : 1;
  return [...rows].sort((a, b) => sign * compare(a, b, column) || a.key - b.key);
}

/** The sorting after a press on a column's header: ascending first, then the other way round. */
export function turned(sorting: Sorting, column: number): Sorting {
  return { column, descending: sorting.column === column && !sorting.descending };
}

/** Widths in characters that fit every row, so that columns stay where they are while one scrolls. */
export function widthsOf(columns: readonly Column[], rows: readonly TableRow[]): readonly number[] {
  const widths = columns.map((column) => column.label.length + 1);
  for (const row of rows)
    for (const [index, cell] of row.cells.entries())
      widths[index] = Math.min(WIDEST, Math.max(widths[index] ?? 0, cell.text.length));
  return widths.map((width) => width + ROOM);
}

function compare(a: TableRow, b: TableRow, column: number): number {
  const left = a.cells[column];
  const right = b.cells[column];
  if (left?.sort !== undefined && right?.sort !== undefined)
    return left.sort === right.sort ? 0 : left.sort - right.sort;
  return (left?.text ?? '').localeCompare(right?.text ?? '');
}
