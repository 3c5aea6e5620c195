/** Plays a log: where the cursor is after so much time, and what the run's time is then. */
import type { EventLog } from './eventLog.ts';
import { cursorAt, LONGEST_TICK, type Schedule, scheduleOf, timeAt } from './playback.ts';

/** How fast it is played. */
export interface Pace {
  readonly speed: number;
  readonly fit: boolean;
}

export class Player {
  private running = false;
  /** Seconds of the schedule that have been played. */
  private second = 0;
  private tickedAt = 0;
  private known:
    | { readonly log: EventLog; readonly speed: number; readonly fit: boolean; readonly schedule: Schedule }
    | undefined;

  get playing(): boolean {
    return this.running;
  }

  /** Plays on from a place in the log. `now` is the page's time in milliseconds. */
  start(log: EventLog, cursor: number, pace: Pace, now: number): void {
    this.running = true;
    this.tickedAt = now;
    this.moveTo(log, cursor, pace);
  }

  /** Goes on from this place, say after the pace was changed. */
  moveTo(log: EventLog, cursor: number, pace: Pace): void {
    this.second = this.schedule(log, pace).starts[cursor] ?? 0;
  }

  stop(): void {
    this.running = false;
  }

  /** The cursor now; stops at the log's end. A long pause between two ticks counts as a short one. */
  tick(log: EventLog, pace: Pace, now: number): number {
    const elapsed = Math.max(0, Math.min(LONGEST_TICK, (now - this.tickedAt) / 1000));
    this.tickedAt = now;
    this.second += elapsed;
    const cursor = cursorAt(this.schedule(log, pace), this.second);
    if (cursor >= log.length) this.running = false;
    return cursor;
  }

  /** The run's time at the moment that is shown. */
  time(log: EventLog, pace: Pace): number {
    return timeAt(this.schedule(log, pace), log.events, this.second);
  }

  private schedule(log: EventLog, { speed, fit }: Pace): Schedule {
    const { known } = this;
    if (known && known.log === log && known.speed === speed && known.fit === fit) return known.schedule;
    const schedule = scheduleOf(log.events, speed, fit);
    this.known = { log, speed, fit, schedule };
    return schedule;
  }
}
