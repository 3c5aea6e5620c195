/** The elements of which the plan is made. */
import { el, KeyedList } from '../dom.ts';
import { mark } from '../glyphs.ts';
import { svg } from '../lanes/svg.ts';

/** What of a wave's box changes. */
export interface Parts {
  readonly element: HTMLElement;
  readonly group: HTMLElement;
  readonly title: HTMLElement;
  readonly summary: HTMLElement;
  readonly word: HTMLElement;
  readonly lock: Element;
  readonly calls: KeyedList<HTMLElement>;
  readonly tallies: KeyedList<HTMLElement>;
}

export type WaveElement = HTMLElement & { readonly parts: Parts };

/** An empty box for a wave. */
export function createWaveBox(wave: number): WaveElement {
  const title = el('h3', { class: 'wave-title' });
  const summary = el('span', { class: 'wave-summary num' });
  const word = el('span', { class: 'wave-word' });
  const lock = mark('unsafe');
  const chips = el('div', { class: 'wave-calls' });
  const tallies = el('div', { class: 'wave-tallies' });
  const head = el('div', { class: 'wave-head' }, lock, title, summary, word);
  const group = el('div', { class: 'wave-body', role: 'group' }, head, chips, tallies);
  const element = el('div', { class: 'wave', 'data-wave': wave }, group);
  const parts: Parts = {
    element,
    group,
    title,
    summary,
    word,
    lock,
    calls: new KeyedList(chips),
    tallies: new KeyedList(tallies),
  };
  return Object.assign(element, { parts });
}

export function partsOf(element: WaveElement): Parts {
  return element.parts;
}

/** A chip for a call: glyph, number, tool, target, key; and in words what key and glyph say. */
export function createChip(call: number): HTMLElement {
  return el(
    'button',
    { type: 'button', class: 'chip', 'data-call': call, tabindex: -1 },
    emptyGlyph(),
    el('span', { class: 'chip-number num' }),
    el('span', { class: 'chip-tool' }),
    el('span', { class: 'chip-target' }),
    el('span', { class: 'chip-key', 'aria-hidden': 'true' }),
    el('span', { class: 'hidden-text' }),
  );
}

/** A count of calls in a folded wave. */
export function createTally(): HTMLElement {
  return el('button', { type: 'button', class: 'chip tally', tabindex: -1 }, emptyGlyph(), el('span'));
}

function emptyGlyph(): SVGSVGElement {
  return svg('svg', { class: 'glyph', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, svg('path'));
}
