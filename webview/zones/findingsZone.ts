/** Zone G: what there is to say about the plan and the run, one line each. Selecting one selects its call. */
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { el, setAttribute } from '../dom.ts';
import { grouped } from '../format.ts';
import { findingIcon } from '../icons.ts';
import { moveWithin } from '../roving.ts';
import { callNumber } from '../select/calls.ts';
import { type FindingLine, findingLines, warningCount } from '../select/findings.ts';
import type { PageView, PageZone } from '../view.ts';
import type { PanelActions } from '../zone.ts';

/** More lines than this are counted, not shown. */
const SHOWN = 30;

export function createFindingsZone(actions: PanelActions): PageZone {
  const body = el('div');
  const element = el(
    'section',
    { class: 'zone zone-warnings', 'data-zone': 'warnings', 'aria-labelledby': 'warnings-title' },
    body,
  );
  element.addEventListener('keydown', (event) => moveWithin(element, event));
  element.addEventListener('focusin', () => moveWithin(element));
  return {
    element,
    update(view) {
      render(template(view, actions), body);
      setAttribute(element, 'hidden', view.state.findings.length === 0);
      moveWithin(element);
    },
  };
}

function template(view: PageView, actions: PanelActions): TemplateResult {
  const lines = findingLines(view.state);
  return html`<div class="zone-head">
      <h2 class="zone-title" id="warnings-title">Warnings</h2>
      <span class="quiet">${warningCount(view.state)}</span>
    </div>
    <ul class="warnings">
      ${lines.slice(0, SHOWN).map((line) => row(line, view.selected, actions))}
    </ul>
    ${lines.length > SHOWN ? html`<p class="quiet">${grouped(lines.length - SHOWN)} more are in the table.</p>` : nothing}`;
}

function row(line: FindingLine, selected: number | undefined, actions: PanelActions): TemplateResult {
  return html`<li>
    <button
      type="button"
      class="warning"
      aria-current=${selected === line.call ? 'true' : nothing}
      @click=${() => actions.select(line.call)}
    >
      ${findingIcon(line.certainty)}<b class="warning-id">${line.id}</b
      ><span class="warning-text"
        ><span class="quiet">${line.certainty}</span> ${line.text} <span class="quiet">${line.advice}</span></span
      ><span class="hidden-text">Selects call ${callNumber(line.call)}.</span>
    </button>
  </li>`;
}
