/** Zone A: the run's state, its counts, the views, and what can be done with the batch. Always the latest state. */
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { el } from '../dom.ts';
import { grouped } from '../format.ts';
import { LOOKS } from '../glyphs.ts';
import { findingIcon, lookIcon, stateIcon } from '../icons.ts';
import { moveWithin } from '../roving.ts';
import { earlySum } from '../select/arrivals.ts';
import { warningCount } from '../select/findings.ts';
import {
  headline,
  isActive,
  outcomeCounts,
  permitCounts,
  runState,
  STRATEGY_NAMES,
} from '../select/headline.ts';
import type { PageView, PageZone } from '../view.ts';
import type { PanelActions, ViewName } from '../zone.ts';
import { createFindField, type FindField } from './findField.ts';
import { createMenu, type Menu } from './menu.ts';

const VIEWS: readonly (readonly [ViewName, string])[] = [
  ['picture', 'Picture'],
  ['table', 'Table'],
  ['diagram', 'Diagram'],
];

export interface HeaderZone extends PageZone {
  readonly find: FindField;
  readonly menu: Menu;
}

/** What the header may ask for beside what every zone may. */
export interface HeaderActions extends PanelActions {
  show(view: ViewName): void;
  /** Selects the next call of this status after the selected one. */
  selectStatus(status: keyof PageView['latest']['counts']): void;
  look(query: string | undefined): void;
  nextMatch(direction: -1 | 1): void;
}

export function createHeaderZone(actions: HeaderActions): HeaderZone {
  const find = createFindField(actions);
  const menu = createMenu(actions);
  const body = el('div', { class: 'header-body', role: 'toolbar', 'aria-label': 'Batch' });
  const element = el('header', { class: 'zone-header', 'data-zone': 'header' }, body, find.element);
  body.addEventListener('keydown', (event) => moveWithin(body, event));
  body.addEventListener('focusin', () => moveWithin(body));
  return {
    element,
    find,
    menu,
    update(view) {
      render(template(view, actions, menu), body);
      find.update(view);
      menu.update(view);
      moveWithin(body);
    },
  };
}

function template(view: PageView, actions: HeaderActions, menu: Menu): TemplateResult {
  const { latest, batch } = view;
  const nothingYet = view.empty || view.waiting || (latest.calls.size === 0 && !latest.message);
  const head = headline(latest, batch.id === '' ? undefined : batch.source, view.liveNow);
  const state = runState(latest, batch.source);
  const title = batch.title === '' ? 'Waves' : `Waves: ${batch.title}`;
  return html`
    <div class="header-line">
      <div class="header-left">
        <h1 class="title">${title}</h1>
        <p class="state state-${view.waiting ? 'waiting' : head.state}">
          ${stateIcon(head.state)}<strong class="state-word">${view.waiting ? 'Loading' : head.word}</strong>
          ${head.rest === '' ? nothing : html`<span class="state-rest">${head.rest}</span>`}
          ${head.time === '' ? nothing : html`<span class="state-time num">${head.time}</span>`}
          ${head.speedUp === '' ? nothing : html`<span class="state-speed num" title="The calls' times added up, over the time that the batch took">${head.speedUp} · ${warningCount(view.latest)}</span>`}
        </p>
        ${nothingYet ? nothing : permits(view)}
      </div>
      <div class="header-right">
        ${isActive(state) ? cancelButton(state === 'cancelling', actions) : nothing}${menu.button}
      </div>
    </div>
    ${nothingYet ? nothing : secondLine(view, actions)}
  `;
}

function secondLine(view: PageView, actions: HeaderActions): TemplateResult {
  return html`<div class="header-line header-second">
    <div class="header-left">
      <div class="counts" role="group" aria-label="Calls by state">
        ${outcomeCounts(view.latest).map(
          ({ status, count }) => html`<button
            type="button"
            class="count"
            @click=${() => actions.selectStatus(status)}
            aria-label="${LOOKS[status].word} ${grouped(count)}: select the next one"
          >
            ${lookIcon(status)}<span>${LOOKS[status].word}</span> <b class="num">${grouped(count)}</b>
          </button>`,
        )}
      </div>
      ${
        view.latest.findings.length === 0
          ? nothing
          : html`<button
              type="button"
              class="count"
              @click=${() => actions.page('next-warning')}
              aria-label="${warningCount(view.latest)}: select the next one"
            >
              ${findingIcon('possible')}<b class="num">${grouped(view.latest.findings.length)}</b>
              <span>${view.latest.findings.length === 1 ? 'warning' : 'warnings'}</span>
            </button>`
      }
      ${earlySum(view.latest) === '' ? nothing : html`<p class="strategy early-sum num">${earlySum(view.latest)}</p>`}
      <p class="strategy"><span class="quiet">Strategy</span> ${STRATEGY_NAMES[view.latest.strategy]}</p>
    </div>
    <div class="header-right">
      ${viewSwitch(view, actions)}
      ${
        view.query === undefined
          ? html`<button type="button" class="plain find-open" @click=${() => actions.page('find')}>
              <span class="icon icon-find"></span>Find<kbd>/</kbd>
            </button>`
          : nothing
      }
    </div>
  </div>`;
}

function permits(view: PageView): TemplateResult {
  const { held, free, waiting } = permitCounts(view.latest);
  const active = isActive(runState(view.latest, view.batch.source));
  const all = view.latest.permits;
  if (!active)
    return html`<p class="permits">
      <span class="quiet">Permits</span> <b class="num">${all}</b>
    </p>`;
  return html`<p class="permits">
    <span class="quiet">Permits</span>
    <span class="permit-boxes" aria-hidden="true"
      >${view.latest.holders.slice(0, 16).map((call) => html`<i class=${call === undefined ? 'box' : 'box box-held'}></i>`)}</span
    >
    <span class="num permit-counts"><b>${held}</b> held, <b>${free}</b> free, <b>${waiting}</b> waiting</span>
  </p>`;
}

function cancelButton(cancelling: boolean, actions: HeaderActions): TemplateResult {
  return cancelling
    ? html`<button type="button" class="secondary" @click=${() => actions.host('stop-waiting')}>Stop waiting</button>`
    : html`<button type="button" class="secondary cancel" @click=${() => actions.host('cancel')}>
        <span class="icon icon-stop"></span>Cancel
      </button>`;
}

function viewSwitch(view: PageView, actions: HeaderActions): TemplateResult {
  return html`<div class="switch" role="group" aria-label="View">
    ${VIEWS.map(
      ([name, label]) => html`<button
        type="button"
        class="switch-button"
        aria-pressed=${view.view === name ? 'true' : 'false'}
        @click=${() => actions.show(name)}
      >
        ${label}
      </button>`,
    )}
  </div>`;
}
