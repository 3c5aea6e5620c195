/** Where finished calls and slots stand, and the lines that join them: pure. */
import { px } from '../lanes/svg.ts';
import type { OrderPair } from '../select/order.ts';

export const TOP = 24;
export const BOTTOM = 72;

/** The columns of the drawing: the k-th completion and the k-th slot share one. */
export interface Columns {
  readonly left: number;
  readonly pitch: number;
  readonly count: number;
  /** Every how many columns there is room for a number. */
  readonly every: number;
}

const WIDEST = 44;

/** Columns for this many calls between `left` and `right`; `digits` is the width of the widest number. */
export function columnsOf(count: number, left: number, right: number, digits: number): Columns {
  const pitch = Math.min((right - left) / Math.max(count, 1), WIDEST);
  return { left, pitch, count, every: Math.max(Math.ceil((digits + (count < 100 ? 6 : 14)) / pitch), 1) };
}

/** The middle of a column. */
export function columnX(columns: Columns, index: number): number {
  return columns.left + (index + 0.5) * columns.pitch;
}

/** The column at a place; undefined beside them. */
export function columnAt(columns: Columns, x: number): number | undefined {
  const index = Math.floor((x - columns.left) / columns.pitch);
  return index >= 0 && index < columns.count ? index : undefined;
}

/** The line from a call's completion to its slot. */
export function joinLine(columns: Columns, pair: OrderPair): string {
  if (pair.completion === undefined) return '';
  const from = columnX(columns, pair.completion - 1);
  const to = columnX(columns, pair.call);
  return `M${px(from)} ${TOP + 7}L${px(to)} ${BOTTOM - 9}`;
}

const MOST_LINES = 1_000;

/** The lines of all calls, or of every n-th where there are more than anyone can tell apart. */
export function joinLines(columns: Columns, pairs: readonly OrderPair[]): { path: string; every: number } {
  const every = Math.max(Math.ceil(pairs.length / MOST_LINES), 1);
  let path = '';
  for (let at = 0; at < pairs.length; at += every) {
    const pair = pairs[at];
    if (pair) path += joinLine(columns, pair);
  }
  return { path, every };
}
