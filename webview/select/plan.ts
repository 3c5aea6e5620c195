/** What the plan draws: waves with their calls, never more of them than a page can carry. */
import type { CallStatus, ViewState, WaveRow } from '../../src/core/state.ts';
import { rowAt, rowsOf } from '../../src/core/table.ts';
import { count, duration } from '../format.ts';
import { STATUSES } from './calls.ts';

/** Above this many calls a wave shows counts in place of its calls. */
const FOLD_ABOVE = 60;
/** Chips and boxes that are drawn at most at one time. */
const CHIPS = 60;
const BOXES = 16;

export interface WaveBox {
  readonly wave: WaveRow;
  /** Calls shown as chips, in request order. */
  readonly calls: readonly number[];
  /** Where the wave is folded: how many of its calls stand where. */
  readonly counts: readonly { readonly status: CallStatus; readonly count: number; readonly first: number }[];
}

export interface PlanWindow {
  /** Index of the first wave that is drawn, and how many come after the last one. */
  readonly first: number;
  readonly after: number;
  readonly boxes: readonly WaveBox[];
}

/** The waves from `first` on, as many as fit. A folded wave shows the selected call too, where it is a member. */
export function planWindow(state: ViewState, first: number, selected: number | undefined): PlanWindow {
  const boxes: WaveBox[] = [];
  let chips = 0;
  for (let index = first; index < state.waves.size && boxes.length < BOXES; index++) {
    const wave = rowAt(state.waves, index);
    if (!wave) break;
    const box = boxOf(state, wave, selected);
    if (boxes.length > 0 && chips + box.calls.length > CHIPS) break;
    chips += box.calls.length;
    boxes.push(box);
  }
  return { first, after: state.waves.size - first - boxes.length, boxes };
}

/** Where the window has to begin so that a wave is in it: where it is, if the wave is there already. */
export function windowFor(state: ViewState, first: number, wave: number | undefined): number {
  const from = Math.max(0, Math.min(first, state.waves.size - 1));
  if (wave === undefined) return from;
  if (wave < from) return Math.max(0, wave - 1);
  const shown = planWindow(state, from, undefined);
  if (wave < from + shown.boxes.length) return from;
  const before = Math.max(0, wave - 1);
  return planWindow(state, before, undefined).boxes.length > 1 ? before : wave;
}

/** "6 calls", "3 of 6 ended", "alone": what stands behind a wave's name. */
export function waveSummary(wave: WaveRow): string {
  if (wave.closed) return 'alone';
  if (wave.status === 'running') return `${wave.ended} of ${wave.calls.size} ended`;
  return count(wave.calls.size, 'call');
}

/** A wave's status in a word; how long it took, once that is known. After the run's end nothing runs or is planned. */
export function waveWord(wave: WaveRow, state: ViewState): string {
  if (wave.endedAt !== undefined && wave.startedAt !== undefined)
    return duration(wave.endedAt - wave.startedAt);
  return waveState(wave, state);
}

/** Where a wave is, in a word: after the end of the run none is planned or running any more. */
export function waveState(wave: WaveRow, state: ViewState): string {
  if (state.endedAt === undefined || wave.status === 'ended') return wave.status;
  return wave.status === 'planned' ? 'not run' : 'stopped';
}

/** How many chips stand side by side in a wave: one column up to six calls, at most three. */
export function chipColumns(calls: number): number {
  return Math.max(1, Math.min(3, Math.ceil(calls / 6)));
}

function boxOf(state: ViewState, wave: WaveRow, selected: number | undefined): WaveBox {
  if (wave.calls.size <= FOLD_ABOVE) return { wave, calls: [...rowsOf(wave.calls)], counts: [] };
  const tally = new Map<CallStatus, { count: number; first: number }>();
  let chosen: number | undefined;
  for (const call of rowsOf(wave.calls)) {
    const status = rowAt(state.calls, call)?.status ?? 'received';
    const entry = tally.get(status);
    if (entry) entry.count++;
    else tally.set(status, { count: 1, first: call });
    if (call === selected) chosen = call;
  }
  const counts = STATUSES.flatMap((status) => {
    const entry = tally.get(status);
    return entry ? [{ status, ...entry }] : [];
  });
  return { wave, calls: chosen === undefined ? [] : [chosen], counts };
}
