import { rowAt } from '../../src/core/table.ts';
import { el, setAttribute, setText } from '../dom.ts';
import { count, moment } from '../format.ts';
import type { PanelActions, PanelView, Zone } from '../zone.ts';
import { BarFocus } from './barFocus.ts';
import { TextMeasure } from './measure.ts';
import { isNarrow } from './narrow.ts';
import { NarrowLanes } from './narrowLanes.ts';
import { barAt, MERGE_ABOVE, type PlacedBar } from './place.ts';
import { fullRange, rangeOf, timeAt } from './scale.ts';
import { type Drawn, WideLanes } from './wideLanes.ts';
import { callSentence } from './wording.ts';
import { fitted, panned, zoomed } from './zooming.ts';

/** Zone C: time across, one lane a permit, what waits for one underneath. */
export function createLanesZone(actions: PanelActions): Zone {
  return new LanesZone(actions);
}

class LanesZone implements Zone {
  readonly element: HTMLElement;
  private readonly actions: PanelActions;
  private readonly measure = new TextMeasure();
  private readonly readout = el('p', { class: 'readout', 'aria-hidden': 'true' });
  private readonly note = el('p', { class: 'zone-note', hidden: true });
  private readonly showAll = el('button', { type: 'button', class: 'link-button', hidden: true }, 'Show all');
  private readonly stage: HTMLElement;
  private readonly wide = new WideLanes(this.measure);
  private readonly narrow: NarrowLanes;
  private readonly focus: BarFocus;
  private view: PanelView | undefined;
  private drawn: Drawn | undefined;
  private width = 0;
  private hovered: number | undefined;
  private focused: number | undefined;

  constructor(actions: PanelActions) {
    this.actions = actions;
    this.narrow = new NarrowLanes((call) => actions.select(call));
    this.focus = new BarFocus('Calls by permit, arrow keys move', {
      label: (call) => this.sentence(call),
      activate: (call) => actions.select(call),
      focused: (call) => {
        this.focused = call;
        this.describe();
      },
    });
    this.stage = el('div', { class: 'stage' }, this.wide.element, this.focus.element);
    this.element = el(
      'section',
      { class: 'zone zone-lanes', 'aria-labelledby': 'lanes-title' },
      el(
        'header',
        { class: 'zone-head' },
        el('h2', { id: 'lanes-title', class: 'zone-title' }, 'Permits'),
        this.showAll,
        this.readout,
      ),
      this.stage,
      this.narrow.element,
      this.note,
    );
    this.showAll.addEventListener('click', () => actions.zoom(undefined));
    this.listen();
    new ResizeObserver((entries) => this.resized(entries.at(-1)?.contentRect.width ?? 0)).observe(
      this.element,
    );
  }

  update(view: PanelView): void {
    this.view = view;
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
    const { view } = this;
    if (!view || this.width === 0) return;
    const narrow = isNarrow(this.element, this.width);
    setAttribute(this.stage, 'hidden', narrow);
    setAttribute(this.narrow.element, 'hidden', !narrow);
    if (narrow) {
      this.drawn = undefined;
      this.narrow.draw(view, this.width);
    } else {
      this.drawn = this.wide.draw(view, this.width, this.hovered);
      this.focus.update(this.drawn.placed, view.selected);
    }
    this.say(view, narrow);
    this.describe();
  }

  private say(view: PanelView, narrow: boolean): void {
    const merged = !narrow && view.state.calls.size > MERGE_ABOVE;
    setAttribute(this.note, 'hidden', !merged);
    if (merged)
      setText(
        this.note,
        `${count(view.state.calls.size, 'call')}: bars closer than a pixel are drawn as one.`,
      );
    setAttribute(this.showAll, 'hidden', view.zoom === undefined);
  }

  /** What the pointer or the keyboard is on, in words; else what part of the run is shown. */
  private describe(): void {
    const { view } = this;
    const call = this.focused ?? this.hovered;
    if (!view) return;
    const range = rangeOf(view);
    const total = fullRange(view).to;
    const part = view.zoom ? `${moment(range.from, total)} to ${moment(range.to, total)}` : '';
    setText(this.readout, call === undefined ? part : this.sentence(call));
  }

  private sentence(call: number): string {
    const { view } = this;
    const row = view && rowAt(view.state.calls, call);
    return row ? callSentence(row, view.state, fullRange(view).to) : '';
  }

  private listen(): void {
    const { stage, actions } = this;
    stage.addEventListener('click', (event) => {
      if (event.target instanceof Element && event.target.closest('.bar-focus')) return;
      actions.select(this.callAt(event));
    });
    stage.addEventListener('dblclick', (event) => {
      const bar = this.barAt(event)?.bar;
      if (this.view) actions.zoom(bar && fitted(bar, fullRange(this.view)));
    });
    stage.addEventListener('pointermove', (event) => this.hover(this.callAt(event)));
    stage.addEventListener('pointerleave', () => this.hover(undefined));
    stage.addEventListener('wheel', (event) => this.onWheel(event), { passive: false });
  }

  private hover(call: number | undefined): void {
    if (call === this.hovered) return;
    this.hovered = call;
    this.stage.classList.toggle('over-bar', call !== undefined);
    this.draw();
  }

  private onWheel(event: WheelEvent): void {
    const { view, drawn } = this;
    if (!view || !drawn) return;
    const full = fullRange(view);
    const range = rangeOf(view);
    if (event.ctrlKey || event.altKey) {
      event.preventDefault();
      const delta = event.deltaY || event.deltaX;
      this.actions.zoom(zoomed(range, timeAt(drawn.scale, this.point(event).x), 1.002 ** delta, full));
    } else if (view.zoom && (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))) {
      event.preventDefault();
      const perPixel = (range.to - range.from) / (drawn.scale.right - drawn.scale.left);
      this.actions.zoom(panned(range, (event.deltaX || event.deltaY) * perPixel, full));
    }
  }

  private callAt(event: MouseEvent): number | undefined {
    const bar = this.barAt(event)?.bar.call;
    if (bar !== undefined) return bar;
    const named = event.target instanceof Element ? event.target.closest('[data-call]') : null;
    return named ? Number(named.getAttribute('data-call')) : undefined;
  }

  private barAt(event: MouseEvent): PlacedBar | undefined {
    if (!this.drawn) return undefined;
    const { x, y } = this.point(event);
    return barAt(this.drawn.placed, this.drawn.geometry, x, y);
  }

  /** A pointer's place in the drawing. */
  private point(event: MouseEvent): { x: number; y: number } {
    const box = this.stage.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }
}
