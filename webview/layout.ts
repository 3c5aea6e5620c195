/** Puts the zones together: what stands where, and which of them are shown. */
import { el, setAttribute, setText } from './dom.ts';
import { createConcurrencyZone } from './lanes/concurrencyZone.ts';
import { createLanesZone } from './lanes/lanesZone.ts';
import { createOrderZone } from './order/orderZone.ts';
import { logNotes } from './select/headline.ts';
import type { AnyZone, PageView } from './view.ts';
import type { PanelActions, Zone } from './zone.ts';
import { createEmptyZone, createSkeleton } from './zones/emptyZone.ts';
import { createFindingsZone } from './zones/findingsZone.ts';
import { createFold, type Fold } from './zones/fold.ts';
import { createHeaderZone, type HeaderActions, type HeaderZone } from './zones/headerZone.ts';
import { createHelpDialog, type HelpDialog } from './zones/helpDialog.ts';
import { createPlanZone } from './zones/planZone.ts';
import { createProblemZone } from './zones/problemZone.ts';
import { createTableZone } from './zones/tableZone.ts';
import { createTransportZone, type TransportActions, type TransportZone } from './zones/transportZone.ts';
import { createWhyZone, type WhyZone } from './zones/whyZone.ts';

export interface LayoutActions extends HeaderActions, TransportActions {
  retry(): void;
  /** The diagram could not be loaded. */
  failed(error: unknown): void;
}

export class Layout {
  readonly element: HTMLElement;
  readonly main: HTMLElement;
  readonly header: HeaderZone;
  readonly transport: TransportZone;
  readonly help: HelpDialog = createHelpDialog();
  private readonly why: WhyZone;
  private readonly whyFold: Fold;
  private readonly picture: readonly AnyZone[];
  private readonly pictureElement: HTMLElement;
  private readonly table: AnyZone;
  private readonly problem: AnyZone;
  private readonly empty: AnyZone;
  private readonly skeleton = createSkeleton();
  private readonly notes = el('p', { class: 'notes', hidden: true });
  private readonly diagramElement = el('div', { class: 'view-diagram', 'data-zone': 'diagram' });
  /** Holds the one view that is shown; the others are not in the document. */
  private readonly viewSlot = el('div', { class: 'view' });
  private readonly actions: LayoutActions;
  private diagram: Zone | 'loading' | undefined;
  private view: PageView | undefined;

  constructor(actions: LayoutActions) {
    this.actions = actions;
    this.header = createHeaderZone(actions);
    this.transport = createTransportZone(actions);
    this.problem = createProblemZone(actions);
    this.empty = createEmptyZone(actions);
    this.table = createTableZone(actions);
    this.why = createWhyZone(actions);
    const plan = createPlanZone(actions);
    const lanes = createLanesZone(actions);
    const concurrency = createConcurrencyZone(actions);
    const order = createOrderZone(actions);
    setAttribute(lanes.element, 'data-zone', 'lanes');
    setAttribute(order.element, 'data-zone', 'order');
    const findings = createFindingsZone(actions);
    this.picture = [plan, lanes, concurrency, order, findings];
    this.whyFold = createFold('Why', this.why.element, true, 'why');
    const concurrencyFold = createFold('Concurrency', concurrency.element, true, 'concurrency');
    const orderFold = createFold('Order', order.element, false, 'order');
    // In the order of the page when it is narrow, which is the order of the Tab key too.
    this.pictureElement = el(
      'div',
      { class: 'view-picture' },
      plan.element,
      lanes.element,
      concurrencyFold.element,
      orderFold.element,
      findings.element,
    );
    this.main = el(
      'main',
      { class: 'stage-area', tabindex: -1 },
      this.problem.element,
      this.notes,
      this.empty.element,
      this.skeleton,
      this.viewSlot,
      this.whyFold.element,
    );
    this.element = el(
      'div',
      { class: 'panel' },
      this.header.element,
      this.main,
      this.transport.element,
      this.help.element,
    );
  }

  /** Shows a view: only what can be seen is drawn. */
  update(view: PageView): void {
    this.view = view;
    const nothing = view.empty || view.waiting || view.log.length === 0;
    setAttribute(this.element, 'data-size', view.size);
    setAttribute(this.element, 'data-view', view.view);
    setAttribute(this.element, 'data-dimmed', view.problem !== undefined && !nothing);
    const shown = (name: PageView['view']) => !nothing && view.view === name;
    setAttribute(this.skeleton, 'hidden', !view.waiting);
    setAttribute(this.empty.element, 'hidden', view.waiting || !nothing || view.problem !== undefined);
    this.put(nothing ? undefined : view.view);
    setAttribute(this.whyFold.element, 'hidden', nothing);
    this.problem.update(view);
    this.header.update(view);
    this.transport.update(view);
    const notes = nothing ? [] : logNotes(view.latest, view.batch);
    setAttribute(this.notes, 'hidden', notes.length === 0);
    setText(this.notes, notes.join(' '));
    if (nothing) return;
    if (shown('picture')) for (const zone of this.picture) zone.update(view);
    if (shown('table')) this.table.update(view);
    if (shown('diagram')) this.updateDiagram(view);
    this.why.update(view);
  }

  /** The focus goes to Why, unfolded. */
  focusWhy(): void {
    this.whyFold.open();
    this.why.focus();
  }

  private put(name: PageView['view'] | undefined): void {
    const elements = {
      picture: this.pictureElement,
      table: this.table.element,
      diagram: this.diagramElement,
    };
    const wanted = name && elements[name];
    if (this.viewSlot.firstElementChild !== (wanted ?? null))
      this.viewSlot.replaceChildren(...(wanted ? [wanted] : []));
  }

  /** The diagram, and the library that draws it, are loaded when they are first looked at. */
  private updateDiagram(view: PageView): void {
    if (this.diagram !== undefined) {
      if (this.diagram !== 'loading') this.diagram.update(view);
      return;
    }
    this.diagram = 'loading';
    import('./diagram/diagramZone.ts').then(
      ({ createDiagramZone }) => {
        const zone = createDiagramZone(this.actions satisfies PanelActions);
        this.diagram = zone;
        this.diagramElement.append(zone.element);
        if (this.view?.view === 'diagram') zone.update(this.view);
      },
      (error: unknown) => {
        this.diagram = undefined;
        this.actions.failed(error);
      },
    );
  }
}
