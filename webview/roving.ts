/** One Tab stop for many buttons: arrow keys move among them (a toolbar, a list of calls). */
import { setAttribute } from './dom.ts';

/**
 * Keeps exactly one button of `root` in the Tab order: the focused one, else the one that had it, else the first. With
 * an arrow, Home or End key it moves the focus first.
 */
export function moveWithin(root: HTMLElement, event?: KeyboardEvent, buttons = visibleButtons(root)): void {
  const focused = buttons.findIndex((button) => button.matches(':focus'));
  if (event && focused >= 0 && !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey) {
    const to = target(event.key, focused, buttons.length);
    if (to !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      buttons[to]?.focus();
    }
  }
  const active = document.activeElement;
  const stop =
    buttons.find((button) => button === active) ??
    buttons.find((button) => button.getAttribute('tabindex') === '0') ??
    buttons[0];
  for (const button of buttons) setAttribute(button, 'tabindex', button === stop ? 0 : -1);
}

/** Buttons that take part, in the order of the page. */
function visibleButtons(root: HTMLElement): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('button:not([hidden])')].filter(
    (button) => button.closest('[hidden], [role="menu"]') === null,
  );
}

function target(key: string, at: number, length: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return Math.min(at + 1, length - 1);
    case 'ArrowLeft':
    case 'ArrowUp':
      return Math.max(at - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return length - 1;
    default:
      return undefined;
  }
}
