/**
 * The keyboard's way into the lanes: one Tab stop, arrows move from bar to bar. Two buttons take turns, so that moving
 * is moving focus, which is what a screen reader announces, and thousands of bars cost no more than two.
 */
import { el, setAttribute } from '../dom.ts';
import type { PlacedBar } from './place.ts';

export interface BarFocusEvents {
  label(call: number): string;
  activate(call: number): void;
  /** A bar got or lost focus. */
  focused(call: number | undefined): void;
}

const LEAST = 24;

export class BarFocus {
  readonly element: HTMLElement;
  private readonly buttons: readonly [HTMLButtonElement, HTMLButtonElement];
  private readonly events: BarFocusEvents;
  private placed: readonly PlacedBar[] = [];
  private active: 0 | 1 = 0;
  private call: number | undefined;

  constructor(label: string, events: BarFocusEvents) {
    this.events = events;
    this.buttons = [this.button(), this.button()];
    this.element = el('div', { class: 'bar-focus', role: 'group', 'aria-label': label }, ...this.buttons);
    this.element.addEventListener('keydown', (event) => this.onKey(event));
    this.element.addEventListener('focusin', () => this.events.focused(this.call));
    this.element.addEventListener('focusout', () => this.events.focused(undefined));
  }

  /** The bars that there are, by permit, then by time, and the one that Tab leads to. */
  update(placed: readonly PlacedBar[], selected: number | undefined): void {
    this.placed = placed;
    const focused = this.element.contains(document.activeElement);
    if (!focused && selected !== undefined && this.find(selected)) this.call = selected;
    const current = this.call === undefined ? undefined : this.find(this.call);
    const stop = current ?? (focused ? undefined : placed[0]);
    if (stop) this.show(this.active, stop);
    else if (!focused) this.hide(this.active);
    if (stop) this.call = stop.bar.call;
    const chosen = stop !== undefined && stop.bar.call === selected;
    setAttribute(this.buttons[this.active], 'aria-current', chosen ? 'true' : undefined);
  }

  private button(): HTMLButtonElement {
    const button = el('button', { type: 'button', class: 'bar-button', tabindex: -1, hidden: true });
    button.addEventListener('click', () => {
      if (this.call !== undefined) this.events.activate(this.call);
    });
    return button;
  }

  private show(which: 0 | 1, item: PlacedBar): void {
    const button = this.buttons[which];
    const width = Math.max(item.width, LEAST);
    const height = Math.max(item.height, LEAST);
    setAttribute(button, 'hidden', false);
    setAttribute(button, 'tabindex', 0);
    setAttribute(button, 'aria-label', this.events.label(item.bar.call));
    button.style.transform = `translate(${item.x + (item.width - width) / 2}px, ${item.y + (item.height - height) / 2}px)`;
    button.style.width = `${width}px`;
    button.style.height = `${height}px`;
  }

  private hide(which: 0 | 1): void {
    setAttribute(this.buttons[which], 'hidden', true);
    setAttribute(this.buttons[which], 'tabindex', -1);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.stopPropagation();
      return;
    }
    const to = this.neighbour(event.key);
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (to) this.moveTo(to);
  }

  private moveTo(item: PlacedBar): void {
    const other = this.active === 0 ? 1 : 0;
    const before = this.active;
    this.call = item.bar.call;
    this.show(other, item);
    this.active = other;
    this.buttons[other].focus({ preventScroll: false });
    this.hide(before);
  }

  /** The bar that a key leads to; undefined at an end, null for other keys. */
  private neighbour(key: string): PlacedBar | undefined | null {
    const at = this.placed.findIndex((item) => item.bar.call === this.call);
    const here = this.placed[at];
    if (!here) return null;
    const lane = here.bar.permit;
    const beside = (offset: number) => {
      const item = this.placed[at + offset];
      return item?.bar.permit === lane ? item : undefined;
    };
    switch (key) {
      case 'ArrowRight':
        return beside(1);
      case 'ArrowLeft':
        return beside(-1);
      case 'Home':
        return this.placed.find((item) => item.bar.permit === lane);
      case 'End':
        return this.placed.findLast((item) => item.bar.permit === lane);
      case 'ArrowDown':
        return this.nearestIn(lane + 1, here);
      case 'ArrowUp':
        return this.nearestIn(lane - 1, here);
      default:
        return null;
    }
  }

  private nearestIn(lane: number, here: PlacedBar): PlacedBar | undefined {
    const middle = here.x + here.width / 2;
    let best: PlacedBar | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const item of this.placed) {
      if (item.bar.permit !== lane) continue;
      const distance = Math.max(item.x - middle, middle - item.x - item.width, 0);
      if (distance >= least) continue;
      best = item;
      least = distance;
    }
    return best;
  }

  private find(call: number): PlacedBar | undefined {
    return this.placed.find((item) => item.bar.call === call);
  }
}
