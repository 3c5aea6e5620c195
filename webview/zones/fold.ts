/** A zone that can be folded away where there is little room. */
import { el, setAttribute } from '../dom.ts';

export interface Fold {
  readonly element: HTMLElement;
  open(): void;
}

/** Wraps a zone with a button that folds it; where the panel is wide the button is not shown and the zone always is. */
export function createFold(label: string, zone: HTMLElement, startsOpen: boolean, name: string): Fold {
  const content = el('div', { class: 'fold-content', id: `fold-${name}` }, zone);
  const button = el(
    'button',
    { type: 'button', class: 'fold-button', 'aria-controls': `fold-${name}` },
    el('span', { class: 'twisty', 'aria-hidden': 'true' }),
    label,
  );
  const element = el('div', { class: `fold fold-${name}` }, button, content);
  const set = (open: boolean) => {
    setAttribute(button, 'aria-expanded', open ? 'true' : 'false');
    element.classList.toggle('fold-closed', !open);
  };
  set(startsOpen);
  button.addEventListener('click', () => set(button.getAttribute('aria-expanded') !== 'true'));
  return { element, open: () => set(true) };
}
