/** The outlines of bars as path data: the shape says the state, sharp corners say unsafe. */
import type { Outline, OutlineShape } from '../glyphs.ts';
import { px } from './svg.ts';

/** A box in pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const RADIUS = 3;
const NOTCH = 5;

/** The outline of one bar, drawn inside its box. `ragged` is the edge of a bar whose end was not recorded. */
export function outlinePath(box: Box, outline: Outline, sharp: boolean, ragged = false): string {
  if (outline.shape === 'double') {
    const outer = inset(box, 0.5);
    return corners(outer, sharp ? 0 : RADIUS) + corners(inset(outer, 2.5), 0);
  }
  const inner = inset(box, outline.width / 2);
  return edge(inner, ragged ? 'ragged' : outline.shape, sharp ? 0 : RADIUS);
}

/** The second line at the left edge of an unsafe call's bar. */
export function unsafeEdge(box: Box): string {
  return `M${px(box.x + 4.5)} ${px(box.y + 3)}v${px(box.height - 6)}`;
}

/** A bar too thin for an outline: a filled mark, never thinner than it is given. */
export function thinMark(box: Box): string {
  return `M${px(box.x)} ${px(box.y)}h${px(box.width)}v${px(box.height)}h${px(-box.width)}z`;
}

function inset(box: Box, by: number): Box {
  return {
    x: box.x + by,
    y: box.y + by,
    width: Math.max(box.width - 2 * by, 0.5),
    height: Math.max(box.height - 2 * by, 0.5),
  };
}

function corners({ x, y, width, height }: Box, radius: number): string {
  const r = Math.min(radius, width / 2, height / 2);
  if (r <= 0) return thinMark({ x, y, width, height });
  const arc = (dx: number, dy: number) => `a${px(r)} ${px(r)} 0 0 1 ${px(dx)} ${px(dy)}`;
  return (
    `M${px(x + r)} ${px(y)}h${px(width - 2 * r)}${arc(r, r)}v${px(height - 2 * r)}${arc(-r, r)}` +
    `h${px(2 * r - width)}${arc(-r, -r)}v${px(2 * r - height)}${arc(r, -r)}z`
  );
}

function edge(box: Box, shape: OutlineShape | 'ragged', radius: number): string {
  if (shape === 'plain') return corners(box, radius);
  const { x, y, width, height } = box;
  const r = Math.min(radius, width / 2, height / 2);
  const right = x + width;
  const bottom = y + height;
  const cut = Math.min(NOTCH, width / 4);
  const left = `H${px(x + r)}a${px(r)} ${px(r)} 0 0 0 ${px(-r)} ${px(r)}V${px(bottom - r)}a${px(r)} ${px(r)} 0 0 0 ${px(r)} ${px(r)}`;
  switch (shape) {
    case 'open-right':
      return `M${px(right)} ${px(y)}${left}H${px(right)}`;
    case 'notched':
      return `M${px(right)} ${px(y)}${left}H${px(right)}L${px(right - cut)} ${px(y + height / 2)}z`;
    case 'cut-corner':
      return `M${px(right - cut * 1.4)} ${px(y)}${left}H${px(right)}V${px(y + cut * 1.4)}z`;
    default: {
      const step = height / 4;
      const teeth = `l${px(-cut)} ${px(-step)}l${px(cut)} ${px(-step)}`.repeat(2);
      return `M${px(right)} ${px(y)}${left}H${px(right)}${teeth}`;
    }
  }
}

/** A box with round corners. */
export function corneredBox(box: Box): string {
  return corners(inset(box, 0.5), RADIUS);
}
