/** The "…" menu: what is asked for seldom. */
import { el, setAttribute } from '../dom.ts';
import type { PageView } from '../view.ts';
import type { PanelActions } from '../zone.ts';

export interface Menu {
  /** Opens and closes the menu; the menu hangs below it. */
  readonly button: HTMLElement;
  readonly isOpen: boolean;
  close(): void;
  update(view: PageView): void;
}

export function createMenu(actions: PanelActions): Menu {
  const items = [
    item('Save recording…', () => actions.host('save-recording')),
    item('Open recording…', () => actions.host('open-recording')),
    item('Run a batch…', () => actions.host('run-batch')),
    item('Run the sample batch', () => actions.host('run-sample')),
    item('Read how waves work', () => actions.host('read-how-waves-work')),
    item('Help with keys', () => actions.page('help')),
  ];
  const list = el(
    'div',
    { class: 'menu', role: 'menu', 'aria-label': 'More', id: 'more-menu', hidden: true },
    ...items,
  );
  const toggle = el(
    'button',
    {
      type: 'button',
      class: 'plain menu-button',
      'aria-label': 'More',
      'aria-haspopup': 'menu',
      'aria-expanded': 'false',
      'aria-controls': 'more-menu',
    },
    el('span', { class: 'icon icon-more' }),
  );
  const button = el('div', { class: 'menu-anchor' }, toggle, list);

  const open = (focused: number) => {
    setAttribute(list, 'hidden', undefined);
    setAttribute(toggle, 'aria-expanded', 'true');
    items.at(focused)?.focus();
  };
  const close = (refocus = true) => {
    if (list.hidden) return;
    if (refocus && list.contains(document.activeElement)) toggle.focus();
    setAttribute(list, 'hidden', true);
    setAttribute(toggle, 'aria-expanded', 'false');
  };

  toggle.addEventListener('click', () => (list.hidden ? open(0) : close()));
  toggle.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    event.stopPropagation();
    open(0);
  });
  list.addEventListener('click', () => close());
  list.addEventListener('focusout', (event) => {
    const to = event.relatedTarget;
    if (to instanceof Node && !button.contains(to)) close(false);
  });
  list.addEventListener('keydown', (event) => {
    const at = items.findIndex((one) => one.matches(':focus'));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      items.at(to % items.length)?.focus();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      close();
    } else if (event.key === 'Tab') close();
    event.stopPropagation();
  });

  return {
    button,
    get isOpen() {
      return !list.hidden;
    },
    close,
    update(view) {
      setAttribute(items[0] ?? list, 'aria-disabled', view.log.length === 0 ? 'true' : undefined);
    },
  };
}

function item(label: string, run: () => void): HTMLElement {
  const element = el('button', { type: 'button', role: 'menuitem', class: 'menu-item', tabindex: -1 }, label);
  element.addEventListener('click', () => {
    if (element.getAttribute('aria-disabled') !== 'true') run();
  });
  return element;
}
