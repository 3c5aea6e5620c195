/** The lanes as one drawing: permits down, time across. Redraws what changed: all of it, or only what moves with now. */
import type { ViewState } from '../../src/core/state.ts';
import { fillDefs } from '../glyphs.ts';
import { arrivalSpans } from '../select/arrivals.ts';
import { laneBars, laneCount, unplacedCalls, waitIntervals, waveRules } from '../select/lanes.ts';
import type { PanelView } from '../zone.ts';
import { ArrivalLayer } from './arrivalLayer.ts';
import { AxisLayer } from './axisLayer.ts';
import { BarLayer } from './barLayer.ts';
import { type Foot, FootLayer, footOf, waitRows } from './footLayer.ts';
import { GhostLayer } from './ghostLayer.ts';
import { barLabels } from './labels.ts';
import { MarkLayer } from './markLayer.ts';
import type { TextMeasure } from './measure.ts';
import { NowLayer } from './nowLayer.ts';
import { type Geometry, geometryOf, type PlacedBar, placeBars } from './place.ts';
import { rangeOf, type Scale, scaleOf, xOf } from './scale.ts';
import { patch, svg } from './svg.ts';
import { TextLayer } from './textLayer.ts';
import { isInterrupted, lanesSummary } from './wording.ts';

/** What is drawn where; for hit tests and the keyboard. */
export interface Drawn {
  readonly scale: Scale;
  readonly geometry: Geometry;
  readonly placed: readonly PlacedBar[];
}

export class WideLanes {
  readonly element: SVGSVGElement;
  private readonly axis = new AxisLayer();
  private readonly settled = new BarLayer('bars', 'lanes-fill');
  private readonly live = new BarLayer('bars bars-live', 'lanes-fill');
  private readonly labels = new TextLayer('bar-labels');
  private readonly liveLabels = new TextLayer('bar-labels');
  private readonly ghosts = new GhostLayer();
  private readonly foot = new FootLayer();
  private readonly arrivals = new ArrivalLayer();
  private readonly now = new NowLayer();
  private readonly marks = new MarkLayer();
  private readonly measure: TextMeasure;
  private last: { readonly state: ViewState; readonly scale: Scale; readonly ragged: boolean } | undefined;

  constructor(measure: TextMeasure) {
    this.measure = measure;
    this.element = svg(
      'svg',
      { class: 'lanes-drawing', role: 'img' },
      fillDefs('lanes-fill'),
      this.axis.element,
      this.ghosts.element,
      this.settled.element,
      this.live.element,
      this.labels.element,
      this.liveLabels.element,
      this.foot.element,
      this.arrivals.element,
      this.now.element,
      this.marks.element,
    );
  }

  /** Draws a view at a width, and says what stands where. */
  draw(view: PanelView, width: number, hovered: number | undefined): Drawn {
    const { state, latest, now } = view;
    const lanes = laneCount(latest);
    const geometry = geometryOf(width, lanes);
    const scale = scaleOf(rangeOf(view), width);
    const foot = footFor(latest, geometry, lanes);
    const ragged = isInterrupted(view);
    const placed = placeBars(laneBars(state, now), scale, geometry, state.endedAt ?? now);
    const same = this.last;
    const still =
      same?.state === state &&
      same.ragged === ragged &&
      sameScale(same.scale, scale) &&
      same.scale.right === scale.right;
    if (!still) {
      this.size(geometry, foot);
      this.drawStill(view, scale, geometry, placed);
      this.last = { state, scale, ragged };
    }
    this.drawMoving(view, scale, geometry, foot, placed, ragged);
    this.marks.draw(placed, view.selected, hovered, view.found);
    return { scale, geometry, placed };
  }

  private size(geometry: Geometry, foot: Foot): void {
    const height = Math.ceil(foot.bottom + 6);
    patch(this.element, {
      width: geometry.width,
      height,
      viewBox: `0 0 ${geometry.width} ${height}`,
    });
  }

  private drawStill(view: PanelView, scale: Scale, geometry: Geometry, placed: readonly PlacedBar[]): void {
    const { state } = view;
    patch(this.element, { 'aria-label': lanesSummary(state, geometry.lanes) });
    const going = state.phase === 'running' || state.phase === 'cancelling';
    const free = new Set<number>();
    if (going) for (const [permit, call] of state.holders.entries()) if (call === undefined) free.add(permit);
    this.axis.drawLanes(scale, geometry, { free });
    const ended = placed.filter((item) => !item.bar.open);
    this.settled.draw(ended, false);
    this.labels.draw(barLabels(ended, state, this.measure));
  }

  private drawMoving(
    view: PanelView,
    scale: Scale,
    geometry: Geometry,
    foot: Foot,
    placed: readonly PlacedBar[],
    ragged: boolean,
  ): void {
    const { state, latest } = view;
    const before = state.startedAt === undefined;
    const ended = state.endedAt !== undefined;
    const now = before || ended || ragged ? undefined : view.now;
    const at = now === undefined ? undefined : xOf(scale, now);
    const bottom = geometry.lanesBottom;
    this.axis.drawTicks(before ? undefined : scale, geometry, bottom, at);
    this.axis.drawWaves(waveRules(state, view.now), scale, geometry, foot.axisBottom, this.measure);
    const open = placed.filter((item) => item.bar.open);
    this.live.draw(open, ragged);
    this.liveLabels.draw(barLabels(open, state, this.measure));
    this.foot.draw(
      foot,
      scale,
      this.measure,
      Math.max(latest.permits - geometry.lanes, 0),
      unplacedCalls(state),
      waitIntervals(state, view.now),
    );
    this.arrivals.draw(
      foot.messageY,
      scale,
      this.measure,
      arrivalSpans(state, view.now),
      state.message?.endedAt,
    );
    this.now.draw({
      state,
      now,
      scale,
      geometry,
      foot,
      measure: this.measure,
      unrecorded: ragged ? view.now : undefined,
    });
    const left = before ? scale.left + 6 : (at ?? scale.right) + 14;
    // Once the run is asked to stop, what is planned will not start.
    const ahead = ended || ragged || state.phase === 'cancelling' ? undefined : state;
    this.ghosts.draw(ahead, geometry, this.measure, left, scale.right);
  }
}

function footFor(latest: ViewState, geometry: Geometry, lanes: number): Foot {
  const rows = waitRows(waitIntervals(latest, latest.t));
  const most = rows.reduce((max, row) => Math.max(max, row + 1), 0);
  const unneeded = lanes === 0 ? 0 : latest.permits - lanes;
  return footOf(geometry.lanesBottom, {
    streamed: latest.message !== undefined,
    unneeded,
    unplaced: unplacedCalls(latest).length,
    waitRows: most,
    stopped: latest.stop !== undefined,
  });
}

function sameScale(a: Scale, b: Scale): boolean {
  return a.from === b.from && a.to === b.to && a.left === b.left;
}
