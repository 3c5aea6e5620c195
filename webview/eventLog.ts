/** The page's copy of a run's log: states at any place of it, and what to do with events that arrive. */
import type { AnyEvent } from '../src/core/reduce.ts';
import { reduce } from '../src/core/reduce.ts';
import { initialState, type ViewState } from '../src/core/state.ts';

/** A state is kept after every so many events, so that reaching any other takes fewer steps than this. */
export const CHECKPOINT_EVERY = 200;

/** Events in order with their states. Immutable: `appended` gives a new log that shares what the old one knew. */
export class EventLog {
  static readonly empty = new EventLog([], [initialState], initialState);

  readonly events: readonly AnyEvent[];
  /** The state after all events. */
  readonly latest: ViewState;
  private readonly checkpoints: readonly ViewState[];
  private recent: { readonly cursor: number; readonly state: ViewState } | undefined;

  private constructor(events: readonly AnyEvent[], checkpoints: readonly ViewState[], latest: ViewState) {
    this.events = events;
    this.checkpoints = checkpoints;
    this.latest = latest;
  }

  /** A log of exactly these events. */
  static of(events: readonly AnyEvent[]): EventLog {
    return EventLog.empty.extended(events);
  }

  get length(): number {
    return this.events.length;
  }

  /** The state after the first `cursor` events; in fewer than `CHECKPOINT_EVERY` steps. */
  stateAt(cursor: number): ViewState {
    const to = Math.max(0, Math.min(Math.trunc(cursor), this.events.length));
    if (to === this.events.length) return this.latest;
    const base = Math.floor(to / CHECKPOINT_EVERY) * CHECKPOINT_EVERY;
    const near = this.recent !== undefined && this.recent.cursor <= to && this.recent.cursor >= base;
    let at = near && this.recent ? this.recent.cursor : base;
    let state =
      near && this.recent ? this.recent.state : (this.checkpoints[base / CHECKPOINT_EVERY] ?? initialState);
    for (; at < to; at++) {
      const event = this.events[at];
      if (event) state = reduce(state, event);
    }
    this.recent = { cursor: to, state };
    return state;
  }

  /**
   * The log with events that begin at place `from`. Those it has are skipped; undefined where some are missing between
   * the log's end and `from`, or within the events.
   */
  appended(from: number, events: readonly AnyEvent[]): EventLog | undefined {
    if (from > this.length) return undefined;
    const fresh = events.slice(this.length - from);
    const first = fresh[0];
    if (!first) return this;
    const inOrder = fresh.every((event, i) => event.seq === first.seq + i);
    if (!inOrder || first.seq !== this.latest.seq) return undefined;
    return this.extended(fresh);
  }

  private extended(fresh: readonly AnyEvent[]): EventLog {
    const checkpoints = this.checkpoints.slice();
    let state = this.latest;
    let at = this.length;
    for (const event of fresh) {
      state = reduce(state, event);
      at++;
      if (at % CHECKPOINT_EVERY === 0) checkpoints.push(state);
    }
    return new EventLog(this.events.concat(fresh), checkpoints, state);
  }
}
