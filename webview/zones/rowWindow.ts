/** Which rows of a long table are in the page: pure arithmetic. */

/** Tables of more rows than this are windowed. */
export const WINDOW_ABOVE = 40;
/** Rows of a page where the whole table is paged, for screen readers. */
export const PAGE = 100;
/** Rows above and below what can be seen. */
const SPARE = 4;

export interface RowWindow {
  readonly from: number;
  readonly to: number;
}

/** The rows that a scroll position shows, with a few to spare. */
export function rowWindow(rows: number, scrollTop: number, height: number, rowHeight: number): RowWindow {
  if (rows <= WINDOW_ABOVE) return { from: 0, to: rows };
  const from = Math.max(0, Math.floor(scrollTop / rowHeight) - SPARE);
  return { from: Math.min(from, rows), to: Math.min(rows, from + Math.ceil(height / rowHeight) + 2 * SPARE) };
}

/** The rows of a page of a hundred. */
export function rowPage(rows: number, page: number): RowWindow {
  const from = Math.max(0, Math.min(page, Math.ceil(rows / PAGE) - 1)) * PAGE;
  return { from, to: Math.min(rows, from + PAGE) };
}
