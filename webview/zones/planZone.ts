/** Zone B: one box a wave, its calls as chips in request order, arrows from wave to wave. */

import { resourceLabel } from '../../src/core/resourceNames.ts';
import type { CallRow, ViewState } from '../../src/core/state.ts';
import { rowAt } from '../../src/core/table.ts';
import { el, KeyedList, setAttribute, setText } from '../dom.ts';
import { count } from '../format.ts';
import { LOOKS, lookOf } from '../glyphs.ts';
import { moveWithin } from '../roving.ts';
import { unplannedCalls } from '../select/arrivals.ts';
import { callNumber, callTarget } from '../select/calls.ts';
import { findingsOfCall } from '../select/findings.ts';
import {
  chipColumns,
  planWindow,
  type WaveBox,
  waveState,
  waveSummary,
  waveWord,
  windowFor,
} from '../select/plan.ts';
import { namesOf } from '../select/resources.ts';
import type { PageView, PageZone } from '../view.ts';
import type { PanelActions } from '../zone.ts';
import {
  createChip,
  createTally,
  createWaveBox,
  type Parts,
  partsOf,
  type WaveElement,
} from './planParts.ts';

export function createPlanZone(actions: PanelActions): PageZone {
  return new PlanZone(actions);
}

class PlanZone implements PageZone {
  readonly element: HTMLElement;
  private readonly note = el('p', { class: 'zone-note plan-note' });
  private readonly earlier = el('button', { type: 'button', class: 'plan-page' });
  private readonly later = el('button', { type: 'button', class: 'plan-page' });
  private readonly strip = el('div', { class: 'plan-strip' });
  private readonly waves = el('div', {
    class: 'plan-waves',
    role: 'group',
    'aria-label': 'Waves, arrow keys move',
  });
  private readonly boxes: KeyedList<WaveElement>;
  private readonly arriving = createWaveBox(-1);
  private view: PageView | undefined;
  private first = 0;
  private size = 0;

  constructor(actions: PanelActions) {
    this.boxes = new KeyedList(this.waves);
    this.strip.append(this.earlier, this.waves, this.later);
    this.element = el(
      'section',
      { class: 'zone zone-plan', 'aria-labelledby': 'plan-title', 'data-zone': 'plan' },
      el(
        'header',
        { class: 'zone-head' },
        el('h2', { id: 'plan-title', class: 'zone-title' }, 'Plan'),
        this.note,
      ),
      this.strip,
    );
    this.earlier.addEventListener('click', () => this.page(-1));
    this.later.addEventListener('click', () => this.page(1));
    this.strip.addEventListener('click', (event) => {
      const call = callOf(event.target);
      if (call !== undefined) actions.select(call);
    });
    this.strip.addEventListener('keydown', (event) => {
      moveWithin(this.strip, event);
      const call = callOf(document.activeElement);
      if (event.defaultPrevented && call !== undefined) actions.select(call);
    });
    this.strip.addEventListener('focusin', () => moveWithin(this.strip));
  }

  update(view: PageView): void {
    const before = this.view;
    this.view = view;
    if (
      before &&
      before.state === view.state &&
      before.selected === view.selected &&
      before.found === view.found &&
      before.batch.id === view.batch.id
    )
      return;
    if (before?.batch.id !== view.batch.id) this.first = 0;
    const { state, selected } = view;
    const chosen = selected === undefined ? undefined : rowAt(state.calls, selected)?.decision?.wave;
    // The window goes where the selection or the run goes, but not away from where the user paged to.
    const target =
      selected !== before?.selected
        ? (chosen ?? state.wave)
        : state.wave !== before?.state.wave
          ? state.wave
          : undefined;
    this.first = windowFor(state, this.first, target);
    this.draw(view);
  }

  private page(direction: -1 | 1): void {
    const { view } = this;
    if (!view) return;
    const to = direction === 1 ? this.first + this.size : Math.max(0, this.first - Math.max(this.size, 1));
    this.first = windowFor(view.state, to, undefined);
    this.draw(view);
  }

  private draw(view: PageView): void {
    const { state } = view;
    const shown = planWindow(state, this.first, view.selected);
    this.size = shown.boxes.length;
    page(this.earlier, shown.first, '‹', 'earlier');
    page(this.later, shown.after, '›', 'later');
    setText(this.note, this.noteText(state));
    const byKey = new Map<string | number, WaveBox>(shown.boxes.map((box) => [box.wave.index, box]));
    this.boxes.update(
      [...byKey.keys()],
      (key) => createWaveBox(Number(key)),
      (element, key) => {
        const box = byKey.get(key);
        if (box) patchBox(partsOf(element), box, view);
      },
    );
    this.drawArriving(view);
    moveWithin(this.strip);
  }

  /** Calls that have no place yet; a call that has one now takes the focus with it. */
  private drawArriving(view: PageView): void {
    const unplanned = unplannedCalls(view.state);
    const focused = this.arriving.contains(document.activeElement)
      ? callOf(document.activeElement)
      : undefined;
    patchArriving(partsOf(this.arriving), unplanned, view);
    if (unplanned.length === 0) this.arriving.remove();
    else if (!this.arriving.isConnected) this.strip.append(this.arriving);
    if (focused !== undefined && !this.strip.contains(document.activeElement))
      this.strip.querySelector<HTMLElement>(`[data-call="${focused}"]`)?.focus();
  }

  private noteText(state: ViewState): string {
    if (state.phase === 'planning') return `${state.decided} of ${count(state.calls.size, 'call')} decided`;
    return `${count(state.calls.size, 'call')} in ${count(state.waves.size, 'wave')}`;
  }
}

function page(button: HTMLElement, waves: number, arrow: string, which: string): void {
  setAttribute(button, 'hidden', waves === 0);
  setText(button, `${arrow} ${count(waves, 'wave')} ${which}`);
}

function callOf(target: EventTarget | null): number | undefined {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-call]') : null;
  return button ? Number(button.dataset.call) : undefined;
}

function patchBox(parts: Parts, box: WaveBox, view: PageView): void {
  const { wave } = box;
  const { element, title, summary, calls } = parts;
  const name = `Wave ${wave.index + 1}`;
  const open = wave.status === 'running' && view.state.endedAt === undefined;
  const look = wave.status === 'running' && !open ? 'ended' : wave.status;
  setAttribute(element, 'class', `wave wave-${look}${wave.closed ? ' wave-closed' : ''}`);
  setAttribute(
    parts.group,
    'aria-label',
    `${name}, ${wave.closed ? 'unsafe, alone' : count(wave.calls.size, 'call')}, ${waveState(wave, view.state)}`,
  );
  setText(title, name);
  setText(summary, waveSummary(wave));
  setText(parts.word, waveWord(wave, view.state));
  setAttribute(parts.lock, 'hidden', !wave.closed);
  const columns = box.counts.length > 0 ? 1 : chipColumns(box.calls.length);
  if (element.dataset.columns !== String(columns)) element.dataset.columns = String(columns);
  calls.update(
    box.calls,
    (key) => createChip(Number(key)),
    (chip, key) => patchChip(chip, rowAt(view.state.calls, Number(key)), view),
  );
  parts.tallies.update(
    box.counts.map((one) => one.status),
    () => createTally(),
    (tally, key) => {
      const one = box.counts.find((entry) => entry.status === key);
      if (!one) return;
      const look = LOOKS[one.status];
      setAttribute(tally, 'data-call', one.first);
      setAttribute(tally, 'aria-label', `${one.count} ${look.word}: select the first`);
      patchGlyph(tally, look.glyph, look.className, look.solid);
      setText(tally.children[1] ?? tally, `${one.count} ${look.word}`);
    },
  );
}

function patchArriving(
  { element, group, title, summary, word, lock, calls }: Parts,
  unplanned: readonly number[],
  view: PageView,
): void {
  setAttribute(element, 'class', 'wave wave-arriving');
  setAttribute(group, 'aria-label', `Arriving, ${count(unplanned.length, 'call')}`);
  setText(title, 'Arriving');
  setText(summary, count(unplanned.length, 'call'));
  setText(word, '');
  setAttribute(lock, 'hidden', true);
  element.dataset.columns = String(chipColumns(unplanned.length));
  calls.update(
    unplanned,
    (key) => createChip(Number(key)),
    (chip, key) => patchChip(chip, rowAt(view.state.calls, Number(key)), view),
  );
}

function patchChip(chip: Element, row: CallRow | undefined, view: PageView): void {
  if (!row) return;
  const name = lookOf(row, view.state);
  const look = LOOKS[name];
  const target = callTarget(row);
  const key = row.declared?.key;
  const [, number, tool, about, tag, words] = chip.children;
  if (!(number && tool && about && tag && words)) return;
  patchGlyph(chip, look.glyph, look.className, look.solid);
  setText(number, callNumber(row.index));
  setText(tool, row.name);
  setText(about, target);
  setText(tag, key === undefined ? '' : keyText(key));
  setAttribute(tag, 'hidden', key === undefined);
  const keyed = key === undefined ? '' : `, key ${namesOf(view.state).label(key)}`;
  const warnings = findingsOfCall(view.state, row.index).map(({ id }) => id);
  const warned = warnings.length === 0 ? '' : `, warning ${warnings.join(', ')}`;
  setText(words, `${keyed}, ${look.word}${warned}`);
  const found = view.found?.has(row.index) ?? false;
  setAttribute(chip, 'class', `chip chip-${name}${found ? ' found' : ''}${warned ? ' chip-warned' : ''}`);
  setAttribute(chip, 'aria-current', view.selected === row.index ? 'true' : undefined);
}

/** A key's last part: "a.ts" of "file:///w/src/a.ts". The whole of it stands in Why. */
function keyText(key: string): string {
  const label = resourceLabel(key);
  return label.split('/').findLast((part) => part !== '') ?? label;
}

function patchGlyph(owner: Element, path: string, look: string, solid: boolean): void {
  const svg = owner.firstElementChild;
  setAttribute(svg ?? owner, 'class', `glyph ${look}${solid ? ' glyph-solid' : ''}`);
  if (svg?.firstElementChild) setAttribute(svg.firstElementChild, 'd', `M0 0${path}`);
}
