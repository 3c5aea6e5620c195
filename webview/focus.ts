/** Where the focus goes: from zone to zone, and back into the panel when what had it is gone. */

const FOCUSABLE = 'button:not([tabindex="-1"]), [tabindex="0"], input, select, a[href], button';

/** The zones that can be seen and hold something to focus, in the order of the page. */
function zonesOf(root: HTMLElement): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('[data-zone]')].filter((zone) => firstIn(zone) !== undefined);
}

/** What of a zone takes the focus. */
function firstIn(zone: HTMLElement): HTMLElement | undefined {
  const inOrder = FOCUSABLE.split(', ').flatMap((one) => [...zone.querySelectorAll<HTMLElement>(one)]);
  const candidates = zone.matches('[tabindex]') ? [...inOrder, zone] : inOrder;
  return candidates.find((element) => element.checkVisibility() && element.closest('[hidden]') === null);
}

/** Moves the focus to the next or previous zone; false past the last one. */
export function focusNextZone(root: HTMLElement, direction: -1 | 1): boolean {
  const zones = zonesOf(root);
  const at = zones.findIndex((zone) => zone.contains(document.activeElement));
  const to = at < 0 && direction === -1 ? zones.length - 1 : at + direction;
  const zone = zones[to];
  if (!zone) return false;
  firstIn(zone)?.focus();
  return true;
}

/**
 * Keeps the focus in the panel: when the focused control disappears, its zone gets the focus, else `fallback`. Returns
 * a check to be run after each drawing.
 */
export function guardFocus(root: HTMLElement, fallback: HTMLElement): () => void {
  let zone: HTMLElement | undefined;
  const check = () => {
    const active = document.activeElement;
    // The focus may have left the panel as a whole, for the palette or an editor: it is not ours to take back.
    if (zone === undefined || !document.hasFocus() || (active !== null && active !== document.body)) return;
    const target = zone.isConnected ? firstIn(zone) : undefined;
    (target ?? fallback).focus({ preventScroll: true });
  };
  root.addEventListener('focusin', (event) => {
    const target = event.target instanceof Element ? event.target : undefined;
    zone = target?.closest<HTMLElement>('[data-zone]') ?? fallback;
  });
  root.addEventListener('focusout', (event) => {
    if (event.relatedTarget === null) setTimeout(check);
  });
  return check;
}

/** Brings the focus back from a field that was opened by a key to where it was before. */
export class FocusReturn {
  private readonly fallback: HTMLElement;
  private from: HTMLElement | undefined;

  constructor(fallback: HTMLElement) {
    this.fallback = fallback;
  }

  /** To be called before the field takes the focus. */
  leave(): void {
    const active = document.activeElement;
    if (active instanceof HTMLElement && !active.matches('body, input')) this.from = active;
  }

  /** Where the focus was, or else the panel itself, has it again. */
  back(): void {
    const target = this.from?.isConnected && this.from.checkVisibility() ? this.from : this.fallback;
    this.from = undefined;
    target.focus({ preventScroll: true });
  }
}
