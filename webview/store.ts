/**
 * The page's one state: what the host sent, and where the user is. Changes are gathered and shown once a frame; a
 * hidden page asks for no frames.
 */
import type { AnyEvent } from '../src/core/reduce.ts';
import type { BatchInfo, HostMessage, PageMessage } from '../src/protocol/messages.ts';
import { EventLog } from './eventLog.ts';
import { errorsOf, findCalls } from './find.ts';
import { type Place, placeFrom, START, savedOf } from './place.ts';
import { Player } from './player.ts';
import type { Saved } from './saved.ts';
import { clampCursor } from './steps.ts';
import type { Circumstances, Surroundings } from './surroundings.ts';
import type { PageView, Problem } from './view.ts';

export class PanelStore {
  private readonly around: Surroundings;
  private readonly subscribers = new Set<(view: PageView) => void>();
  private circumstances: Circumstances;
  private batch: BatchInfo | undefined;
  private log = EventLog.empty;
  private place: Place = START;
  private problem: Problem | undefined;
  private empty = false;
  private waiting = true;
  private resyncing = false;
  private readonly player = new Player();
  /** The page's time minus the run's, the least that was seen: how late events arrive at best. */
  private offset = Number.POSITIVE_INFINITY;
  private restored: Saved | undefined;
  private savedText = '';
  private pointedOut = false;
  private found: { readonly key: string; readonly value: ReadonlySet<number> | undefined } | undefined;
  private asked = false;

  constructor(around: Surroundings, circumstances: Circumstances, saved: Saved | undefined) {
    this.around = around;
    this.circumstances = circumstances;
    this.restored = saved;
  }

  /** Calls back with the view after every frame in which something changed. */
  subscribe(subscriber: (view: PageView) => void): void {
    this.subscribers.add(subscriber);
  }

  // ---- what the host says

  receive(message: Exclude<HostMessage, { type: 'action' }>): void {
    switch (message.type) {
      case 'log':
        this.takeLog(message.batch, message.events);
        break;
      case 'append':
        this.append(message.batchId, message.from, message.events);
        break;
      case 'empty':
        this.batch = undefined;
        this.log = EventLog.empty;
        this.place = START;
        this.player.stop();
        this.empty = true;
        this.waiting = false;
        this.problem = undefined;
        break;
      case 'problem':
        this.problem = { message: message.message, detail: message.detail };
        this.waiting = false;
    }
    this.changed();
  }

  private takeLog(batch: BatchInfo, events: readonly AnyEvent[]): void {
    const same = this.batch?.id === batch.id;
    this.batch = batch;
    this.log = EventLog.of(events);
    this.empty = false;
    this.waiting = false;
    this.resyncing = false;
    this.problem = undefined;
    this.offset = Number.POSITIVE_INFINITY;
    this.synchronise();
    if (!same) {
      this.player.stop();
      this.pointedOut = false;
      this.place = this.restoredPlace(batch.id);
    }
    this.pointOut();
  }

  private append(batchId: string, from: number, events: readonly AnyEvent[]): void {
    const log = batchId === this.batch?.id ? this.log.appended(from, events) : undefined;
    if (log === undefined) this.resync(batchId);
    if (log === undefined || log === this.log) return;
    this.log = log;
    this.synchronise();
    this.pointOut();
  }

  private resync(batchId: string): void {
    if (this.resyncing) return;
    const have = batchId === this.batch?.id ? this.log.length : 0;
    this.resyncing = true;
    this.around.post({ type: 'resync', batchId, have });
  }

  private synchronise(): void {
    this.offset = Math.min(this.offset, this.around.now() - this.log.latest.t);
  }

  private restoredPlace(batch: string): Place {
    const saved = this.restored?.batch === batch ? this.restored : undefined;
    this.restored = undefined;
    if (!saved) return { ...START, view: this.place.view, speed: this.place.speed, fit: this.place.fit };
    const place = placeFrom(saved, this.log);
    if (place.selected !== undefined) this.pointedOut = true;
    return place;
  }

  /** Once a run ended badly, its first error is selected, unless the user has chosen already. */
  private pointOut(): void {
    const { latest } = this.log;
    const bad = latest.phase === 'aborted' || (latest.phase === 'done' && latest.counts.soft > 0);
    if (!bad || this.pointedOut) return;
    this.pointedOut = true;
    if (this.place.selected !== undefined) return;
    const culprit = latest.stop?.by ?? errorsOf(latest)[0];
    if (culprit !== undefined) this.place = { ...this.place, selected: culprit };
  }

  // ---- what the user does

  /** Changes where the user is; anything else stays. */
  go(to: Partial<Omit<Place, 'at'>>): void {
    this.place = { ...this.place, ...to };
    const paced = to.speed !== undefined || to.fit !== undefined;
    if (paced && this.player.playing) this.player.moveTo(this.log, this.cursor, this.place);
    this.changed();
  }

  /** Moves the cursor and stops playing; the log's length follows again. */
  seek(cursor: number): void {
    const to = clampCursor(cursor, this.log.length);
    this.player.stop();
    this.place = { ...this.place, at: to === this.log.length ? undefined : to };
    this.changed();
  }

  follow(): void {
    this.seek(this.log.length);
  }

  /** Plays from the cursor, from the beginning at the end; pauses while playing or following a live run. */
  playOrPause(): void {
    const live = this.batch?.source === 'live' && this.log.latest.endedAt === undefined;
    if (this.player.playing) this.player.stop();
    else if (live && this.place.at === undefined) this.place = { ...this.place, at: this.log.length };
    else if (this.log.length > 0) {
      const from = this.place.at ?? 0;
      this.place = { ...this.place, at: from };
      this.player.start(this.log, from, this.place, this.around.now());
    }
    this.changed();
  }

  setCircumstances(circumstances: Circumstances): void {
    this.circumstances = circumstances;
    this.changed();
  }

  /** The page was hidden or shown. A hidden one pauses; what it missed is shown in one frame. */
  visibilityChanged(): void {
    if (this.around.hidden()) this.player.stop();
    this.asked = false;
    this.changed();
  }

  /** Something in the page itself went wrong; the last good picture stays. */
  fail(problem: Problem): void {
    this.problem = problem;
    this.waiting = false;
    this.player.stop();
    this.changed();
  }

  post(message: PageMessage): void {
    this.around.post(message);
  }

  // ---- what is shown

  /** Places of the log that the cursor can be at: 0 to the number of events. */
  get cursor(): number {
    return this.place.at ?? this.log.length;
  }

  get events(): readonly AnyEvent[] {
    return this.log.events;
  }

  view(): PageView {
    const { place, log } = this;
    const state = log.stateAt(this.cursor);
    return {
      ...this.circumstances,
      batch: this.batch ?? { id: '', title: '', source: 'recorded', notes: [] },
      state,
      latest: log.latest,
      log: log.events,
      cursor: this.cursor,
      following: place.at === undefined,
      playing: this.player.playing,
      speed: place.speed,
      fit: place.fit,
      selected: place.selected,
      view: place.view,
      zoom: place.zoom,
      query: place.query,
      goingTo: place.goingTo,
      found: this.foundCalls(),
      now: this.runTime(state.t),
      liveNow: this.liveTime(),
      problem: this.problem,
      empty: this.empty,
      waiting: this.waiting,
    };
  }

  /** Where the page was scrolled to when it was left. */
  get scroll(): number {
    return this.place.scroll;
  }

  private runTime(t: number): number {
    if (this.player.playing && !this.circumstances.reducedMotion)
      return Math.max(t, this.player.time(this.log, this.place));
    return this.place.at === undefined ? this.liveTime() : t;
  }

  private liveTime(): number {
    const { t } = this.log.latest;
    return this.isMoving() ? Math.max(t, this.around.now() - this.offset) : t;
  }

  /** A live run has something running, so its time goes on between events. */
  private isMoving(): boolean {
    const { phase, counts } = this.log.latest;
    if (this.batch?.source !== 'live' || (phase !== 'running' && phase !== 'cancelling')) return false;
    return counts.running + counts.holding + counts.queued > 0;
  }

  private foundCalls(): ReadonlySet<number> | undefined {
    const { query } = this.place;
    if (query === undefined) return undefined;
    const key = `${this.batch?.id} ${this.log.latest.decided} ${this.log.latest.calls.size} ${query}`;
    if (this.found?.key !== key) this.found = { key, value: findCalls(this.log.latest, query) };
    return this.found.value;
  }

  // ---- frames

  /** Asks for one frame, whatever happened and however often. */
  private changed(): void {
    if (this.asked || this.around.hidden()) return;
    this.asked = true;
    this.around.requestFrame(() => this.frame());
  }

  private frame(): void {
    this.asked = false;
    if (this.around.hidden()) return;
    this.tick();
    const view = this.view();
    for (const subscriber of this.subscribers) subscriber(view);
    if (this.player.playing || this.isMoving()) this.changed();
    if (!this.player.playing) this.save();
  }

  private tick(): void {
    if (!this.player.playing) return;
    const at = this.player.tick(this.log, this.place, this.around.now());
    this.place = { ...this.place, at: this.player.playing ? at : undefined };
  }

  private save(): void {
    const saved = this.batch && savedOf(this.batch.id, this.place);
    if (!saved) return;
    const text = JSON.stringify(saved);
    if (text === this.savedText) return;
    this.savedText = text;
    this.around.save(saved);
  }
}
