/** One native table: sorted by its headers, windowed when long, paged for screen readers. */
import { el, KeyedList, setAttribute, setText } from '../dom.ts';
import { grouped } from '../format.ts';
import type { TableModel, TableRow } from '../select/tables.ts';
import { type Sorting, sortRows, turned, widthsOf } from '../tableOrder.ts';
import { PAGE, type RowWindow, rowPage, rowWindow, WINDOW_ABOVE } from './rowWindow.ts';
import { TableFocus } from './tableFocus.ts';

const ROW = 26;
const MOST_VISIBLE = 14;

export class DataTable {
  readonly element: HTMLElement;
  private readonly table = el('table', { class: 'data' });
  private readonly caption = el('caption', { class: 'data-caption' });
  private readonly columns = el('colgroup');
  private readonly head = el('tr', { 'aria-rowindex': 1 });
  private readonly body = el('tbody');
  private readonly above = el('tbody', { 'aria-hidden': 'true' });
  private readonly below = el('tbody', { 'aria-hidden': 'true' });
  private readonly scroller: HTMLElement;
  private readonly pages: HTMLElement;
  private readonly pageText = el('span', { class: 'num' });
  private readonly list: KeyedList<HTMLElement>;
  private readonly select: (call: number) => void;
  private readonly focus: TableFocus;
  private model: TableModel | undefined;
  private rows: readonly TableRow[] = [];
  private sorting: Sorting = { column: 0, descending: false };
  private page = 0;
  private paged = false;
  private selected: number | undefined;
  private found: ReadonlySet<number> | undefined;
  private headOf: TableModel['columns'] | undefined;

  constructor(label: string, select: (call: number) => void) {
    this.select = select;
    this.list = new KeyedList(this.body);
    this.table.append(
      this.caption,
      this.columns,
      el('thead', {}, this.head),
      this.above,
      this.body,
      this.below,
    );
    this.scroller = el('div', { class: 'data-scroller', 'data-scrolls': true }, this.table);
    this.pages = el(
      'nav',
      { class: 'data-pages', 'aria-label': `Pages of ${label}`, hidden: true },
      this.pageButton('Previous 100', -1),
      this.pageText,
      this.pageButton('Next 100', 1),
    );
    this.element = el('div', { class: 'data-block' }, this.scroller, this.pages);
    this.focus = new TableFocus(this.scroller, (row) => this.reveal(row), ROW);
    this.scroller.addEventListener('scroll', () => this.draw(), { passive: true });
    this.body.addEventListener('click', (event) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-call]') : null;
      if (row) this.select(Number(row.dataset.call));
    });
  }

  update(
    model: TableModel,
    selected: number | undefined,
    found: ReadonlySet<number> | undefined,
    paged: boolean,
  ): void {
    const same =
      this.model === model && this.selected === selected && this.found === found && this.paged === paged;
    if (same) return;
    const sorted = this.model === model;
    this.model = model;
    this.selected = selected;
    this.found = found;
    this.paged = paged;
    if (!sorted) this.sort();
    this.draw();
  }

  private sort(): void {
    if (!this.model) return;
    this.rows = sortRows(this.model.rows, this.sorting);
    setText(this.caption, this.model.caption);
    this.drawHead(this.model);
  }

  private drawHead({ columns, rows }: TableModel): void {
    if (this.headOf !== columns) {
      this.headOf = columns;
      this.head.replaceChildren(
        ...columns.map((column, index) => {
          const button = el('button', { type: 'button', class: 'sort', tabindex: -1 }, column.label);
          button.addEventListener('click', () => {
            this.sorting = turned(this.sorting, index);
            this.sort();
            this.draw();
          });
          return el('th', { scope: 'col', class: column.numeric ? 'numeric' : undefined }, button);
        }),
      );
      this.columns.replaceChildren(...columns.map(() => el('col')));
    }
    const widths = widthsOf(columns, rows);
    for (const [index, col] of [...this.columns.children].entries())
      if (col instanceof HTMLElement) col.style.width = `${widths[index] ?? 8}ch`;
    this.table.style.width = `${widths.reduce((sum, width) => sum + width, 0)}ch`;
    for (const [index, cell] of [...this.head.children].entries()) {
      const { column, descending } = this.sorting;
      setAttribute(cell, 'aria-sort', index === column ? (descending ? 'descending' : 'ascending') : 'none');
    }
  }

  private draw(): void {
    const { model, rows } = this;
    if (!model) return;
    const windowed = this.paged ? rows.length > PAGE : rows.length > WINDOW_ABOVE;
    const { from, to } = this.shown();
    setAttribute(this.table, 'aria-rowcount', windowed ? rows.length + 1 : undefined);
    this.pad(this.above, this.paged ? 0 : from);
    this.pad(this.below, this.paged ? 0 : rows.length - to);
    const shown = rows.slice(from, to);
    const byKey = new Map<string | number, TableRow>(shown.map((row) => [row.key, row]));
    let index = from;
    this.list.update(
      [...byKey.keys()],
      (key) => createRow(model, byKey.get(key)),
      (element, key) => {
        const row = byKey.get(key);
        if (row) patchRow(element, row, windowed ? index + 2 : undefined, index, this.selected, this.found);
        index++;
      },
    );
    setAttribute(this.pages, 'hidden', !this.paged || rows.length <= PAGE);
    setText(this.pageText, `Rows ${grouped(from + 1)} to ${grouped(to)} of ${grouped(rows.length)}`);
    this.focus.update(from, rows.length);
  }

  private shown(): RowWindow {
    if (this.paged) return rowPage(this.rows.length, this.page);
    return rowWindow(this.rows.length, this.scroller.scrollTop, MOST_VISIBLE * ROW, ROW);
  }

  private pad(body: HTMLElement, rows: number): void {
    if (rows === 0) {
      body.replaceChildren();
      return;
    }
    if (!body.firstElementChild)
      body.append(el('tr', {}, el('td', { colspan: this.model?.columns.length ?? 1 })));
    const cell = body.querySelector('td');
    if (cell) cell.style.height = `${rows * ROW}px`;
  }

  /** Scrolls or turns the page so that a row is in it. */
  private reveal(row: number): void {
    if (this.paged) this.page = Math.floor(row / PAGE);
    else {
      const { scrollTop } = this.scroller;
      const most = row * ROW;
      const least = most - (MOST_VISIBLE - 3) * ROW;
      if (scrollTop > most || scrollTop < least) this.scroller.scrollTop = scrollTop > most ? most : least;
    }
    this.draw();
  }

  private pageButton(label: string, direction: -1 | 1): HTMLElement {
    const button = el('button', { type: 'button', class: 'secondary' }, label);
    button.addEventListener('click', () => {
      const last = Math.ceil(this.rows.length / PAGE) - 1;
      this.page = Math.max(0, Math.min(last, this.page + direction));
      this.draw();
    });
    return button;
  }
}

function createRow(model: TableModel, row: TableRow | undefined): HTMLElement {
  const element = el('tr', { 'data-call': row?.call });
  for (const [index, column] of model.columns.entries()) {
    const className = column.numeric ? 'numeric' : undefined;
    if (index > 0) element.append(el('td', { class: className }));
    else if (row?.call === undefined) element.append(el('th', { scope: 'row', class: className }));
    else {
      const button = el('button', { type: 'button', class: 'row-button', tabindex: -1 });
      element.append(el('th', { scope: 'row', class: className }, button));
    }
  }
  return element;
}

function patchRow(
  element: HTMLElement,
  row: TableRow,
  ariaIndex: number | undefined,
  index: number,
  selected: number | undefined,
  found: ReadonlySet<number> | undefined,
): void {
  const chosen = row.call !== undefined && row.call === selected;
  setAttribute(element, 'aria-rowindex', ariaIndex);
  setAttribute(element, 'data-row', index);
  setAttribute(element, 'data-call', row.call);
  element.classList.toggle('selected', chosen);
  element.classList.toggle('found', row.call !== undefined && (found?.has(row.call) ?? false));
  for (const [at, cell] of row.cells.entries()) {
    const box = element.children[at];
    if (!box) continue;
    setText(box.firstElementChild ?? box, cell.text);
    if (at === 0) setAttribute(box.firstElementChild ?? box, 'aria-current', chosen ? 'true' : undefined);
  }
}
