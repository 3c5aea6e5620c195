/** The time axis that lanes and concurrency share: what is on it, and where its ticks stand. */
import { moment } from '../format.ts';
import type { PanelView, Zoom } from '../zone.ts';

/** Pixels left of the axis for the names of rows, and right of it. */
export const GUTTER = 64;
const MARGIN = 12;

/** Milliseconds to pixels. */
export interface Scale {
  readonly from: number;
  readonly to: number;
  readonly left: number;
  readonly right: number;
}

export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** Where a moment stands, kept within a little more than the axis, so that no coordinate grows without bound. */
export function xOf(scale: Scale, t: number): number {
  const x = scale.left + ((t - scale.from) / (scale.to - scale.from)) * (scale.right - scale.left);
  return Math.min(Math.max(x, scale.left - 8), scale.right + 8);
}

/** The moment at a place. */
export function timeAt(scale: Scale, x: number): number {
  return scale.from + ((x - scale.left) / (scale.right - scale.left)) * (scale.to - scale.from);
}

/**
 * All of the run: to its end once that is known, so that scrubbing never changes the axis; before that, to a round
 * number that leaves a sixth of the width for what is planned and grows in steps, not with every frame.
 */
export function fullRange(view: Pick<PanelView, 'latest' | 'now'>): Zoom {
  const { latest } = view;
  if (latest.endedAt !== undefined) return { from: 0, to: Math.max(latest.endedAt, 0.1) };
  return { from: 0, to: roomy(Math.max(latest.t, view.now)) };
}

/** What the axis shows: the zoom, else all. */
export function rangeOf(view: Pick<PanelView, 'latest' | 'now' | 'zoom'>): Zoom {
  return view.zoom && view.zoom.to > view.zoom.from ? view.zoom : fullRange(view);
}

/** The scale of a drawing of this width. */
export function scaleOf(range: Zoom, width: number, gutter = GUTTER): Scale {
  return { ...range, left: gutter, right: Math.max(gutter + 20, width - MARGIN) };
}

const STEPS = [1, 1.5, 2, 3, 4, 5, 7.5, 10];

function roomy(now: number): number {
  const wanted = Math.max(now / 0.84, 1);
  const unit = 10 ** Math.floor(Math.log10(wanted));
  return unit * (STEPS.find((step) => step * unit >= wanted) ?? 10);
}

/** Round moments within the range, as many as have room. */
export function ticks(scale: Scale, room = 84): Tick[] {
  const span = scale.to - scale.from;
  const step = niceStep((span * room) / Math.max(scale.right - scale.left, 1));
  const list: Tick[] = [];
  const first = Math.ceil(scale.from / step - 1e-9);
  for (let n = first; n * step <= scale.to + step * 1e-9 && list.length < 60; n++) {
    const at = n * step;
    list.push({ at, label: tickLabel(at, step, scale.to) });
  }
  return list;
}

const LONG_STEPS = [10, 15, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600].map((seconds) => seconds * 1000);

function niceStep(least: number): number {
  if (least > 5_000) {
    const long = LONG_STEPS.find((step) => step >= least);
    if (long !== undefined) return long;
    return Math.ceil(least / 3_600_000) * 3_600_000;
  }
  const unit = 10 ** Math.floor(Math.log10(Math.max(least, 1e-6)));
  return unit * ([1, 2, 5].find((step) => step * unit >= least * 0.999) ?? 10);
}

/** A moment on the axis, in the unit of its ticks. */
export function axisMoment(scale: Scale, t: number): string {
  return scale.to < 1_000 && scale.to >= 100 ? `${Math.round(t)} ms` : moment(t, scale.to);
}

/** The label of a tick, in the unit that suits the end of the axis. */
function tickLabel(at: number, step: number, end: number): string {
  if (at === 0) return '0';
  if (end < 1_000) return `${at.toFixed(decimals(step))} ms`;
  if (end < 120_000 || step < 1_000) return `${(at / 1000).toFixed(decimals(step / 1000))} s`;
  const seconds = Math.round(at / 1000);
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)}:${String(rest).padStart(2, '0')} min`;
}

function decimals(step: number): number {
  return Math.min(Math.max(-Math.floor(Math.log10(step) + 1e-9), 0), 4);
}
