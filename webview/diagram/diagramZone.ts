import { type DiagramKind, diagramOf } from '../../src/core/diagram/mermaid.ts';
import type { ViewState } from '../../src/core/state.ts';
import { el, setAttribute, setText } from '../dom.ts';
import type { PanelActions, PanelView, Zone } from '../zone.ts';
import { DiagramFrame } from './frame.ts';
import { DiagramRenderer, type Picture } from './renderer.ts';
import { KindTabs } from './tabs.ts';
import { themeVariables } from './theme.ts';

/** Nothing is said of a wait shorter than this, in milliseconds. */
const PATIENCE = 200;
/** While a run goes on the picture follows at most this often, and never spends more than a third of the time. */
const PACE = 400;

/** The Diagram view: the plan and the run as Mermaid draws them, and their text. */
export function createDiagramZone(actions: PanelActions): Zone {
  return new DiagramZone(actions);
}

class DiagramZone implements Zone {
  readonly element: HTMLElement;
  private readonly tabs: KindTabs;
  private readonly frame = new DiagramFrame();
  private readonly notes = el('p', { class: 'zone-note', hidden: true });
  private readonly status = el('p', { class: 'diagram-status', role: 'status', hidden: true });
  private readonly statusText = el('span');
  private readonly problem = el('p', { class: 'diagram-problem', role: 'alert', hidden: true });
  private readonly source = el('pre', {
    class: 'diagram-source',
    tabindex: 0,
    hidden: true,
    'aria-label': 'Mermaid text',
  });
  private readonly renderer = new DiagramRenderer(
    async () => (await import('mermaid')).default,
    (picture) => this.show(picture),
  );
  private view: PanelView | undefined;
  private kind: DiagramKind = 'plan';
  private drawnState: ViewState | undefined;
  private text = '';
  private cancelled = false;
  private lastMs = 0;
  private patience: number | undefined;
  private pace: number | undefined;

  constructor(actions: PanelActions) {
    this.tabs = new KindTabs((kind) => this.choose(kind));
    const cancel = el('button', { type: 'button', class: 'link-button' }, 'Cancel');
    const copy = el('button', { type: 'button', class: 'link-button' }, 'Copy Mermaid text');
    this.status.append(el('span', { class: 'spinner', 'aria-hidden': 'true' }), this.statusText, cancel);
    cancel.addEventListener('click', () => this.cancel());
    copy.addEventListener('click', () => actions.copy(this.text));
    const body = el(
      'div',
      { class: 'diagram-body', role: 'tabpanel', id: 'diagram-body', 'aria-labelledby': 'diagram-tab-plan' },
      this.notes,
      this.status,
      this.problem,
      this.frame.element,
      this.source,
    );
    this.element = el(
      'section',
      { class: 'zone zone-diagram', 'aria-label': 'Diagram' },
      el('header', { class: 'zone-head' }, this.tabs.element, this.frame.controls, copy),
      body,
    );
    const observer = new MutationObserver(() => this.restart());
    observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  }

  update(view: PanelView): void {
    this.view = view;
    if (view.view !== 'diagram') return;
    if (view.state !== this.drawnState) this.draw();
  }

  private choose(kind: DiagramKind): void {
    this.kind = kind;
    const body = this.element.querySelector('#diagram-body');
    if (body) setAttribute(body, 'aria-labelledby', `diagram-tab-${kind}`);
    this.frame.fitNext();
    this.restart();
  }

  /** Draws again from nothing: another kind, another theme. */
  private restart(): void {
    if (this.view?.view !== 'diagram') {
      this.drawnState = undefined;
      this.text = '';
      return;
    }
    this.text = '';
    window.clearTimeout(this.pace);
    this.pace = undefined;
    this.draw();
  }

  private draw(): void {
    const { view } = this;
    if (!view || this.pace !== undefined) return;
    this.drawnState = view.state;
    const { text, notes } = diagramOf(view.state, this.kind);
    if (text === this.text) return;
    this.text = text;
    this.cancelled = false;
    setAttribute(this.notes, 'hidden', notes.length === 0);
    setText(this.notes, notes.join(' '));
    setText(this.source, text);
    this.renderer.want({ text, theme: themeVariables(document.documentElement, document.body) });
    this.patience ??= window.setTimeout(() => this.wait(), PATIENCE);
    this.pace = window.setTimeout(() => this.goOn(), Math.max(PACE, this.lastMs * 3));
  }

  private goOn(): void {
    this.pace = undefined;
    if (this.view?.view === 'diagram' && this.view.state !== this.drawnState) this.draw();
  }

  private wait(): void {
    if (!this.renderer.busy || this.cancelled) return;
    setText(this.statusText, 'Drawing the diagram …');
    setAttribute(this.status, 'hidden', false);
  }

  private cancel(): void {
    this.cancelled = true;
    this.renderer.cancel();
    this.settle();
    this.fallBack('Drawing was cancelled.');
  }

  private show(picture: Picture): void {
    this.settle();
    if (picture.ok) {
      this.lastMs = picture.ms;
      setAttribute(this.problem, 'hidden', true);
      setAttribute(this.source, 'hidden', true);
      this.frame.show(picture.svg);
    } else this.fallBack(`Mermaid could not draw this: ${picture.reason}`);
  }

  /** The text instead of the picture, and why. */
  private fallBack(reason: string): void {
    this.frame.show(undefined);
    setText(this.problem, reason);
    setAttribute(this.problem, 'hidden', false);
    setAttribute(this.source, 'hidden', false);
  }

  private settle(): void {
    window.clearTimeout(this.patience);
    this.patience = undefined;
    setAttribute(this.status, 'hidden', true);
  }
}
