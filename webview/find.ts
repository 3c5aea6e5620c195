/** What "find" finds: calls whose number, name, input or key holds the text. */
import type { CallRow, ViewState } from '../src/core/state.ts';
import { rowsOf } from '../src/core/table.ts';
import { findingLines } from './select/findings.ts';

/** The indices of the calls that match, in request order; undefined where nothing is asked. */
export function findCalls(state: ViewState, query: string | undefined): ReadonlySet<number> | undefined {
  const wanted = query?.trim().toLowerCase();
  if (!wanted) return undefined;
  const found = new Set<number>();
  for (const call of rowsOf(state.calls)) if (matches(call, wanted)) found.add(call.index);
  return found;
}

/** The calls that went wrong in this state, in request order. */
export function errorsOf({ calls, counts }: ViewState): readonly number[] {
  if (counts.soft + counts.hard === 0) return [];
  return calls.chunks.flatMap((chunk) =>
    chunk.filter((row) => row.status === 'soft' || row.status === 'hard').map((row) => row.index),
  );
}

/** The calls that warnings are about: of each the one that its line selects. */
export function warnedOf(state: ViewState): ReadonlySet<number> {
  return new Set(findingLines(state).map(({ call }) => call));
}

/** The match after (or before) a call, going round; undefined where there is none. */
export function nextOf(
  found: Iterable<number>,
  from: number | undefined,
  direction: -1 | 1,
): number | undefined {
  const all = [...found].sort((a, b) => (a - b) * direction);
  if (from === undefined) return all[0];
  return all.find((index) => (index - from) * direction > 0) ?? all[0];
}

function matches(call: CallRow, wanted: string): boolean {
  if (/^#\d+$/.test(wanted)) return `#${call.index + 1}` === wanted;
  return (
    call.name.toLowerCase().includes(wanted) ||
    (call.declared?.key?.toLowerCase().includes(wanted) ?? false) ||
    inputText(call.input).toLowerCase().includes(wanted)
  );
}

function inputText(input: unknown): string {
  return typeof input === 'string' ? input : (JSON.stringify(input) ?? '');
}
