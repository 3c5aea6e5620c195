/** Zone E: why the selected call runs where and when it does. It says what the events say, and decides nothing. */
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { resourceLabel } from '../../src/core/resourceNames.ts';
import { el } from '../dom.ts';
import { grouped } from '../format.ts';
import { LOOKS } from '../glyphs.ts';
import { findingIcon, lookIcon, markIcon, verdictIcon } from '../icons.ts';
import { eventCall } from '../select/events.ts';
import { type Candidate, declarationText, type Why, whyOf, whyText } from '../select/why.ts';
import type { PageView, PageZone } from '../view.ts';
import type { PanelActions } from '../zone.ts';

const CANDIDATES = 12;
/** A call's warnings that are shown. */
const WARNINGS = 4;

/** What the legend explains. */
const SIGNS = [
  'planned',
  'queued',
  'waiting',
  'running',
  'ok',
  'soft',
  'hard',
  'cancelled',
  'never-started',
] as const;

/** What it explains beside where the calls came one by one. */
const STREAM_SIGNS = ['arriving', 'early', 'held', 'discarded'] as const;

export interface WhyZone extends PageZone {
  /** The focus goes to the zone. */
  focus(): void;
}

export function createWhyZone(actions: PanelActions): WhyZone {
  const body = el('div', { class: 'why-body' });
  const element = el(
    'section',
    { class: 'zone zone-why', 'aria-labelledby': 'why-title', 'data-zone': 'why', tabindex: -1 },
    body,
  );
  const unfolded = new Set<string>();
  let last: PageView | undefined;
  const unfold = (what: string) => {
    unfolded.add(what);
    if (last) draw(last);
  };
  const draw = (view: PageView) => render(template(view, actions, unfolded, unfold), body);
  return {
    element,
    focus: () => element.focus(),
    update(view) {
      if (last?.selected !== view.selected || last?.batch.id !== view.batch.id) unfolded.clear();
      last = view;
      draw(view);
    },
  };
}

/** The selected call, else, off the log's end, the one that the last event was about. */
function subject(view: PageView): number | undefined {
  if (view.selected !== undefined) return view.selected;
  return view.following ? undefined : eventCall(view.log[view.cursor - 1]);
}

function template(
  view: PageView,
  actions: PanelActions,
  unfolded: ReadonlySet<string>,
  unfold: (what: string) => void,
): TemplateResult {
  const why = whyOf(view.state, subject(view), view.now, view.latest);
  if (!why) return overview(view);
  const all = unfolded.has('candidates') || why.candidates.length <= CANDIDATES + 1;
  // The verdict that counts is the last one: it stays when the list is cut.
  const candidates = all
    ? why.candidates
    : [...why.candidates.slice(0, CANDIDATES), ...why.candidates.slice(-1)];
  const hidden = why.candidates.length - candidates.length;
  return html`
    <h2 class="zone-title why-title" id="why-title">Why <span class="num">${why.number}</span></h2>
    <p class="why-call">
      <b class="why-name"><span class="why-number num">${why.number}</span> ${why.name}</b> <span class="why-target">${why.target}</span>
    </p>
    <p class="why-state">${lookIcon(why.look)}<span>${why.word}</span></p>
    ${why.error === undefined ? nothing : html`<pre class="why-error">${why.error}</pre>`}
    ${
      why.findings.length === 0
        ? nothing
        : html`<ul class="why-warnings">
            ${why.findings.slice(0, WARNINGS).map((one) => html`<li>${findingIcon(one.certainty)}<span><b>${one.id}</b> ${one.text} <span class="quiet">${one.advice}</span></span></li>`)}
          ${why.findings.length > WARNINGS ? html`<li class="quiet">${grouped(why.findings.length - WARNINGS)} more in the list of warnings</li>` : nothing}
          </ul>`
    }
    <h3 class="why-head">Declared</h3>
    <p class="why-declared">
      ${why.safe === false ? markIcon('unsafe') : why.key === undefined ? nothing : markIcon('keyed')}<span
        >${declarationText(why)}</span
      >
    </p>
    ${why.failure === undefined ? nothing : html`<p class="why-note">${why.failure}</p>`}
    ${accessList(why.declared)}
    ${
      why.ordinal === undefined
        ? html`<p class="quiet">Not decided yet.</p>`
        : html`<h3 class="why-head">${sentenceCase(why.ordinal)}</h3>
          <ol class="candidates">
            ${candidates.map((one, index) => candidateRow(one, !all && index === CANDIDATES, hidden, unfold))}
          </ol>
          ${
            why.unlisted > 0
              ? html`<p class="quiet">${grouped(why.unlisted)} more waves rejected it; the recording lists the first ${why.candidates.length - 1}.</p>`
              : nothing
          }
          <dl class="rules">
            ${why.rules.map(
              (rule) => html`<div class="rule">
                <dt>${rule.id}</dt>
                <dd>${rule.sentence}</dd>
              </div>`,
            )}
          </dl>`
    }
    ${why.timing.length === 0 ? nothing : timing(why)}
    ${why.order === '' ? nothing : html`<p class="why-order">${why.order}</p>`}
    ${why.touched.length === 0 ? nothing : html`<h3 class="why-head">Was seen to</h3>${accessList(why.touched)}`}
    <h3 class="why-head">Input</h3>
    <pre class="why-input">${why.input}</pre>
    <div class="why-actions">
      ${why.files.map(
        (file) =>
          html`<button type="button" class="secondary" @click=${() => actions.openFile(file)}>
            Open ${baseName(file)}
          </button>`,
      )}
      <button type="button" class="secondary" @click=${() => actions.copy(whyText(why))}>Copy</button>
    </div>
  `;
}

function candidateRow(
  one: Candidate,
  cutBefore: boolean,
  hidden: number,
  unfold: (what: string) => void,
): TemplateResult {
  return html`${
    cutBefore
      ? html`<li class="candidate-more">
          <button type="button" class="link-button" @click=${() => unfold('candidates')}>
            ${grouped(hidden)} more rejected
          </button>
        </li>`
      : nothing
  }
    <li class="candidate candidate-${one.verdict}">
      ${verdictIcon(one.verdict)}<span class="candidate-wave">${one.wave}</span
      ><span class="candidate-verdict">${one.verdict}</span><span class="candidate-rule">${one.rule}</span
      ><span class="candidate-reason">${one.reason}</span>
    </li>`;
}

function timing(why: Why): TemplateResult {
  return html`<h3 class="why-head">Timing</h3>
    <dl class="timing">
      ${why.timing.map(
        ([name, value]) => html`<div>
          <dt>${name}</dt>
          <dd class="num">${value}</dd>
        </div>`,
      )}
    </dl>`;
}

function accessList(accesses: readonly string[]): TemplateResult | typeof nothing {
  if (accesses.length === 0) return nothing;
  return html`<ul class="accesses">
    ${accesses.slice(0, 12).map((access) => html`<li>${access}</li>`)}
    ${accesses.length > 12 ? html`<li class="quiet">${accesses.length - 12} more</li>` : nothing}
  </ul>`;
}

function overview(view: PageView): TemplateResult {
  const { state } = view;
  return html`<h2 class="zone-title why-title" id="why-title">Why</h2>
    <p class="quiet">
      ${
        state.calls.size === 0
          ? state.endedAt === undefined
            ? 'Nothing was received yet.'
            : 'No call was received.'
          : 'Select a call to see what it declared, which waves turned it down, by which rule, and what it waited for.'
      }
    </p>
    <h3 class="why-head">Signs</h3>
    <ul class="legend">
      ${[...(state.message ? STREAM_SIGNS : []), ...SIGNS].map((name) => html`<li>${lookIcon(name)}${LOOKS[name].word}</li>`)}
      <li>${markIcon('unsafe')}unsafe, runs alone</li>
      <li>${markIcon('keyed')}safe, with a key</li>
    </ul>`;
}

function baseName(resource: string): string {
  const label = resourceLabel(resource);
  return label.split('/').findLast((part) => part !== '') ?? label;
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
