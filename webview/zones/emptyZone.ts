/** What stands in the panel when there is no batch, and while the first answer of the host is awaited. */
import { html, render } from 'lit-html';
import { el } from '../dom.ts';
import type { PageZone } from '../view.ts';
import type { PanelActions } from '../zone.ts';

export function createEmptyZone(actions: PanelActions): PageZone {
  const element = el('section', { class: 'zone-empty', 'aria-label': 'No batch', 'data-zone': 'empty' });
  render(
    html`<div class="empty">
      <p>Waves shows which tool calls of one reply run together, which wait, and by which rule.</p>
      <p class="empty-actions">
        <button type="button" class="primary" @click=${() => actions.host('run-sample')}>Run a sample batch</button>
        <button type="button" class="secondary" @click=${() => actions.host('open-recording')}>Open run file</button>
        <button type="button" class="secondary" @click=${() => actions.host('read-how-waves-work')}>
          Read how waves work
        </button>
      </p>
    </div>`,
    element,
  );
  return { element, update() {} };
}

/** Grey shapes where the zones will be. */
export function createSkeleton(): HTMLElement {
  const bar = (name: string) => el('div', { class: `bone bone-${name}` });
  const bones = ['wide', 'box', 'box', 'lane', 'lane', 'lane'].map(bar);
  return el('div', { class: 'skeleton', 'aria-hidden': 'true' }, ...bones);
}
