/**
 * How each state of a call looks: glyph, outline, fill, word. One table, so that no two states can be told apart by
 * colour alone: every pair differs in glyph and in outline.
 */
import type { CallRow, CallStatus, ViewState } from '../src/core/state.ts';
import { svg } from './lanes/svg.ts';

/**
 * A call's status, where a queued call that found every permit held is `waiting`, one that has a permit and waits for a
 * call of another batch is at the `gate`, one that runs before its input is complete is `early`, and one that has ended
 * before it is `held`. A run that was thrown away is `discarded`.
 */
export type LookName = CallStatus | 'waiting' | 'gate' | 'early' | 'held' | 'discarded';

export type OutlineShape = 'plain' | 'open-right' | 'notched' | 'double' | 'cut-corner';
export type FillName = 'none' | 'tint' | 'stripes' | 'dots' | 'hatch' | 'diagonal';

export interface Outline {
  /** `stroke-dasharray`; empty for a solid line. */
  readonly dash: string;
  readonly width: number;
  readonly shape: OutlineShape;
}

export interface Look {
  /** A path in a box of 16 by 16, all commands relative to the box's corner, so that it can be placed anywhere. */
  readonly glyph: string;
  /** The glyph is an area, not a line. */
  readonly solid: boolean;
  readonly outline: Outline;
  readonly fill: FillName;
  /** What people read. */
  readonly word: string;
  /** Carries the colour: drawings.css maps it to a theme token. */
  readonly className: string;
}

/** Every look, in the order of a call's life. */
export const LOOKS: Readonly<Record<LookName, Look>> = {
  arriving: {
    glyph: 'm8 2.5v8m-3.5 -3.5l3.5 3.5l3.5 -3.5m-7.5 6.5h8',
    solid: false,
    outline: { dash: '1 4', width: 1, shape: 'plain' },
    fill: 'none',
    word: 'arriving',
    className: 'look-arriving',
  },
  received: {
    glyph: 'm8 6.4a1.6 1.6 0 1 1 0 3.2a1.6 1.6 0 1 1 0 -3.2z',
    solid: true,
    outline: { dash: '1 5', width: 1, shape: 'plain' },
    fill: 'none',
    word: 'received',
    className: 'look-received',
  },
  planned: {
    glyph: 'm8 3.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0 -9z',
    solid: false,
    outline: { dash: '1 3', width: 1, shape: 'plain' },
    fill: 'none',
    word: 'planned',
    className: 'look-planned',
  },
  queued: {
    glyph: 'm8 3a5 5 0 1 1 0 10a5 5 0 1 1 0 -10zm0 2.2v3l2 1.4',
    solid: false,
    outline: { dash: '2 2', width: 1, shape: 'plain' },
    fill: 'none',
    word: 'queued',
    className: 'look-queued',
  },
  waiting: {
    glyph: 'm4 3h8l-8 10h8l-8 -10z',
    solid: false,
    outline: { dash: '4 3', width: 1.5, shape: 'plain' },
    fill: 'none',
    word: 'waiting for a permit',
    className: 'look-waiting',
  },
  holding: {
    glyph: 'm6 3.5l4.5 4.5l-4.5 4.5',
    solid: false,
    outline: { dash: '8 2', width: 2, shape: 'open-right' },
    fill: 'none',
    word: 'has a permit',
    className: 'look-holding',
  },
  gate: {
    glyph: 'm3.5 3v10m4.5 -10v10m4.5 -10v10m-10.5 -6h12',
    solid: false,
    outline: { dash: '8 2 2 2', width: 2, shape: 'open-right' },
    fill: 'none',
    word: 'waiting at the gate',
    className: 'look-waiting',
  },
  running: {
    glyph: 'm5 3l8 5l-8 5z',
    solid: true,
    outline: { dash: '', width: 2.5, shape: 'open-right' },
    fill: 'stripes',
    word: 'running',
    className: 'look-running',
  },
  early: {
    glyph: 'm3 3l5 5l-5 5m5 -10l5 5l-5 5',
    solid: false,
    outline: { dash: '5 2', width: 2.5, shape: 'open-right' },
    fill: 'none',
    word: 'running early',
    className: 'look-running',
  },
  held: {
    glyph: 'm5 3v10m6 -10v10',
    solid: false,
    outline: { dash: '5 2 1 2', width: 1.5, shape: 'plain' },
    fill: 'none',
    word: 'ran early, not confirmed yet',
    className: 'look-running',
  },
  discarded: {
    glyph: 'm3.5 5h9m-6.5 0v-2h4v2m-5.2 0l.7 8.5h5l.7 -8.5',
    solid: false,
    outline: { dash: '2 4', width: 1, shape: 'cut-corner' },
    fill: 'diagonal',
    word: 'discarded',
    className: 'look-cancelled',
  },
  ok: {
    glyph: 'm3 8.5l3.5 3.5l6.5 -8',
    solid: false,
    outline: { dash: '', width: 1.5, shape: 'plain' },
    fill: 'tint',
    word: 'ok',
    className: 'look-ok',
  },
  soft: {
    glyph: 'm8 2.5l6 11h-12z',
    solid: false,
    outline: { dash: '7 3', width: 2, shape: 'notched' },
    fill: 'dots',
    word: 'soft error',
    className: 'look-soft',
  },
  hard: {
    glyph: 'm3.8 3.8l8.4 8.4m0 -8.4l-8.4 8.4',
    solid: false,
    outline: { dash: '', width: 3, shape: 'double' },
    fill: 'hatch',
    word: 'hard error',
    className: 'look-hard',
  },
  cancelled: {
    glyph: 'm8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0 -11zm-3.9 1.6l7.8 7.8',
    solid: false,
    outline: { dash: '', width: 1, shape: 'cut-corner' },
    fill: 'diagonal',
    word: 'cancelled',
    className: 'look-cancelled',
  },
  'never-started': {
    glyph: 'm4 8h8',
    solid: false,
    outline: { dash: '1 2', width: 1, shape: 'plain' },
    fill: 'none',
    word: 'never started',
    className: 'look-never-started',
  },
};

/** Marks that go with any state. */
export const MARKS = {
  unsafe: 'm4 7.5h8v6h-8zm1.5 0v-2a2.5 2.5 0 0 1 5 0v2',
  keyed: 'm7.4 8a2.5 2.5 0 1 1 -5 0a2.5 2.5 0 1 1 5 0zm0 0h6.4v2.5m-2.6 -2.5v2',
} as const;

export type MarkName = keyof typeof MARKS;

/** How a call looks now. */
export function lookOf(row: CallRow, state: ViewState): LookName {
  if (row.status === 'holding' && row.gate) return 'gate';
  if (row.endedAt === undefined && row.status !== 'never-started') {
    if (row.speculation?.state === 'running') return 'early';
    if (row.speculation?.state === 'held') return 'held';
  }
  if (row.status !== 'queued') return row.status;
  return state.holders.every((call) => call !== undefined) ? 'waiting' : 'queued';
}

/** A state's glyph as a picture of its own, in the state's colour; hidden from assistive technology. */
export function glyph(name: LookName): SVGSVGElement {
  const look = LOOKS[name];
  return icon(look.glyph, `glyph ${look.className}${look.solid ? ' glyph-solid' : ''}`);
}

/** The lock of unsafe calls or the key of keyed ones, in the text's colour; hidden from assistive technology. */
export function mark(name: MarkName): SVGSVGElement {
  return icon(MARKS[name], `glyph mark-${name}`);
}

function icon(path: string, className: string): SVGSVGElement {
  const drawn = svg('path', { d: `M0 0${path}` });
  return svg(
    'svg',
    { class: className, viewBox: '0 0 16 16', 'aria-hidden': 'true', focusable: 'false' },
    drawn,
  );
}

/** A glyph's path data with its box's corner at a point, to draw many in one path. */
export function glyphAt(path: string, x: number, y: number): string {
  return `M${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}${path}`;
}

/** The value of `fill` for a look in a drawing whose `fillDefs` were made with this prefix. */
export function fillOf(look: Look, prefix: string): string {
  if (look.fill === 'none') return 'none';
  return look.fill === 'tint' ? 'currentColor' : `url(#${prefix}-${look.fill})`;
}

/** The `<pattern>`s of the fills; the prefix keeps two drawings in one page apart. */
export function fillDefs(prefix: string): SVGDefsElement {
  const patterns = Object.values(LOOKS).flatMap((look) => {
    const tile = TILES[look.fill];
    if (!tile) return [];
    const pattern = svg('pattern', {
      id: `${prefix}-${look.fill}`,
      class: look.className,
      patternUnits: 'userSpaceOnUse',
      width: tile.size,
      height: tile.size,
    });
    pattern.append(svg('path', { d: tile.path, class: tile.solid ? 'tile tile-solid' : 'tile' }));
    return [pattern];
  });
  return svg('defs', {}, ...patterns);
}

const TILES: Readonly<Partial<Record<FillName, { size: number; path: string; solid: boolean }>>> = {
  stripes: { size: 8, path: 'M-2 10L10 -2M-2 2L2 -2M6 10L10 6', solid: false },
  dots: { size: 6, path: 'M3 2a1 1 0 1 1 0 2a1 1 0 1 1 0 -2z', solid: true },
  hatch: { size: 6, path: 'M0 0L6 6M6 0L0 6', solid: false },
  diagonal: { size: 8, path: 'M-2 -2L10 10M-2 6L2 10M6 -2L10 2', solid: false },
};
