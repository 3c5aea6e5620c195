/** What stands below the lanes: permits never needed, calls without a permit, and the calls that wait for one. */
import { glyphAt, LOOKS, type LookName } from '../glyphs.ts';
import { callNumber } from '../select/calls.ts';
import type { Unplaced, WaitInterval } from '../select/lanes.ts';
import type { TextMeasure } from './measure.ts';
import { type Scale, xOf } from './scale.ts';
import { patch, px, svg } from './svg.ts';
import { type TextItem, TextLayer } from './textLayer.ts';

const LABELLED_ROWS = 6;
const ROW = 15;
/** Rows too many to name are thin lines, and of still more only every n-th is drawn. */
const DENSE_ROW = 3;
const DENSE_ROWS = 30;
const MOST_TEXTS = 60;

/** The rows below the lanes; made from the whole run, so that scrubbing moves nothing. */
export interface Foot {
  readonly unneededY: number | undefined;
  readonly messageY: number | undefined;
  readonly unplacedY: number | undefined;
  readonly waitsY: number | undefined;
  readonly waitPitch: number;
  readonly waitEvery: number;
  readonly stopY: number | undefined;
  /** Where what belongs to the time axis ends. */
  readonly axisBottom: number;
  readonly bottom: number;
}

/** How much has to be shown there. */
export interface FootContent {
  /** The calls came one by one. */
  readonly streamed: boolean;
  readonly unneeded: number;
  readonly unplaced: number;
  readonly waitRows: number;
  readonly stopped: boolean;
}

/** The foot of a drawing whose lanes end at `top`. */
export function footOf(top: number, { streamed, unneeded, unplaced, waitRows, stopped }: FootContent): Foot {
  let y = top + 6;
  const messageY = streamed ? y + 2 : undefined;
  if (streamed) y += ROW + 6;
  const unplacedY = unplaced > 0 ? y + 2 : undefined;
  if (unplaced > 0) y += 24;
  const waitsY = waitRows > 0 ? y + 4 : undefined;
  const labelled = waitRows <= LABELLED_ROWS;
  const waitEvery = labelled ? 1 : Math.ceil(waitRows / DENSE_ROWS);
  const waitPitch = labelled ? ROW : DENSE_ROW / waitEvery;
  if (waitRows > 0) y += Math.max(waitRows * waitPitch, ROW) + 8;
  const axisBottom = y;
  const unneededY = unneeded > 0 ? y + 12 : undefined;
  if (unneeded > 0) y += 20;
  const stopY = stopped ? y + 10 : undefined;
  if (stopped) y += 16;
  return { messageY, unneededY, unplacedY, waitsY, waitPitch, waitEvery, axisBottom, stopY, bottom: y };
}

/**
 * A row for each wait, in the order in which they began. Waits end first come, first served, so rows are freed from
 * the oldest on; one that ends out of turn keeps its row a little longer, which costs a row and covers nothing.
 */
export function waitRows(waits: readonly WaitInterval[]): number[] {
  const rows: number[] = [];
  let free: number[] = [];
  let oldest = 0;
  let used = 0;
  for (const [index, wait] of waits.entries()) {
    for (
      let earlier = waits[oldest];
      oldest < index && earlier && hasEnded(earlier, wait.from);
      earlier = waits[oldest]
    )
      free.push(rows[oldest++] ?? 0);
    if (oldest === index) {
      free = [];
      used = 0;
    }
    rows.push(free.shift() ?? used++);
  }
  return rows;
}

function hasEnded(wait: WaitInterval, at: number): boolean {
  return !wait.open && wait.to <= at;
}

export class FootLayer {
  readonly element: SVGGElement;
  private readonly lines = svg('path', { class: 'wait-lines look-waiting' });
  private readonly ends = svg('path', { class: 'wait-ends look-waiting' });
  private readonly marks = new Map<LookName, SVGPathElement>();
  private readonly texts = new TextLayer('foot-labels');

  constructor() {
    this.element = svg('g', {}, this.lines, this.ends, this.texts.element);
  }

  draw(
    foot: Foot,
    scale: Scale,
    measure: TextMeasure,
    unneeded: number,
    unplaced: readonly Unplaced[],
    waits: readonly WaitInterval[],
  ): void {
    const texts: TextItem[] = [];
    if (foot.unneededY !== undefined) {
      const text = `${unneeded} ${unneeded === 1 ? 'permit' : 'permits'} never needed`;
      texts.push({ key: 'unneeded', x: 0, y: foot.unneededY, text, className: 'dim' });
    }
    this.drawUnplaced(foot.unplacedY, scale, unplaced, texts);
    this.drawWaits(foot, scale, measure, waits, texts);
    this.texts.draw(texts);
  }

  private drawUnplaced(
    top: number | undefined,
    scale: Scale,
    unplaced: readonly Unplaced[],
    texts: TextItem[],
  ): void {
    const data = new Map<LookName, string>();
    if (top !== undefined) {
      const y = top + 15;
      const never = unplaced.filter((item) => item.at === undefined);
      if (unplaced.length > 0) texts.push({ key: 'none', x: 0, y, text: 'no permit', className: 'dim' });
      let free = scale.left;
      for (const { call, status, at } of unplaced) {
        if (at === undefined || free > scale.right - 40) continue;
        const x = Math.min(Math.max(xOf(scale, at) - 8, free), scale.right - 40); // room for its number
        data.set(status, (data.get(status) ?? '') + glyphAt(LOOKS[status].glyph, x, top + 3));
        texts.push({ key: `u${call}`, x: x + 18, y, text: callNumber(call), className: 'foot-call', call });
        free = x + 52;
      }
      if (never.length > 0) {
        const x = free + (free > scale.left ? 12 : 0);
        const named = never.slice(0, 6).map((item) => callNumber(item.call));
        const more = never.length > 6 ? ` and ${never.length - 6} more` : '';
        data.set(
          'never-started',
          (data.get('never-started') ?? '') + glyphAt(LOOKS['never-started'].glyph, x, top + 3),
        );
        texts.push({ key: 'never', x: x + 18, y, text: `never started: ${named.join(' ')}${more}` });
      }
    }
    for (const [name, path] of this.marks) if (!data.has(name)) patch(path, { d: '' });
    for (const [name, d] of data) patch(this.markPath(name), { d });
  }

  private drawWaits(
    foot: Foot,
    scale: Scale,
    measure: TextMeasure,
    waits: readonly WaitInterval[],
    texts: TextItem[],
  ): void {
    let lines = '';
    let ends = '';
    if (foot.waitsY !== undefined) {
      texts.push({ key: 'wait', x: 0, y: foot.waitsY + 11, text: 'waiting', className: 'dim' });
      const labelled = foot.waitPitch === ROW;
      const rows = waitRows(waits);
      let count = 0;
      for (const [index, wait] of waits.entries()) {
        const row = rows[index] ?? 0;
        if (wait.to < scale.from || wait.from > scale.to || row % foot.waitEvery !== 0) continue;
        const y = foot.waitsY + row * foot.waitPitch + (labelled ? 7 : 2);
        const from = Math.max(xOf(scale, wait.from), scale.left);
        const to = Math.max(xOf(scale, wait.to), from + 2);
        const text = callNumber(wait.call);
        const width = labelled && count < MOST_TEXTS ? measure.width(text) + 6 : 0;
        if (width > 0) {
          count++;
          texts.push({
            key: `w${wait.call}`,
            x: from + 1,
            y: y + 4,
            text,
            className: 'foot-call',
            call: wait.call,
          });
        }
        if (to - from > width) lines += `M${px(from + width)} ${px(y)}H${px(to)}`;
        if (labelled && !wait.open) ends += `M${px(Math.max(to, from + width))} ${px(y - 4)}v8`;
      }
    }
    patch(this.lines, {
      d: lines,
      class: foot.waitPitch === ROW ? 'wait-lines look-waiting' : 'wait-lines wait-dense',
    });
    patch(this.ends, { d: ends });
  }

  private markPath(name: LookName): SVGPathElement {
    const found = this.marks.get(name);
    if (found) return found;
    const look = LOOKS[name];
    const made = svg('path', { class: `bar-glyph ${look.className}${look.solid ? ' glyph-solid' : ''}` });
    this.marks.set(name, made);
    this.element.append(made);
    return made;
  }
}
