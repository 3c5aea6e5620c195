/** The find field: highlights and counts, never removes. */
import { el, setAttribute, setText } from '../dom.ts';
import type { PageView } from '../view.ts';

export interface FindActions {
  look(query: string | undefined): void;
  nextMatch(direction: -1 | 1): void;
}

export interface FindField {
  readonly element: HTMLElement;
  focus(): void;
  update(view: PageView): void;
}

export function createFindField(actions: FindActions): FindField {
  const input = el('input', {
    type: 'text',
    class: 'find-input',
    'aria-label': 'Find calls by number, name, input or key',
    placeholder: 'Find calls',
    spellcheck: 'false',
    autocomplete: 'off',
  });
  const result = el('span', { class: 'find-result num', role: 'status' });
  const previous = button('icon-up', 'Previous match', () => actions.nextMatch(-1));
  const next = button('icon-down', 'Next match', () => actions.nextMatch(1));
  const close = button('icon-close', 'Close find', () => actions.look(undefined));
  const element = el(
    'div',
    { class: 'find', role: 'search', hidden: true },
    input,
    result,
    previous,
    next,
    close,
  );
  input.addEventListener('input', () => actions.look(input.value));
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    actions.nextMatch(event.shiftKey ? -1 : 1);
  });
  return {
    element,
    focus() {
      setAttribute(element, 'hidden', undefined);
      input.focus();
      input.select();
    },
    update(view) {
      setAttribute(element, 'hidden', view.query === undefined);
      if (view.query === undefined) return;
      if (input.value !== view.query) input.value = view.query;
      setText(result, resultText(view));
    },
  };
}

function resultText(view: PageView): string {
  const { found, selected } = view;
  if (!found) return '';
  if (found.size === 0) return 'none';
  const at =
    selected === undefined || !found.has(selected) ? -1 : [...found].sort((a, b) => a - b).indexOf(selected);
  return at < 0 ? `${found.size} found` : `${at + 1} of ${found.size}`;
}

function button(icon: string, label: string, run: () => void): HTMLElement {
  // Reached by Enter, Shift+Enter and Escape in the field: no Tab stops of their own.
  const element = el(
    'button',
    { type: 'button', class: 'plain icon-button', 'aria-label': label, tabindex: -1 },
    el('span', { class: `icon ${icon}` }),
  );
  element.addEventListener('click', run);
  return element;
}
