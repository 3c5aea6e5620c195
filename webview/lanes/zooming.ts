/** Zooming and panning along the time axis: pure. */
import type { Zoom } from '../zone.ts';

/** A bar never fills the axis alone: this much of its length is kept free on either side. */
const AROUND = 0.15;
/** The closest one can look, in milliseconds. */
const CLOSEST = 0.01;

/** The range in which a bar fits comfortably. */
export function fitted(bar: { readonly from: number; readonly to: number }, full: Zoom): Zoom | undefined {
  const length = Math.max(bar.to - bar.from, CLOSEST);
  return within({ from: bar.from - length * AROUND, to: bar.to + length * AROUND }, full);
}

/** The range grown or shrunk by a factor around a moment; undefined when that is all of the run. */
export function zoomed(range: Zoom, around: number, factor: number, full: Zoom): Zoom | undefined {
  const at = Math.min(Math.max(around, range.from), range.to);
  const from = at - (at - range.from) * factor;
  const to = at + (range.to - at) * factor;
  if (to - from < CLOSEST) return range;
  return within({ from, to }, full);
}

/** The range moved along, as far as the run reaches. */
export function panned(range: Zoom, by: number, full: Zoom): Zoom | undefined {
  const length = range.to - range.from;
  const from = Math.min(Math.max(range.from + by, full.from), full.to - length);
  return within({ from, to: from + length }, full);
}

function within(range: Zoom, full: Zoom): Zoom | undefined {
  const from = Math.max(range.from, full.from);
  const to = Math.min(Math.max(range.to, from + CLOSEST), full.to);
  return from <= full.from && to >= full.to ? undefined : { from, to };
}
