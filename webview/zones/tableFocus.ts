/** Arrow keys within a table: one Tab stop, left and right among the headers, up and down among the rows. */
import { setAttribute } from '../dom.ts';

export class TableFocus {
  private readonly scroller: HTMLElement;
  private readonly reveal: (row: number) => void;
  private readonly rowHeight: number;
  private rows = 0;

  /** `reveal` brings a row into the page, where it then has its button. */
  constructor(scroller: HTMLElement, reveal: (row: number) => void, rowHeight: number) {
    this.scroller = scroller;
    this.reveal = reveal;
    this.rowHeight = rowHeight;
    scroller.addEventListener('keydown', (event) => this.onKey(event));
    scroller.addEventListener('focusin', () => this.setStop());
  }

  /** To be called after the rows were drawn. */
  update(_from: number, rows: number): void {
    this.rows = rows;
    this.setStop();
  }

  private setStop(): void {
    const buttons = [...this.scroller.querySelectorAll<HTMLElement>('.sort, .row-button')];
    const active = document.activeElement;
    const stop =
      buttons.find((button) => button === active) ??
      buttons.find((button) => button.getAttribute('tabindex') === '0') ??
      buttons[0];
    for (const button of buttons) setAttribute(button, 'tabindex', button === stop ? 0 : -1);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
    const target = event.target instanceof HTMLElement ? event.target : undefined;
    if (!target) return;
    const handled = target.matches('.sort')
      ? this.fromHead(target, event.key)
      : this.fromRow(target, event.key);
    if (!handled) return;
    event.preventDefault();
    event.stopPropagation();
  }

  private fromHead(target: HTMLElement, key: string): boolean {
    const heads = [...this.scroller.querySelectorAll<HTMLElement>('.sort')];
    const at = heads.indexOf(target);
    switch (key) {
      case 'ArrowRight':
      case 'ArrowLeft':
        heads[Math.max(0, Math.min(heads.length - 1, at + (key === 'ArrowRight' ? 1 : -1)))]?.focus();
        return true;
      case 'Home':
        heads[0]?.focus();
        return true;
      case 'End':
        heads.at(-1)?.focus();
        return true;
      case 'ArrowDown':
        if (!this.focusRow(0)) this.scroller.scrollTop += this.rowHeight;
        return true;
      case 'ArrowUp':
        this.scroller.scrollTop -= this.rowHeight;
        return true;
      case 'PageDown':
      case 'PageUp':
        this.scroller.scrollTop += (key === 'PageDown' ? 10 : -10) * this.rowHeight;
        return true;
      default:
        return false;
    }
  }

  private fromRow(target: HTMLElement, key: string): boolean {
    const row = Number(target.closest<HTMLElement>('[data-row]')?.dataset.row);
    if (Number.isNaN(row)) return false;
    switch (key) {
      case 'ArrowDown':
        return this.focusRow(Math.min(row + 1, this.rows - 1));
      case 'ArrowUp':
        if (row > 0) return this.focusRow(row - 1);
        this.scroller.querySelector<HTMLElement>('.sort')?.focus();
        return true;
      case 'PageDown':
        return this.focusRow(Math.min(row + 10, this.rows - 1));
      case 'PageUp':
        return this.focusRow(Math.max(row - 10, 0));
      case 'Home':
        return this.focusRow(0);
      case 'End':
        return this.focusRow(this.rows - 1);
      case 'ArrowRight':
        this.scroller.scrollLeft += 80;
        return true;
      case 'ArrowLeft':
        this.scroller.scrollLeft -= 80;
        return true;
      default:
        return false;
    }
  }

  private focusRow(row: number): boolean {
    this.reveal(row);
    const button = this.scroller.querySelector<HTMLElement>(`[data-row="${row}"] .row-button`);
    button?.focus({ preventScroll: true });
    return button !== null;
  }
}
