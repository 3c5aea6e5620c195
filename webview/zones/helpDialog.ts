/** The keys, from the one table that also runs them. */
import { COMMANDS, keyLabel } from '../commands.ts';
import { el } from '../dom.ts';

export interface HelpDialog {
  readonly element: HTMLElement;
  open(): void;
}

export function createHelpDialog(): HelpDialog {
  const close = el('button', { type: 'button', class: 'secondary' }, 'Close');
  const rows = COMMANDS.filter((command) => command.keys.length > 0).map((command) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, command.label),
      el('td', {}, ...command.keys.flatMap((key, index) => [...(index > 0 ? [' or '] : []), kbd(key)])),
    ),
  );
  rows.push(
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, 'Among calls, within a zone'),
      el('td', {}, kbd('↑'), ' ', kbd('↓'), ' ', kbd('←'), ' ', kbd('→')),
    ),
    el('tr', {}, el('th', { scope: 'row' }, 'Next control'), el('td', {}, kbd('Tab'))),
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, 'Zoom at the pointer'),
      el('td', {}, kbd('Ctrl'), ' or ', kbd('Alt'), ' and the wheel'),
    ),
  );
  const element = el(
    'dialog',
    { class: 'help', 'aria-labelledby': 'help-title' },
    el('h2', { id: 'help-title' }, 'Keys'),
    el(
      'div',
      { class: 'help-list' },
      el(
        'table',
        {},
        el('caption', { class: 'hidden-text' }, 'Keys and what they do'),
        el('tbody', {}, ...rows),
      ),
    ),
    el('p', { class: 'help-actions' }, close),
  );
  close.addEventListener('click', () => element.close());
  return {
    element,
    open() {
      if (!element.open) element.showModal();
    },
  };
}

function kbd(key: string): HTMLElement {
  return el('kbd', {}, keyLabel(key));
}
