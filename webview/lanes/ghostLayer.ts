/** What is planned beyond now: the order of the plan as columns of dashed chips, with no durations made up. */
import type { ViewState, WaveRow } from '../../src/core/state.ts';
import { rowAt, rowsOf } from '../../src/core/table.ts';
import { LOOKS } from '../glyphs.ts';
import { callNumber, callTitle } from '../select/calls.ts';
import type { TextMeasure } from './measure.ts';
import { type Box, corneredBox } from './outline.ts';
import { type Geometry, laneY } from './place.ts';
import { patch, px, svg } from './svg.ts';
import { type TextItem, TextLayer } from './textLayer.ts';

const GAP = 6;
const WAVE_GAP = 18;
const MOST = 80;
const WIDEST = 180;
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

  /**
   * Draws what has not begun between `left` and `right`, wave by wave, as far as there is room. Before the run, when
   * the plan has the drawing to itself, the chips are wide enough for names.
   */
  draw(
    state: ViewState | undefined,
    geometry: Geometry,
    measure: TextMeasure,
    left: number,
    right: number,
  ): void {
    const drawable = state && geometry.pitch >= 14 && geometry.lanes > 0;
    const waves = drawable ? wavesAhead(state) : [];
    const width = drawable ? chipWidth(waves, state, geometry, measure, right - left) : 0;
    let chips = '';
    let rules = '';
    let x = left;
    let shown = 0;
    let ahead = 0;
    const texts: TextItem[] = [];
    for (const { wave, calls } of waves) {
      ahead += calls.length;
      const room = Math.floor((right - MORE - x + GAP) / (width + GAP));
      const fits = Math.min(room * geometry.lanes, MOST - shown);
      if (fits <= 0 || shown < ahead - calls.length) continue;
      const columns = Math.min(Math.ceil(calls.length / geometry.lanes), room);
      if (wave.status === 'planned') {
        rules += `M${Math.round(x - WAVE_GAP / 2) - 0.5} ${geometry.stripY - 12}V${px(geometry.lanesBottom)}`;
        texts.push({
          key: `v${wave.index}`,
          x: x - WAVE_GAP / 2 + 4,
          y: geometry.stripY,
          text: waveLabel(wave.index, columns * (width + GAP) - GAP, measure),
          className: 'dim',
        });
      }
      for (const [index, call] of calls.slice(0, fits).entries()) {
        const box = {
          x: x + Math.floor(index / geometry.lanes) * (width + GAP),
          y: laneY(geometry, index % geometry.lanes),
          width,
          height: geometry.barHeight,
        };
        chips += corneredBox(box);
        texts.push(chipText(box, state, call, measure));
      }
      shown += Math.min(calls.length, fits);
      x += columns * (width + GAP) - GAP + WAVE_GAP;
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

interface WaveAhead {
  readonly wave: WaveRow;
  readonly calls: readonly number[];
}

function wavesAhead(state: ViewState): WaveAhead[] {
  const list: WaveAhead[] = [];
  for (const wave of rowsOf(state.waves)) {
    const calls = callsAhead(state, wave);
    if (calls.length > 0) list.push({ wave, calls });
  }
  return list;
}

/** Wide enough for the longest number; before the run as wide as the plan's columns leave room for. */
function chipWidth(
  waves: readonly WaveAhead[],
  state: ViewState,
  geometry: Geometry,
  measure: TextMeasure,
  room: number,
): number {
  const least = Math.max(measure.width(callNumber(Math.max(state.calls.size - 1, 0))) + 12, 24);
  if (state.startedAt !== undefined) return least;
  const columns = waves.reduce((sum, { calls }) => sum + Math.ceil(calls.length / geometry.lanes), 0);
  const share = (room - MORE - waves.length * WAVE_GAP) / Math.max(columns, 1) - GAP;
  return Math.min(Math.max(Math.floor(share), least), WIDEST);
}

function chipText(box: Box, state: ViewState | undefined, call: number, measure: TextMeasure): TextItem {
  const row = state && rowAt(state.calls, call);
  const number = callNumber(call);
  const names = row ? [callTitle(row), `${number} ${row.name}`, number] : [number];
  const text = measure.firstThatFits(names, box.width - 10) || number;
  const short = text === number;
  return {
    key: call,
    x: short ? box.x + box.width / 2 : box.x + 7,
    y: box.y + box.height / 2 + 4,
    text,
    call,
    ...(short && { anchor: 'middle' as const }),
  };
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
