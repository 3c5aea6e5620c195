/** The tabs Plan and Run: arrows choose, one Tab stop. */
import type { DiagramKind } from '../../src/core/diagram/mermaid.ts';
import { el, setAttribute } from '../dom.ts';

const KINDS: readonly DiagramKind[] = ['plan', 'run'];
const NAMES: Readonly<Record<DiagramKind, string>> = { plan: 'Plan', run: 'Run' };

export class KindTabs {
  readonly element: HTMLElement;
  private readonly tabs: readonly HTMLButtonElement[];
  private readonly onChoice: (kind: DiagramKind) => void;

  constructor(onChoice: (kind: DiagramKind) => void) {
    this.onChoice = onChoice;
    this.tabs = KINDS.map((kind) =>
      el(
        'button',
        {
          type: 'button',
          role: 'tab',
          class: 'diagram-tab',
          id: `diagram-tab-${kind}`,
          'aria-controls': 'diagram-body',
        },
        NAMES[kind],
      ),
    );
    this.element = el(
      'div',
      { class: 'diagram-tabs', role: 'tablist', 'aria-label': 'Which diagram' },
      ...this.tabs,
    );
    this.mark(0);
    for (const [index, tab] of this.tabs.entries()) tab.addEventListener('click', () => this.choose(index));
    this.element.addEventListener('keydown', (event) => this.onKey(event));
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.key === 'Enter' || event.key === ' ') event.stopPropagation();
    const to = { ArrowLeft: 0, Home: 0, ArrowRight: 1, End: 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(to);
    this.tabs[to]?.focus();
  }

  private choose(index: number): void {
    if (this.tabs[index]?.getAttribute('aria-selected') === 'true') return;
    this.mark(index);
    const kind = KINDS[index];
    if (kind) this.onChoice(kind);
  }

  private mark(chosen: number): void {
    for (const [index, tab] of this.tabs.entries()) {
      setAttribute(tab, 'aria-selected', index === chosen ? 'true' : 'false');
      setAttribute(tab, 'tabindex', index === chosen ? 0 : -1);
    }
  }
}
