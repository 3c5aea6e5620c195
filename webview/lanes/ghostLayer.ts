/** What is planned beyond now: the order of the plan as columns of dashed chips, with no durations made up. */
import type { ViewState, WaveRow } from '../../src/core/state.ts';
import { rowAt, rowsOf } from '../../src/core/table.ts';
import { LOOKS } from '../glyphs.ts';
import { callNumber } from '../select/calls.ts';
import type { TextMeasure } from './measure.ts';
import { corneredBox } from './outline.ts';
import { type Geometry, laneY } from './place.ts';
import { patch, px, svg } from './svg.ts';
import { type TextItem, TextLayer } from './textLayer.ts';

const GAP = 6;
const WAVE_GAP = 18;
const MOST = 80;
/** Kept free at the right edge for how many did not fit. */
const MORE = 34;

export class GhostLayer {
  readonly element: SVGGElement;
  private readonly chips = svg('path', {
    class: 'ghost look-planned',
    'stroke-dasharray': LOOKS.planned.outline.dash,
  });
  private readonly rules = svg('path', { class: 'ghost-rules' });
  private readonly texts = new TextLayer('ghost-labels');

  constructor() {
    this.element = svg('g', { class: 'ghosts' }, this.rules, this.chips, this.texts.element);
  }

  /** Draws what has not begun between `left` and `right`, wave by wave, as far as there is room. */
  draw(
    state: ViewState | undefined,
    geometry: Geometry,
    measure: TextMeasure,
    left: number,
    right: number,
  ): void {
    let chips = '';
    let rules = '';
    let x = left;
    let shown = 0;
    let ahead = 0;
    const texts: TextItem[] = [];
    const waves = state && geometry.pitch >= 14 && geometry.lanes > 0 ? rowsOf(state.waves) : [];
    for (const wave of waves) {
      const calls = state ? callsAhead(state, wave) : [];
      if (calls.length === 0) continue;
      ahead += calls.length;
      const width = Math.max(measure.width(callNumber(Math.max(...calls))) + 12, 24);
      const room = Math.floor((right - MORE - x + GAP) / (width + GAP));
      const fits = Math.min(room * geometry.lanes, MOST - shown);
      if (fits <= 0 || shown < ahead - calls.length) continue;
      if (wave.status === 'planned') {
        rules += `M${Math.round(x - WAVE_GAP / 2) - 0.5} ${geometry.stripY - 12}V${px(geometry.lanesBottom)}`;
        const columns = Math.min(Math.ceil(calls.length / geometry.lanes), room);
        const text = waveLabel(wave.index, columns * (width + GAP) - GAP, measure);
        texts.push({
          key: `v${wave.index}`,
          x: x - WAVE_GAP / 2 + 4,
          y: geometry.stripY,
          text,
          className: 'dim',
        });
      }
      for (const [index, call] of calls.slice(0, fits).entries()) {
        const cx = x + Math.floor(index / geometry.lanes) * (width + GAP);
        const y = laneY(geometry, index % geometry.lanes);
        chips += corneredBox({ x: cx, y, width, height: geometry.barHeight });
        const text = callNumber(call);
        texts.push({
          key: call,
          x: cx + width / 2,
          y: y + geometry.barHeight / 2 + 4,
          text,
          anchor: 'middle',
          call,
        });
      }
      shown += Math.min(calls.length, fits);
      x += Math.ceil(Math.min(calls.length, fits) / geometry.lanes) * (width + GAP) - GAP + WAVE_GAP;
    }
    if (ahead > shown && right - left > MORE)
      texts.push({
        key: 'more',
        x: right,
        y: geometry.stripY,
        text: `+${ahead - shown}`,
        anchor: 'end',
        className: 'dim',
      });
    patch(this.chips, { d: chips });
    patch(this.rules, { d: rules });
    this.texts.draw(texts);
  }
}

function callsAhead(state: ViewState, wave: WaveRow): number[] {
  if (wave.status === 'ended') return [];
  return [...rowsOf(wave.calls)].filter((call) => {
    const status = rowAt(state.calls, call)?.status;
    return status === 'planned' || status === 'received';
  });
}

function waveLabel(wave: number, room: number, measure: TextMeasure): string {
  return measure.firstThatFits([`Wave ${wave + 1}`, `W${wave + 1}`, String(wave + 1)], room);
}
