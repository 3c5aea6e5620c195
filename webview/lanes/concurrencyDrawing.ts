/** Step lines of what was held and what waited: path data, pure. */
import type { ConcurrencyInterval } from '../select/concurrency.ts';
import { type Scale, xOf } from './scale.ts';
import { px } from './svg.ts';

/** A strip of the drawing with a scale of its own. */
export interface Strip {
  readonly top: number;
  readonly bottom: number;
  /** The value at the top. */
  readonly most: number;
}

/** Where a value stands. */
export function yOf(strip: Strip, value: number): number {
  return strip.bottom - (value / Math.max(strip.most, 1)) * (strip.bottom - strip.top);
}

/**
 * A step line through the intervals. Steps closer than half a pixel are drawn as one that reaches as high as the highest of them,
 * so that a line of thousands of steps costs no more than the width allows.
 */
export function stepLine(
  intervals: readonly ConcurrencyInterval[],
  value: (interval: ConcurrencyInterval) => number,
  scale: Scale,
  strip: Strip,
): string {
  let path = '';
  let x = 0;
  let level = 0;
  for (const interval of intervals) {
    if (interval.to < scale.from || interval.from > scale.to) continue;
    const from = Math.max(xOf(scale, interval.from), scale.left);
    const to = Math.min(xOf(scale, interval.to), scale.right);
    if (path === '') path = `M${px(from)} ${px(yOf(strip, value(interval)))}`;
    else if (to - x < 0.5 && value(interval) <= level) continue;
    else path += `V${px(yOf(strip, value(interval)))}`;
    path += `H${px(to)}`;
    x = to;
    level = value(interval);
  }
  return path;
}

/** The area under a step line. */
export function areaUnder(line: string, strip: Strip, from: number): string {
  return line === '' ? '' : `${line}V${px(strip.bottom)}H${px(from)}z`;
}
