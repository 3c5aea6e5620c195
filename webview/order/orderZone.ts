import type { CallStatus } from '../../src/core/state.ts';
import { rowAt } from '../../src/core/table.ts';
import { el, setAttribute, setText } from '../dom.ts';
import { count, grouped, ordinal } from '../format.ts';
import { glyphAt, LOOKS } from '../glyphs.ts';
import { TextMeasure } from '../lanes/measure.ts';
import { patch, px, svg } from '../lanes/svg.ts';
import { type TextItem, TextLayer } from '../lanes/textLayer.ts';
import { callTitle } from '../select/calls.ts';
import { type OrderPair, orderPairs } from '../select/order.ts';
import type { PanelActions, PanelView, Zone } from '../zone.ts';
import {
  BOTTOM,
  type Columns,
  columnAt,
  columnsOf,
  columnX,
  joinLine,
  joinLines,
  TOP,
} from './orderDrawing.ts';

const LEFT = 66;
const HEIGHT = BOTTOM + 32;

/** Zone F: who finished when, over the slots in request order. */
export function createOrderZone(actions: PanelActions): Zone {
  return new OrderZone(actions);
}

class OrderZone implements Zone {
  readonly element: HTMLElement;
  private readonly actions: PanelActions;
  private readonly measure = new TextMeasure();
  private readonly lines = svg('path', { class: 'order-lines' });
  private readonly filled = svg('path', { class: 'order-slots order-filled' });
  private readonly empty = svg('path', {
    class: 'order-slots order-empty',
    'stroke-dasharray': LOOKS.planned.outline.dash,
  });
  private readonly marks = new Map<CallStatus, SVGPathElement>();
  private readonly selected = svg('path', { class: 'order-selected' });
  private readonly texts = new TextLayer('order-labels');
  private readonly drawing: SVGSVGElement;
  private readonly slider: HTMLElement;
  private readonly twin = el('p', { class: 'zone-note order-twin' });
  private view: PanelView | undefined;
  private columns: Columns | undefined;
  private width = 0;

  constructor(actions: PanelActions) {
    this.actions = actions;
    this.drawing = svg(
      'svg',
      { class: 'order-drawing', 'aria-hidden': 'true', height: HEIGHT },
      this.lines,
      this.filled,
      this.empty,
      this.selected,
      this.texts.element,
    );
    this.slider = el(
      'div',
      {
        class: 'order-stage',
        role: 'slider',
        tabindex: 0,
        'aria-label': 'Slot, arrow keys choose a call',
        'aria-valuemin': 1,
      },
      this.drawing,
    );
    this.element = el(
      'section',
      { class: 'zone zone-order', 'aria-labelledby': 'order-title' },
      el('h2', { id: 'order-title', class: 'zone-title' }, 'Order'),
      this.slider,
      this.twin,
    );
    this.slider.addEventListener('click', (event) => this.onClick(event));
    this.slider.addEventListener('keydown', (event) => this.onKey(event));
    new ResizeObserver((entries) => this.resized(entries.at(-1)?.contentRect.width ?? 0)).observe(
      this.slider,
    );
  }

  update(view: PanelView): void {
    const before = this.view;
    this.view = view;
    if (before?.state !== view.state || before.selected !== view.selected || before.found !== view.found)
      this.draw();
  }

  private resized(width: number): void {
    const rounded = Math.floor(width);
    if (rounded === this.width || rounded === 0) return;
    this.width = rounded;
    this.measure.useFontOf(this.element);
    this.draw();
  }

  private draw(): void {
    const { view, width } = this;
    if (!view || width === 0) return;
    const pairs = orderPairs(view.state);
    const digits = this.measure.width(String(pairs.length));
    const columns = columnsOf(pairs.length, LEFT, width - 8, digits);
    this.columns = columns;
    const { path, every } = joinLines(columns, pairs);
    patch(this.drawing, { width, viewBox: `0 0 ${width} ${HEIGHT}` });
    patch(this.lines, { d: path, class: pairs.length > 60 ? 'order-lines order-many' : 'order-lines' });
    this.drawSlots(columns, pairs);
    const chosen = view.selected === undefined ? undefined : pairs[view.selected];
    patch(this.selected, { d: chosen ? joinLine(columns, chosen) + slotBox(columns, chosen.call) : '' });
    this.texts.draw(labels(columns, view, chosen));
    this.say(view, pairs, chosen, every);
  }

  private drawSlots(columns: Columns, pairs: readonly OrderPair[]): void {
    let filled = '';
    let empty = '';
    const marks = new Map<CallStatus, string>();
    const roomy = columns.every === 1 && columns.pitch >= 18;
    for (let index = 0; index < pairs.length; index += columns.every) {
      const pair = pairs[index];
      if (!pair) continue;
      if (pair.filled) filled += slotBox(columns, index);
      else empty += slotBox(columns, index);
      if (pair.filled && pair.status !== 'ok' && roomy)
        marks.set(pair.status, (marks.get(pair.status) ?? '') + slotMark(columns, index, pair.status));
    }
    patch(this.filled, { d: filled });
    patch(this.empty, { d: empty });
    for (const [status, path] of this.marks) patch(path, { d: marks.get(status) ?? '' });
    for (const [status, d] of marks) patch(this.markPath(status), { d });
  }

  private markPath(status: CallStatus): SVGPathElement {
    const found = this.marks.get(status);
    if (found) return found;
    const made = svg('path', { class: `bar-glyph ${LOOKS[status].className}` });
    this.marks.set(status, made);
    this.drawing.append(made);
    return made;
  }

  /** The drawing in words: the selected call's two places, or how many are in. */
  private say(
    view: PanelView,
    pairs: readonly OrderPair[],
    chosen: OrderPair | undefined,
    every: number,
  ): void {
    const { state } = view;
    const row = chosen && rowAt(state.calls, chosen.call);
    const ended = state.completions.size;
    const sampled = every > 1 ? ` One line in ${every} is drawn.` : '';
    const text = row
      ? `${callTitle(row)}: ${placeOf(chosen)}`
      : `${grouped(ended)} of ${count(pairs.length, 'call')} finished; results stand in request order.`;
    setText(this.twin, text + sampled);
    setAttribute(this.slider, 'aria-valuemax', Math.max(pairs.length, 1));
    setAttribute(this.slider, 'aria-valuenow', (chosen?.call ?? 0) + 1);
    setAttribute(this.slider, 'aria-valuetext', chosen ? text : `No call selected. ${text}`);
  }

  private onClick(event: MouseEvent): void {
    const { columns, view } = this;
    if (!columns || !view) return;
    const box = this.slider.getBoundingClientRect();
    const column = columnAt(columns, event.clientX - box.left);
    const above = event.clientY - box.top < (TOP + BOTTOM) / 2;
    this.actions.select(column !== undefined && above ? rowAt(view.state.completions, column) : column);
  }

  private onKey(event: KeyboardEvent): void {
    const { view } = this;
    if (!view || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const last = view.state.calls.size - 1;
    const at = view.selected ?? -1;
    const to = {
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      Home: 0,
      End: last,
      PageDown: at + 10,
      PageUp: at - 10,
    }[event.key];
    if (to === undefined || last < 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.actions.select(Math.min(Math.max(to, 0), last));
  }
}

function labels(columns: Columns, view: PanelView, chosen: OrderPair | undefined): TextItem[] {
  const { completions } = view.state;
  const items: TextItem[] = [
    { key: 'finished', x: 0, y: TOP + 1, text: 'finished', className: 'lane-name' },
    { key: 'slots', x: 0, y: BOTTOM + 4, text: 'slots', className: 'lane-name' },
  ];
  const put = (key: string, index: number, y: number, call: number | undefined) => {
    const isChosen = call !== undefined && call === chosen?.call;
    const className = isChosen ? 'order-number chosen' : call === undefined ? 'dim' : 'order-number';
    const text = call === undefined ? '·' : String(call + 1);
    items.push({
      key,
      x: columnX(columns, index),
      y,
      text,
      anchor: 'middle',
      className,
      ...(call !== undefined && { call }),
    });
  };
  for (let index = 0; index < columns.count; index += columns.every) {
    put(`f${index}`, index, TOP + 1, rowAt(completions, index));
    put(`s${index}`, index, BOTTOM + 4, index);
  }
  return items;
}

function slotBox(columns: Columns, index: number): string {
  const width = Math.min(columns.pitch * columns.every - 4, 30);
  return `M${px(columnX(columns, index) - width / 2)} ${BOTTOM - 9}h${px(width)}v18h${px(-width)}z`;
}

/** The glyph of a call that did not end well, under its slot. */
function slotMark(columns: Columns, index: number, status: CallStatus): string {
  return glyphAt(LOOKS[status].glyph, columnX(columns, index) - 8, BOTTOM + 12);
}

/** "#7 finished 3rd, returned in slot 7". */
function placeOf(pair: OrderPair): string {
  const slot = `slot ${pair.call + 1}`;
  if (pair.completion === undefined)
    return pair.filled ? `never started, ${slot} says so` : `not finished, will return in ${slot}`;
  const word = pair.status === 'ok' ? '' : `, ${LOOKS[pair.status].word}`;
  return `finished ${ordinal(pair.completion)}, ${pair.filled ? 'returned in' : 'will return in'} ${slot}${word}`;
}
