/** What the lanes say in words: a bar's name, the drawing's summary. */
import { ranUntil } from '../../src/core/ran.ts';
import type { CallRow, ViewState } from '../../src/core/state.ts';
import { count, duration, moment } from '../format.ts';
import { LOOKS, lookOf } from '../glyphs.ts';
import { earlyText } from '../select/arrivals.ts';
import { callTitle } from '../select/calls.ts';
import type { PanelView } from '../zone.ts';

/** "#4 edit src/b.ts, running on permit 1 since 0.120 s", "…, ok, ran 180 ms on permit 3 from 0.120 s". */
export function callSentence(row: CallRow, state: ViewState, total: number): string {
  return [callTitle(row), ...callDetails(row, state, total)].join(', ');
}

/** What a call's picture says beside its name: whether it is unsafe, its state, where and when it ran. */
export function callDetails(row: CallRow, state: ViewState, total: number): string[] {
  const { word } = LOOKS[lookOf(row, state)];
  const parts = row.declared && !row.declared.safe ? ['unsafe'] : [];
  const from = row.startedAt ?? row.permitTakenAt;
  const where = row.permit === undefined ? '' : ` on permit ${row.permit + 1}`;
  const until = ranUntil(row);
  if (from !== undefined && until !== undefined)
    parts.push(word, `ran ${duration(until - from)}${where} from ${moment(from, total)}`);
  else if (from !== undefined) parts.push(`${word}${where} since ${moment(from, total)}`);
  else if (row.queuedAt !== undefined && row.endedAt === undefined)
    parts.push(`${word} since ${moment(row.queuedAt, total)}`);
  else parts.push(word);
  const early = earlyText(row, total);
  return early === undefined ? parts : [...parts, `early run ${early}`];
}

/** The drawing in one sentence, for people who do not see it. */
export function lanesSummary(state: ViewState, lanes: number): string {
  const { counts } = state;
  const running = counts.running + counts.holding;
  const done = counts.ok + counts.soft + counts.hard + counts.cancelled;
  return (
    `Time against permits: ${count(state.calls.size, 'call')} on ${count(lanes, 'lane')}, ` +
    `${running} running, ${counts.queued} waiting, ${done} ended. The table has every value.`
  );
}

/** Whether the log stops in mid-run: the ends of open bars were never recorded. */
export function isInterrupted(view: PanelView): boolean {
  if (view.batch.source !== 'recorded' || view.cursor < view.log.length) return false;
  return view.state.phase === 'running' || view.state.phase === 'cancelling';
}
