/** What stands behind the bars: ticks, the waves as a strip with full-height rules, lanes with their names. */
import { glyphAt, MARKS } from '../glyphs.ts';
import type { WaveRule } from '../select/lanes.ts';
import type { TextMeasure } from './measure.ts';
import type { Geometry } from './place.ts';
import { type Scale, ticks, xOf } from './scale.ts';
import { patch, px, svg } from './svg.ts';
import { type TextItem, TextLayer } from './textLayer.ts';

const MOST_LABELS = 40;

/** The permits that are free while the run goes on. */
export interface LaneNames {
  readonly free: ReadonlySet<number>;
}

export class AxisLayer {
  readonly element: SVGGElement;
  private readonly grid = svg('path', { class: 'grid' });
  private readonly lanes = svg('path', { class: 'lane-lines' });
  private readonly rules = svg('path', { class: 'wave-rules' });
  private readonly strip = svg('path', { class: 'wave-strip' });
  private readonly locks = svg('path', { class: 'bar-lock' });
  private readonly tickTexts = new TextLayer('tick-labels');
  private readonly waveTexts = new TextLayer('wave-labels');
  private readonly laneTexts = new TextLayer('lane-labels');

  constructor() {
    this.element = svg(
      'g',
      {},
      this.grid,
      this.lanes,
      this.rules,
      this.strip,
      this.locks,
      this.tickTexts.element,
      this.waveTexts.element,
      this.laneTexts.element,
    );
  }

  drawTicks(scale: Scale | undefined, geometry: Geometry, bottom: number, avoid: number | undefined): void {
    let lines = '';
    const texts: TextItem[] = [];
    if (scale)
      for (const tick of ticks(scale)) {
        const x = Math.round(xOf(scale, tick.at)) + 0.5;
        lines += `M${x} ${geometry.lanesTop}V${px(bottom)}`;
        if (avoid !== undefined && Math.abs(avoid - x) < 46) continue;
        const first = x < scale.left + 12;
        const anchor = first ? 'start' : x > scale.right - 24 ? 'end' : 'middle';
        texts.push({ key: tick.label, x: first ? x - 3 : x, y: geometry.axisY, text: tick.label, anchor });
      }
    patch(this.grid, { d: lines });
    this.tickTexts.draw(texts);
  }

  drawWaves(
    rules: readonly WaveRule[],
    scale: Scale,
    geometry: Geometry,
    bottom: number,
    measure: TextMeasure,
  ): void {
    let lines = '';
    let strip = '';
    let locks = '';
    const texts: TextItem[] = [];
    let drawnAt = Number.NEGATIVE_INFINITY;
    const y = geometry.stripY + 5;
    for (const rule of rules) {
      if (rule.to < scale.from || rule.from > scale.to) continue;
      const from = Math.max(xOf(scale, rule.from), scale.left - 4);
      const to = Math.min(xOf(scale, rule.to), scale.right + 4);
      if (from - drawnAt >= 4 && rule.from >= scale.from) {
        lines += `M${Math.round(from) - 0.5} ${geometry.stripY - 12}V${px(bottom)}`;
        drawnAt = from;
      }
      if (to - from >= 4) strip += `M${px(from + 1.5)} ${y}H${px(to - 1.5)}`;
      const lock = rule.closed && to - from >= 34;
      if (texts.length >= MOST_LABELS) continue;
      const text = measure.firstThatFits(waveWordings(rule), to - from - (lock ? 22 : 6));
      if (text === '') continue;
      if (lock) locks += glyphAt(MARKS.unsafe, from + 3, geometry.stripY - 12);
      texts.push({ key: rule.wave, x: from + (lock ? 20 : 4), y: geometry.stripY, text });
    }
    patch(this.rules, { d: lines });
    patch(this.strip, { d: strip });
    patch(this.locks, { d: locks });
    this.waveTexts.draw(texts);
  }

  drawLanes(scale: Scale, geometry: Geometry, names: LaneNames): void {
    let lines = '';
    const texts: TextItem[] = [];
    const small = geometry.pitch < 14;
    for (let lane = 0; lane < geometry.lanes; lane++) {
      const top = geometry.lanesTop + lane * geometry.pitch;
      if (!small) lines += `M${scale.left - 8} ${px(Math.round(top + geometry.pitch) - 0.5)}H${scale.right}`;
      if (lane % geometry.labelEvery !== 0) continue;
      const y = small ? top + 10 : top + geometry.pitch / 2 + 4;
      texts.push({ key: `p${lane}`, x: 0, y, text: `P${lane + 1}`, className: 'lane-name' });
      if (!small && names.free.has(lane))
        texts.push({ key: `f${lane}`, x: scale.left - 12, y, text: 'free', className: 'dim', anchor: 'end' });
    }
    patch(this.lanes, { d: lines });
    this.laneTexts.draw(texts);
  }
}

function waveWordings(rule: WaveRule): string[] {
  const number = `Wave ${rule.wave + 1}`;
  const size = rule.closed ? 'alone' : `${rule.size} ${rule.size === 1 ? 'call' : 'calls'}`;
  return [`${number} · ${size}`, number, String(rule.wave + 1)];
}
