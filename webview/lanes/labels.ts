/** What is written on bars: as much as fits, never more texts than a page can carry. */
import type { CallRow, ViewState } from '../../src/core/state.ts';
import { rowAt } from '../../src/core/table.ts';
import { duration } from '../format.ts';
import { callNumber, callTarget } from '../select/calls.ts';
import { labelInset, labelsBeside } from './barLayer.ts';
import type { TextMeasure } from './measure.ts';
import type { PlacedBar } from './place.ts';
import type { TextItem } from './textLayer.ts';

const MOST = 120;
const PADDING = 6;

/** The labels of these bars; where there are more than a page can carry, those of the widest. */
export function barLabels(placed: readonly PlacedBar[], state: ViewState, measure: TextMeasure): TextItem[] {
  let roomy = placed.filter((item) => (item.width >= 20 || item.room >= 20) && item.height >= 16);
  if (roomy.length > MOST) roomy = [...roomy].sort((a, b) => b.width - a.width).slice(0, MOST);
  return roomy.flatMap((item): TextItem[] => {
    const row = rowAt(state.calls, item.bar.call);
    if (!row) return [];
    const inset = labelInset(item);
    const beside = labelsBeside(item);
    const room = beside ? item.room + item.width - inset - PADDING : item.width - inset - PADDING;
    const text = measure.firstThatFits(beside ? besideWordings(item, row) : wordings(item, row), room);
    if (text === '') return [];
    return [
      {
        key: item.bar.look === 'discarded' ? `d${item.bar.call}` : item.bar.call,
        x: item.x + inset,
        y: item.y + item.height / 2 + 4,
        text,
        className: 'bar-label',
        call: item.bar.call,
      },
    ];
  });
}

/** From the most telling to the number alone. */
function wordings({ bar }: PlacedBar, row: CallRow): string[] {
  const number = callNumber(bar.call);
  if (bar.look === 'discarded') return [`${number} discarded · ${took(bar)}`, `${number} discarded`, number];
  const won = row.speculation?.wonMs;
  if (won !== undefined && !bar.open) return [...wonWordings(bar, row, won), number];
  const named = `${number} ${row.name}`;
  const target = callTarget(row);
  if (target === '') return bar.open ? [named, number] : [`${named} · ${took(bar)}`, named, number];
  const full = `${named} ${target}`;
  const file = target.split('/').at(-1) ?? '';
  const short = file !== '' && file !== target ? [`${named} ${file}`] : [];
  return [...(bar.open ? [] : [`${full} · ${took(bar)}`]), full, ...short, named, number];
}

/** Of a run that began early and stands: what that won. */
function wonWordings(bar: PlacedBar['bar'], row: CallRow, won: number): string[] {
  const named = `${callNumber(bar.call)} ${row.name}`;
  const target = callTarget(row);
  const file = target.split('/').at(-1) ?? '';
  const end = `· ${took(bar)}, won ${duration(won)}`;
  return [`${named} ${target} ${end}`, `${named} ${file} ${end}`, `${named} ${end}`, named];
}

/** A narrow bar's label, beside it. */
function besideWordings({ bar }: PlacedBar, row: CallRow): string[] {
  const number = callNumber(bar.call);
  if (bar.look === 'discarded') return [`${number} discarded`, number];
  if (bar.open) return [`${number} ${row.name}`, number];
  return [`${number} ${row.name} · ${took(bar)}`, `${number} · ${took(bar)}`, number];
}

function took(bar: PlacedBar['bar']): string {
  return duration(bar.to - bar.from);
}
