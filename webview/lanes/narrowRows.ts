/** Which rows the narrow lanes show: every wave as a heading, the calls of some, never more than a page can carry. */
import type { ViewState, WaveRow } from '../../src/core/state.ts';
import { rowAt, rowsOf } from '../../src/core/table.ts';
import { unplannedCalls } from '../select/arrivals.ts';

export type NarrowRow =
  | { readonly kind: 'wave'; readonly key: string; readonly wave: number; readonly open: boolean }
  | { readonly kind: 'call'; readonly key: string; readonly call: number }
  | { readonly kind: 'more'; readonly key: string; readonly text: string };

const WAVES = 12;
const CALLS = 32;
/** Runs of so few calls are shown whole. */
const ALL = 16;

/** The rows, top to bottom. `toggled` holds the waves that the user opened or closed. */
export function narrowRows(
  state: ViewState,
  selected: number | undefined,
  toggled: ReadonlyMap<number, boolean>,
): NarrowRow[] {
  const rows: NarrowRow[] = [];
  const chosen = selected === undefined ? undefined : rowAt(state.calls, selected)?.decision?.wave;
  const current = state.wave ?? 0;
  const first = windowStart(chosen ?? current, state.waves.size, WAVES);
  const last = Math.min(first + WAVES, state.waves.size);
  let room = CALLS;
  if (first > 0) rows.push({ kind: 'more', key: 'before', text: `${waves(0, first)}: see the table` });
  for (let index = first; index < last; index++) {
    const wave = rowAt(state.waves, index);
    if (!wave) continue;
    const usual = state.calls.size <= ALL || index === current || index === chosen;
    const open = toggled.get(index) ?? usual;
    rows.push({ kind: 'wave', key: `w${index}`, wave: index, open });
    if (!open) continue;
    const shown = callRows(state, wave, selected, room);
    room -= shown.filter((row) => row.kind === 'call').length;
    rows.push(...shown);
  }
  const unplanned = last < state.waves.size ? [] : unplannedCalls(state);
  if (unplanned.length > 0) {
    rows.push({ kind: 'more', key: 'arriving', text: `Arriving · ${unplanned.length}` });
    for (const call of unplanned.slice(0, Math.max(room, 4)))
      rows.push({ kind: 'call', key: `c${call}`, call });
  }
  if (last < state.waves.size)
    rows.push({ kind: 'more', key: 'after', text: `${waves(last, state.waves.size)}: see the table` });
  return rows;
}

function callRows(state: ViewState, wave: WaveRow, selected: number | undefined, room: number): NarrowRow[] {
  const calls = [...rowsOf(wave.calls)];
  const open = selected === undefined ? -1 : calls.indexOf(selected);
  const busy = calls.findIndex((call) => rowAt(state.calls, call)?.endedAt === undefined);
  const first = windowStart(open >= 0 ? open : Math.max(busy, 0), calls.length, room);
  const shown = calls.slice(first, first + room);
  const rows: NarrowRow[] = shown.map((call) => ({ kind: 'call', key: `c${call}`, call }));
  const hidden = calls.length - shown.length;
  if (hidden > 0) rows.push({ kind: 'more', key: `m${wave.index}`, text: `${hidden} more: see the table` });
  return rows;
}

/** Where a window of `size` begins so that it shows `at`, a little after its beginning. */
function windowStart(at: number, total: number, size: number): number {
  return Math.max(Math.min(at - 3, total - size), 0);
}

function waves(from: number, to: number): string {
  return to - from === 1 ? `Wave ${to}` : `Waves ${from + 1} to ${to}`;
}
