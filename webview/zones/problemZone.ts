/** What Waves itself has to complain about: said once as an alert, above the last good picture. */
import { el, setAttribute, setText } from '../dom.ts';
import type { PageView, PageZone } from '../view.ts';
import type { PanelActions } from '../zone.ts';

export function createProblemZone(actions: PanelActions & { retry(): void }): PageZone {
  const message = el('p', { class: 'problem-message' });
  const detail = el('pre', { class: 'problem-detail', hidden: true });
  const retry = el('button', { type: 'button', class: 'primary' }, 'Retry');
  const copy = el('button', { type: 'button', class: 'secondary' }, 'Copy details');
  const buttons = el('p', { class: 'problem-actions', hidden: true }, retry, copy);
  const alert = el('div', { class: 'problem-text', role: 'alert' }, message, detail);
  const element = el(
    'section',
    { class: 'zone-problem', 'aria-label': 'Problem', 'data-zone': 'problem' },
    alert,
    buttons,
  );
  let shown: PageView['problem'];
  retry.addEventListener('click', () => actions.retry());
  copy.addEventListener('click', () =>
    actions.copy([shown?.message, shown?.detail].filter(Boolean).join('\n')),
  );
  return {
    element,
    update({ problem }) {
      if (problem === shown) return;
      shown = problem;
      setAttribute(element, 'data-shown', problem !== undefined);
      setText(message, problem?.message ?? '');
      setText(detail, problem?.detail ?? '');
      setAttribute(detail, 'hidden', problem?.detail === undefined);
      setAttribute(buttons, 'hidden', problem === undefined);
    },
  };
}
