/** The lanes in a narrow panel: rows in wave order, each call's name above its bar. */

import { ranUntil } from '../../src/core/ran.ts';
import type { CallRow, ViewState } from '../../src/core/state.ts';
import { rowAt } from '../../src/core/table.ts';
import { el, KeyedList, setAttribute, setText } from '../dom.ts';
import { count, duration } from '../format.ts';
import { fillDefs, fillOf, glyph, LOOKS, type LookName, lookOf } from '../glyphs.ts';
import { callTitle } from '../select/calls.ts';
import { waveState } from '../select/plan.ts';
import type { PanelView } from '../zone.ts';
import { type NarrowRow, narrowRows } from './narrowRows.ts';
import { outlinePath, thinMark } from './outline.ts';
import { THIN } from './place.ts';
import { fullRange, rangeOf, type Scale, scaleOf, ticks, xOf } from './scale.ts';
import { patch, px, svg } from './svg.ts';
import { TextLayer } from './textLayer.ts';
import { callDetails, isInterrupted } from './wording.ts';

const BAR = 12;
const INDENT = 6;

export class NarrowLanes {
  readonly element: HTMLElement;
  private readonly list: HTMLElement;
  private readonly rows: KeyedList<HTMLElement>;
  private readonly axis = svg(
    'svg',
    { class: 'narrow-axis', height: 18, 'aria-hidden': 'true' },
    fillDefs('narrow-fill'),
  );
  private readonly texts = new TextLayer('tick-labels');
  private readonly toggled = new Map<number, boolean>();
  private readonly select: (call: number) => void;
  private readonly redraw: () => void;
  private stop: string | undefined;
  private last: { readonly view: PanelView; readonly width: number } | undefined;

  constructor(select: (call: number) => void) {
    this.select = select;
    this.redraw = () => this.last && this.draw(this.last.view, this.last.width);
    this.axis.append(this.texts.element);
    this.list = el('div', {
      class: 'narrow-rows',
      role: 'group',
      'aria-label': 'Calls by wave, arrow keys move',
    });
    this.rows = new KeyedList(this.list);
    this.element = el('div', { class: 'narrow-lanes', hidden: true }, this.axis, this.list);
    this.list.addEventListener('click', (event) => this.onClick(event));
    this.list.addEventListener('keydown', (event) => this.onKey(event));
    this.list.addEventListener('focusin', (event) => this.onFocus(event));
  }

  draw(view: PanelView, width: number): void {
    this.last = { view, width };
    const scale: Scale = { ...scaleOf(rangeOf(view), width, INDENT), right: width - INDENT };
    this.drawAxis(scale, width);
    const rows = narrowRows(view.state, view.selected, this.toggled);
    const byKey = new Map<string | number, NarrowRow>(rows.map((row) => [row.key, row]));
    const stops = rows.filter((row) => row.kind !== 'more').map((row) => row.key);
    const wanted =
      view.selected === undefined || this.list.contains(document.activeElement)
        ? this.stop
        : `c${view.selected}`;
    this.stop = wanted !== undefined && stops.includes(wanted) ? wanted : stops[0];
    this.rows.update(
      rows.map((row) => row.key),
      (key) => make(byKey.get(key)),
      (element, key) => {
        const row = byKey.get(key);
        if (!row) return;
        if (row.kind === 'more') setText(element, row.text);
        else setAttribute(element, 'tabindex', row.key === this.stop ? 0 : -1);
        if (row.kind === 'wave') patchWave(element, view.state, row.wave, row.open);
        if (row.kind === 'call') patchCall(element, view, row.call, scale);
      },
    );
  }

  private drawAxis(scale: Scale, width: number): void {
    patch(this.axis, { width, viewBox: `0 0 ${width} 18` });
    const marks = ticks(scale, 72);
    this.texts.draw(
      marks.map((tick) => {
        const x = xOf(scale, tick.at);
        const anchor = x < 20 ? 'start' : x > width - 30 ? 'end' : 'middle';
        return { key: tick.label, x, y: 13, text: tick.label, anchor };
      }),
    );
  }

  private onClick(event: MouseEvent): void {
    const row = rowOf(event.target);
    const call = row?.dataset.call;
    const wave = row?.dataset.wave;
    if (call !== undefined) this.select(Number(call));
    if (wave === undefined) return;
    this.toggled.set(Number(wave), row?.getAttribute('aria-expanded') !== 'true');
    this.redraw();
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.key === 'Enter' || event.key === ' ') event.stopPropagation();
    const stops = [...this.list.querySelectorAll('button')];
    const at = stops.findIndex((button) => button.contains(event.target as Node | null));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: stops.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    stops[to]?.focus();
  }

  private onFocus(event: FocusEvent): void {
    const key = rowOf(event.target)?.dataset.key;
    if (key === undefined || key === this.stop) return;
    this.stop = key;
    this.redraw();
  }
}

function rowOf(target: EventTarget | null): HTMLElement | undefined {
  return (target instanceof Element && target.closest<HTMLElement>('[data-key]')) || undefined;
}

function make(row: NarrowRow | undefined): HTMLElement {
  if (row?.kind === 'wave')
    return el(
      'button',
      { type: 'button', class: 'narrow-wave', 'data-key': row.key, 'data-wave': row.wave },
      el('span', { class: 'twisty', 'aria-hidden': 'true' }),
      el('span', { class: 'narrow-title' }),
    );
  if (row?.kind === 'call')
    return el(
      'button',
      { type: 'button', class: 'narrow-call', 'data-key': row.key, 'data-call': row.call },
      glyph('planned'),
      el('span', { class: 'narrow-title' }),
      el('span', { class: 'narrow-time' }),
      svg('svg', { class: 'narrow-bar', height: BAR, 'aria-hidden': 'true' }, svg('path')),
      el('span', { class: 'hidden-text' }),
    );
  return el('p', { class: 'zone-note' });
}

function patchWave(element: HTMLElement, state: ViewState, index: number, open: boolean): void {
  const wave = rowAt(state.waves, index);
  if (!wave) return;
  setAttribute(element, 'aria-expanded', open ? 'true' : 'false');
  const what = wave.closed ? 'unsafe, alone' : count(wave.calls.size, 'call');
  const title = element.querySelector('.narrow-title');
  if (title) setText(title, `Wave ${index + 1} · ${what} · ${waveState(wave, state)}`);
}

function patchCall(element: HTMLElement, view: PanelView, call: number, scale: Scale): void {
  const { state } = view;
  const row = rowAt(state.calls, call);
  if (!row) return;
  const name = lookOf(row, state);
  setAttribute(element, 'aria-current', view.selected === call ? 'true' : undefined);
  element.classList.toggle('found', view.found?.has(call) ?? false);
  const [icon, title, time, bar, said] = element.children;
  if (!(icon && title && time && bar && said)) return;
  setAttribute(icon, 'class', `glyph ${LOOKS[name].className}${LOOKS[name].solid ? ' glyph-solid' : ''}`);
  if (icon.firstElementChild) patch(icon.firstElementChild, { d: `M0 0${LOOKS[name].glyph}` });
  setText(title, callTitle(row));
  setText(time, timeOf(row, name, view.now));
  setText(said, callDetails(row, state, fullRange(view).to).join(', '));
  if (bar.firstElementChild) patchBar(bar.firstElementChild, row, name, view, scale);
}

function patchBar(path: Element, row: CallRow, name: LookName, view: PanelView, scale: Scale): void {
  const look = LOOKS[name];
  const from = row.permitTakenAt ?? row.startedAt ?? (name === 'waiting' ? row.queuedAt : undefined);
  if (from === undefined) {
    patchStub(path, row, view, scale);
    return;
  }
  const until = ranUntil(row);
  const ragged = isInterrupted(view) && until === undefined;
  const x = xOf(scale, from);
  const width = Math.max(xOf(scale, until ?? view.now) - x, 2);
  const box = { x, y: 1, width, height: BAR - 2 };
  const thin = width < THIN;
  patch(path, {
    d: thin ? thinMark(box) : outlinePath(box, look.outline, !(row.declared?.safe ?? false), ragged),
    class: thin ? `bar-thin ${look.className}` : `bar ${look.className} fill-${look.fill}`,
    fill: fillOf(look, 'narrow-fill'),
    'stroke-width': look.outline.shape === 'double' ? 1 : look.outline.width,
    'stroke-dasharray': look.outline.dash || undefined,
  });
}

/** What is still ahead: a short dotted line right of now, which claims no duration. */
function patchStub(path: Element, row: CallRow, view: PanelView, scale: Scale): void {
  const ahead =
    row.endedAt === undefined && row.status !== 'never-started' && view.state.endedAt === undefined;
  const x = Math.min(xOf(scale, view.now), scale.right - 24);
  patch(path, {
    d: ahead ? `M${px(x)} ${BAR / 2}h24` : '',
    class: `bar ${LOOKS.planned.className} fill-none`,
    fill: 'none',
    'stroke-width': LOOKS.planned.outline.width,
    'stroke-dasharray': LOOKS.planned.outline.dash,
  });
}

function timeOf(row: CallRow, name: LookName, now: number): string {
  const from = row.startedAt ?? row.permitTakenAt;
  const until = ranUntil(row);
  if (until !== undefined && from !== undefined) {
    const took = `${duration(until - from)}${earlySuffix(row)}`;
    return name === 'ok' ? took : `${LOOKS[name].word} · ${took}`;
  }
  if ((name === 'running' || name === 'early') && from !== undefined) return `${duration(now - from)} …`;
  return name === 'waiting' ? 'waiting' : LOOKS[name].word;
}

/** What a run that began early won or wasted: here it has no bar of its own. */
function earlySuffix({ speculation }: CallRow): string {
  const { wonMs, wastedMs } = speculation ?? {};
  if (wonMs !== undefined) return `, ${duration(wonMs)} won`;
  return wastedMs === undefined ? '' : `, ${duration(wastedMs)} wasted`;
}
