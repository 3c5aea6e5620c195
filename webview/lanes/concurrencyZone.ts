import type { ViewState } from '../../src/core/state.ts';
import { el, setAttribute } from '../dom.ts';
import { type ConcurrencyInterval, concurrencyIntervals } from '../select/concurrency.ts';
import { waitIntervals } from '../select/lanes.ts';
import type { PanelActions, PanelView, Zone } from '../zone.ts';
import { areaUnder, type Strip, stepLine, yOf } from './concurrencyDrawing.ts';
import { isNarrow } from './narrow.ts';
import { GUTTER, rangeOf, type Scale, scaleOf, ticks, xOf } from './scale.ts';
import { patch, px, svg } from './svg.ts';
import { type TextItem, TextLayer } from './textLayer.ts';
import { isInterrupted } from './wording.ts';

const HELD: Omit<Strip, 'most'> = { top: 12, bottom: 46 };
const WAITING: Omit<Strip, 'most'> = { top: 62, bottom: 88 };
const HEIGHT = 94;
/** Zone D: permits held and calls waiting over time, on the axis of the lanes. */
export function createConcurrencyZone(_actions: PanelActions): Zone {
  return new ConcurrencyZone();
}

class ConcurrencyZone implements Zone {
  readonly element: HTMLElement;
  private readonly grid = svg('path', { class: 'grid' });
  private readonly bases = svg('path', { class: 'lane-lines' });
  private readonly area = svg('path', { class: 'held-area' });
  private readonly limit = svg('path', { class: 'limit-line', 'stroke-dasharray': '2 4' });
  private readonly held = svg('path', { class: 'held-line' });
  private readonly waiting = svg('path', { class: 'waiting-line', 'stroke-dasharray': '5 3' });
  private readonly now = svg('path', { class: 'now-line' });
  private readonly texts = new TextLayer('concurrency-labels');
  private readonly drawing: SVGSVGElement;
  private view: PanelView | undefined;
  private width = 0;

  constructor() {
    this.drawing = svg(
      'svg',
      { class: 'concurrency-drawing', role: 'img', height: HEIGHT },
      this.grid,
      this.bases,
      this.area,
      this.limit,
      this.held,
      this.waiting,
      this.now,
      this.texts.element,
    );
    this.element = el(
      'section',
      { class: 'zone zone-concurrency', 'aria-labelledby': 'concurrency-title' },
      el('h2', { id: 'concurrency-title', class: 'zone-title' }, 'Concurrency'),
      this.drawing,
    );
    new ResizeObserver((entries) => {
      const width = Math.floor(entries.at(-1)?.contentRect.width ?? 0);
      if (width === this.width || width === 0) return;
      this.width = width;
      this.draw();
    }).observe(this.element);
  }

  update(view: PanelView): void {
    this.view = view;
    this.draw();
  }

  private draw(): void {
    const { view, width } = this;
    if (!view || width === 0) return;
    const { state, latest } = view;
    const scale = scaleOf(rangeOf(view), width, isNarrow(this.element, width) ? 58 : GUTTER);
    const intervals = concurrencyIntervals(state, view.now);
    const held: Strip = { ...HELD, most: Math.max(latest.permits, 1) };
    const waiting: Strip = { ...WAITING, most: Math.max(mostWaiting(latest), 1) };
    const last = intervals.at(-1);
    patch(this.drawing, {
      width,
      viewBox: `0 0 ${width} ${HEIGHT}`,
      'aria-label': summary(state, intervals),
    });
    const heldLine = stepLine(intervals, (interval) => interval.held, scale, held);
    patch(this.held, { d: heldLine });
    patch(this.area, {
      d: areaUnder(heldLine, held, xOf(scale, Math.max(intervals[0]?.from ?? 0, scale.from))),
    });
    patch(this.waiting, { d: stepLine(intervals, (interval) => interval.waiting, scale, waiting) });
    patch(this.limit, { d: `M${scale.left - 8} ${px(yOf(held, latest.permits))}H${scale.right}` });
    patch(this.bases, {
      d: `M${scale.left - 8} ${HELD.bottom + 0.5}H${scale.right}M${scale.left - 8} ${WAITING.bottom + 0.5}H${scale.right}`,
    });
    patch(this.grid, {
      d: (state.startedAt === undefined ? [] : ticks(scale))
        .map((tick) => `M${Math.round(xOf(scale, tick.at)) + 0.5} 4V${HEIGHT}`)
        .join(''),
    });
    this.drawNow(view, scale);
    this.texts.draw(labels(scale, latest.permits, held, waiting, state, last));
  }

  private drawNow(view: PanelView, scale: Scale): void {
    const { state, now } = view;
    const open = state.startedAt !== undefined && state.endedAt === undefined && !isInterrupted(view);
    const shown = open && now >= scale.from && now <= scale.to;
    patch(this.now, { d: shown ? `M${Math.round(xOf(scale, now)) + 0.5} 0V${HEIGHT}` : '' });
    setAttribute(this.now, 'visibility', shown ? 'visible' : 'hidden');
  }
}

/** Names at the left, the limit above its line, the values now at the lines' ends. */
function labels(
  scale: Scale,
  permits: number,
  held: Strip,
  waiting: Strip,
  state: ViewState,
  last: ConcurrencyInterval | undefined,
): TextItem[] {
  const items: TextItem[] = [
    { key: 'held', x: 0, y: HELD.bottom - 6, text: 'held', className: 'lane-name' },
    { key: 'waiting', x: 0, y: WAITING.bottom - 6, text: 'waiting', className: 'lane-name' },
    {
      key: 'limit',
      x: scale.right,
      y: yOf(held, permits) - 3,
      text: `limit ${permits}`,
      className: 'dim',
      anchor: 'end',
    },
  ];
  if (!last || state.endedAt !== undefined) return items;
  const x = xOf(scale, last.to);
  const right = x < scale.right - 30;
  const end = (key: string, strip: Strip, value: number): TextItem => ({
    key,
    x: right ? x + 6 : x - 6,
    y: Math.min(Math.max(yOf(strip, value) + 4, strip.top + 8), strip.bottom - 1),
    text: String(value),
    className: 'end-label',
    anchor: right ? 'start' : 'end',
  });
  return [...items, end('heldNow', held, last.held), end('waitingNow', waiting, last.waiting)];
}

function mostWaiting(latest: ViewState): number {
  let most = 0;
  if (waitIntervals(latest, latest.t).length === 0) return 0;
  for (const interval of concurrencyIntervals(latest, latest.t)) most = Math.max(most, interval.waiting);
  return most;
}

function summary(state: ViewState, intervals: readonly ConcurrencyInterval[]): string {
  let held = 0;
  let waiting = 0;
  for (const interval of intervals) {
    held = Math.max(held, interval.held);
    waiting = Math.max(waiting, interval.waiting);
  }
  return (
    `Permits held and calls waiting over time: at most ${held} of ${state.permits} held, ` +
    `at most ${waiting} waiting. The table has every value.`
  );
}
