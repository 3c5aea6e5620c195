/** Where every bar of the lanes stands: pure geometry. A call's row depends on its permit alone, so it never moves. */
import type { LaneBar } from '../select/lanes.ts';
import type { Box } from './outline.ts';
import { type Scale, xOf } from './scale.ts';

/** Above this many calls, bars of one look that touch are drawn as one. */
export const MERGE_ABOVE = 2_000;
/** A bar narrower than this has no room for an outline. */
export const THIN = 6;
const LEAST = 2;

/** Rows of the lanes drawing. */
export interface Geometry {
  readonly width: number;
  readonly axisY: number;
  readonly stripY: number;
  readonly lanesTop: number;
  readonly pitch: number;
  readonly barHeight: number;
  readonly lanes: number;
  /** Lanes with a name: every `labelEvery`th. */
  readonly labelEvery: number;
  readonly lanesBottom: number;
}

export interface PlacedBar extends Box {
  readonly bar: LaneBar;
  readonly thin: boolean;
  /** Pixels from its right edge to the next bar of its lane, or to where the lane ends now. */
  readonly room: number;
}

/** The rows for this many lanes: comfortable ones for a few, thin ones for many, never taller than a screen. */
export function geometryOf(width: number, lanes: number): Geometry {
  const pitch = lanes <= 16 ? 28 : lanes <= 32 ? 20 : Math.max(Math.min(800 / lanes, 16), 0.2);
  const barHeight = lanes <= 16 ? 22 : lanes <= 32 ? 17 : Math.max(pitch * 0.8, 0.2);
  const lanesTop = 46;
  const labelEvery = pitch >= 14 ? 1 : Math.ceil(16 / pitch);
  return {
    width,
    axisY: 13,
    stripY: 34,
    lanesTop,
    pitch,
    barHeight,
    lanes,
    labelEvery,
    lanesBottom: lanesTop + lanes * pitch,
  };
}

/** The top of a permit's bars. */
export function laneY(geometry: Geometry, permit: number): number {
  return geometry.lanesTop + permit * geometry.pitch + (geometry.pitch - geometry.barHeight) / 2;
}

/**
 * The boxes of all bars that the axis shows, by permit, then by time. A bar of no duration is two pixels wide; bars
 * that would cover each other move apart by at most three.
 */
export function placeBars(
  bars: readonly LaneBar[],
  scale: Scale,
  geometry: Geometry,
  now = Number.POSITIVE_INFINITY,
): PlacedBar[] {
  const placed: PlacedBar[] = [];
  const merge = bars.length > MERGE_ABOVE;
  let lane = -1;
  let free = Number.NEGATIVE_INFINITY;
  for (const bar of bars) {
    if (bar.permit !== lane) {
      lane = bar.permit;
      free = Number.NEGATIVE_INFINITY;
    }
    if (bar.to < scale.from || bar.from > scale.to) continue;
    const at = xOf(scale, bar.from);
    const x = Math.min(Math.max(at, free), at + 3);
    const width = Math.max(xOf(scale, bar.to) - x, LEAST);
    const last = placed.at(-1);
    if (merge && last && last.bar.permit === lane && canMerge(last, bar, x, width)) {
      placed[placed.length - 1] = { ...last, width: x + width - last.x };
    } else {
      const y = laneY(geometry, bar.permit);
      placed.push({ bar, x, y, width, height: geometry.barHeight, thin: width < THIN, room: 0 });
    }
    free = x + width + 1;
  }
  return withRoom(placed, xOf(scale, now));
}

function withRoom(placed: readonly PlacedBar[], end: number): PlacedBar[] {
  return placed.map((item, index) => {
    const next = placed[index + 1];
    const until = next?.bar.permit === item.bar.permit ? next.x : end;
    return { ...item, room: Math.max(until - item.x - item.width, 0) };
  });
}

function canMerge(last: PlacedBar, bar: LaneBar, x: number, width: number): boolean {
  return last.bar.look === bar.look && last.thin && width < THIN && x <= last.x + last.width + 1;
}

/** The bar at a place, or the nearest one in that lane within twelve pixels. */
export function barAt(
  placed: readonly PlacedBar[],
  geometry: Geometry,
  x: number,
  y: number,
): PlacedBar | undefined {
  const lane = Math.floor((y - geometry.lanesTop) / geometry.pitch);
  let best: PlacedBar | undefined;
  let least = 12;
  for (const candidate of placed) {
    if (candidate.bar.permit !== lane) continue;
    const distance = Math.max(candidate.x - x, x - candidate.x - candidate.width, 0);
    if (distance < least || (distance === 0 && least === 0)) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}
