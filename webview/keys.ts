/** Which key presses are the panel's: not those of text fields, nor what a focused control does with a key itself. */
import { type CommandPage, commandForKey, keyOf } from './commands.ts';

const ALWAYS = new Set(['Escape', 'F6', 'Shift+F6', 'Ctrl+f']);
const OF_CONTROLS = new Set([' ', 'Enter']);
const OF_SCROLLERS = /Arrow|^Home$|^End$|^ $/;

/** Runs the command of each key press that nobody else wants. */
export function listenToKeys(root: Document, page: CommandPage): void {
  root.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const key = keyOf(event);
    const target = event.target instanceof Element ? event.target : undefined;
    if (target && belongsTo(target, key)) return;
    const command = commandForKey(key);
    if (command?.run(page)) event.preventDefault();
  });
}

/** Whether the focused element has its own use for a key. */
function belongsTo(target: Element, key: string): boolean {
  if (target.closest('dialog[open]')) return true;
  if (ALWAYS.has(key)) return false;
  if (target.closest('input, textarea, select, [contenteditable], [role="menu"]')) return true;
  if (target.closest('[data-scrolls]') && OF_SCROLLERS.test(key)) return true;
  if (!OF_CONTROLS.has(key) || !target.closest('button, a[href], summary')) return false;
  // A call that is selected already has nothing left to do with these keys itself.
  return target.closest('[aria-current="true"], .bar-button') === null;
}
