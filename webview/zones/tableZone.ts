/** The table view: the picture as four tables, at the same cursor. */
import { el } from '../dom.ts';
import { tablesOf } from '../select/tables.ts';
import type { PageView, PageZone } from '../view.ts';
import type { PanelActions } from '../zone.ts';
import { DataTable } from './dataTable.ts';

const LABELS = ['calls', 'waves', 'permits over time', 'decisions'];

export function createTableZone(actions: PanelActions): PageZone {
  const tables = LABELS.map((label) => new DataTable(label, (call) => actions.select(call)));
  const element = el(
    'section',
    { class: 'zone zone-table', 'aria-label': 'Table', 'data-zone': 'table' },
    ...tables.map((table) => table.element),
  );
  return {
    element,
    update(view: PageView) {
      for (const [index, model] of tablesOf(view.state).entries())
        tables[index]?.update(model, view.selected, view.found, view.screenReader);
    },
  };
}
