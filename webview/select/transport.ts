/** What the transport shows: the cursor in words, and marks along the log. */
import type { AnyEvent } from '../../src/core/reduce.ts';
import { rowAt } from '../../src/core/table.ts';
import { count, grouped, moment } from '../format.ts';
import type { PageView } from '../view.ts';
import { describeEvent, eventCall, knownEvent } from './events.ts';
import { isActive, runState, totalOf } from './headline.ts';

/** Marks that are drawn along the log at most. */
const MARKS = 200;

/** "event 38, 0.290 s, call 9 running on permit 3": the slider's value. */
export function cursorText(view: PageView): string {
  const event = view.log[view.cursor - 1];
  if (!event) return 'before the first event';
  const call = eventCall(event);
  const permit = call === undefined ? undefined : rowAt(view.state.calls, call)?.permit;
  return `event ${view.cursor}, ${momentText(view)}, ${describeEvent(event, permit)}`;
}

/** The moment that is shown, worded in the run's unit. */
export function momentText(view: PageView): string {
  return moment(view.now, totalOf(view.latest, view.following ? view.now : view.latest.t));
}

/** "event 38 of 92". */
export function positionText(view: PageView): string {
  return `event ${grouped(view.cursor)} of ${grouped(view.log.length)}`;
}

/** Whether more events may come. */
export function isLive(view: PageView): boolean {
  return view.batch.source === 'live' && isActive(runState(view.latest, 'live'));
}

/** "12 events behind". */
export function behindText(view: PageView): string {
  return `${count(view.log.length - view.cursor, 'event')} behind`;
}

export interface Marks {
  /** Shares of the log, 0 to 1. */
  readonly waves: readonly number[];
  readonly errors: readonly number[];
}

/** Where waves start and where calls went wrong, along the log. */
export function marksOf(log: readonly AnyEvent[]): Marks {
  const waves: number[] = [];
  const errors: number[] = [];
  for (const [index, event] of log.entries()) {
    const known = knownEvent(event);
    const share = (index + 1) / log.length;
    if (known?.type === 'wave-started' && waves.length < MARKS) waves.push(share);
    const bad = known?.type === 'call-ended' && (known.outcome === 'soft' || known.outcome === 'hard');
    if ((bad || known?.type === 'run-aborted') && errors.length < MARKS) errors.push(share);
  }
  return { waves, errors };
}
