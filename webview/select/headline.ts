/** The state of the panel in words (PANEL section 4): what the header says. */
import { workedMs } from '../../src/core/ran.ts';
import type { CallStatus, ViewState } from '../../src/core/state.ts';
import { rowAt } from '../../src/core/table.ts';
import type { BatchInfo } from '../../src/protocol/messages.ts';
import { count, moment } from '../format.ts';
import { messageWords } from './arrivals.ts';
import { callNumber, STATUSES } from './calls.ts';
import { perState } from './perState.ts';

/** The states of a run that the header tells apart. */
export type RunState =
  | 'empty'
  | 'planning'
  | 'planned'
  | 'running'
  | 'cancelling'
  | 'done'
  | 'errors'
  | 'aborted'
  | 'cancelled'
  | 'interrupted';

export interface Headline {
  readonly state: RunState;
  /** In capitals in the header. */
  readonly word: string;
  /** Follows the word, small. */
  readonly rest: string;
  /** How long it took or takes; empty where that is not known. */
  readonly time: string;
  /** "1.53×", once it is done; the number of warnings stands beside it. */
  readonly speedUp: string;
}

/** Which state a run is in. A recording that stops before its end was interrupted. */
export function runState(state: ViewState, source: BatchInfo['source'] | undefined): RunState {
  const open = state.phase === 'planning' || state.phase === 'running' || state.phase === 'cancelling';
  if (open && source === 'recorded') return 'interrupted';
  if (state.phase === 'done' && state.counts.soft > 0) return 'errors';
  return state.phase;
}

/** Whether there is something to cancel. */
export function isActive(state: RunState): boolean {
  return state === 'planning' || state === 'running' || state === 'cancelling';
}

/** How long the run is, for wording its moments in one unit. */
export function totalOf(latest: ViewState, now: number): number {
  return latest.endedAt ?? Math.max(latest.t, now);
}

/** The header's words for a run. `now` is the run's time, which may lie after its last event. */
export function headline(latest: ViewState, source: BatchInfo['source'] | undefined, now: number): Headline {
  return { ...wordsOf(latest, source, now), speedUp: latest.phase === 'done' ? speedUpText(latest) : '' };
}

function wordsOf(
  latest: ViewState,
  source: BatchInfo['source'] | undefined,
  now: number,
): Omit<Headline, 'speedUp'> {
  const state = runState(latest, source);
  const total = totalOf(latest, now);
  const time = moment(total, total);
  const waves = latest.waves.size;
  switch (state) {
    case 'empty':
      return { state, word: 'No batch yet', rest: '', time: '' };
    case 'planning':
      return { state, word: 'Planning', rest: `${latest.decided} of ${latest.calls.size}`, time: '' };
    case 'planned': {
      const rest = `${count(latest.calls.size, 'call')} in ${count(waves, 'wave')}`;
      return { state, word: 'Planned', rest, time: '' };
    }
    case 'running':
      return { state, word: 'Running', rest: joined(waveWords(latest), messageWords(latest)), time };
    case 'cancelling':
      return { state, word: 'Cancelling', rest: `${inFlight(latest)} still running`, time };
    case 'done':
      return { state, word: 'Done', rest: messageWords(latest), time };
    case 'errors':
      return {
        state,
        word: 'Done',
        rest: joined(`with ${count(latest.counts.soft, 'soft error')}`, messageWords(latest)),
        time,
      };
    case 'aborted':
      return { state, word: 'Aborted', rest: culprit(latest), time };
    case 'cancelled':
      return {
        state,
        word: 'Cancelled',
        rest: `at ${moment(latest.stop?.requestedAt ?? total, total)}`,
        time: '',
      };
    case 'interrupted':
      return { state, word: 'Interrupted', rest: 'end not recorded', time: '' };
  }
}

/** How much faster than one call after the other, when the message has ended: the time that calls ran, over the makespan. */
const speedUpText = perState((state: ViewState): string => {
  const { calls, message, endedAt = 0 } = state;
  const oneByOne = (message?.endedAt ?? 0) + workedMs(state);
  return endedAt > 0 && calls.size > 1 ? `${(oneByOne / endedAt).toFixed(2)}×` : '';
});

/** "wave 1 of 3", once there is one. */
function waveWords({ wave, waves }: ViewState): string {
  return waves.size === 0 && wave === undefined ? '' : `wave ${(wave ?? 0) + 1} of ${waves.size}`;
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}

/** Calls that hold a permit: what a cancelled run still waits for. */
function inFlight(state: ViewState): number {
  return state.counts.running + state.counts.holding;
}

/** "by #5 in wave 2", as far as it is known. */
function culprit(state: ViewState): string {
  const by = state.stop?.by;
  if (by === undefined) return '';
  const wave = rowAt(state.calls, by)?.decision?.wave;
  return `by ${callNumber(by)}${wave === undefined ? '' : ` in wave ${wave + 1}`}`;
}

/** How many calls stand where: every status that occurs. */
export function outcomeCounts(state: ViewState): readonly { status: CallStatus; count: number }[] {
  return STATUSES.map((status) => ({ status, count: state.counts[status] })).filter((one) => one.count > 0);
}

/** Permits held and free, and calls that wait for one. */
export function permitCounts(state: ViewState): { held: number; free: number; waiting: number } {
  const held = state.holders.reduce<number>((sum, call) => sum + (call === undefined ? 0 : 1), 0);
  return { held, free: state.permits - held, waiting: state.counts.queued };
}

/** Strategies as people read them. */
export const STRATEGY_NAMES: Readonly<Record<ViewState['strategy'], string>> = {
  sequential: 'Sequential',
  batches: 'Consecutive batches',
  'first-fit': 'First-fit waves',
  dataflow: 'Dataflow',
};

/** Sentences about the log: what was cut off or is of a newer version. */
export function logNotes(latest: ViewState, batch: BatchInfo): readonly string[] {
  const unknown =
    latest.unknown === 0
      ? []
      : [
          `${count(latest.unknown, 'event')} from a newer version ${latest.unknown === 1 ? 'is' : 'are'} not shown.`,
        ];
  return [...batch.notes, ...unknown];
}
