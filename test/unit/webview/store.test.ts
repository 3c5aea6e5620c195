import { beforeEach, describe, expect, it } from 'vitest';
import type { WavesEvent } from '../../../src/core/events.ts';
import type { PageMessage } from '../../../src/protocol/messages.ts';
import type { Saved } from '../../../webview/saved.ts';
import { PanelStore } from '../../../webview/store.ts';
import type { PageView } from '../../../webview/view.ts';
import { batch, logOf } from './logs.ts';

/** A page without a page: time and frames are the test's. */
class FakePage {
  time = 1000;
  isHidden = false;
  readonly frames: (() => void)[] = [];
  readonly posted: PageMessage[] = [];
  readonly saves: Saved[] = [];
  readonly views: PageView[] = [];
  readonly store: PanelStore;

  constructor(saved?: Saved, reducedMotion = false) {
    this.store = new PanelStore(
      {
        now: () => this.time,
        hidden: () => this.isHidden,
        requestFrame: (run) => this.frames.push(run),
        post: (message) => this.posted.push(message),
        save: (state) => this.saves.push(state),
      },
      { size: 'wide', reducedMotion, screenReader: false },
      saved,
    );
    this.store.subscribe((view) => this.views.push(view));
  }

  /** Runs the frames that were asked for, `ms` later. */
  frame(ms = 16): void {
    this.time += ms;
    for (const run of this.frames.splice(0)) run();
  }

  get view(): PageView {
    return this.store.view();
  }
}

let events: readonly WavesEvent[];
beforeEach(async () => {
  events = await logOf();
});

describe('what the host sends', () => {
  it('is drawn once a frame, however many messages came', () => {
    const page = new FakePage();
    page.store.receive({ type: 'log', batch: batch('live'), events: events.slice(0, 5) });
    for (let n = 5; n < 20; n++)
      page.store.receive({ type: 'append', batchId: 'batch-1', from: n, events: events.slice(n, n + 1) });
    expect(page.frames).toHaveLength(1);
    page.frame();
    expect(page.views).toHaveLength(1);
    expect(page.view.cursor).toBe(20);
  });

  it('with a gap, or of another batch, makes the page ask for the log, once', () => {
    const page = new FakePage();
    page.store.receive({ type: 'log', batch: batch('live'), events: events.slice(0, 5) });
    page.store.receive({ type: 'append', batchId: 'batch-1', from: 9, events: events.slice(9, 10) });
    page.store.receive({ type: 'append', batchId: 'batch-1', from: 10, events: events.slice(10, 12) });
    expect(page.posted).toEqual([{ type: 'resync', batchId: 'batch-1', have: 5 }]);
    page.store.receive({ type: 'log', batch: batch('live'), events: events.slice(0, 12) });
    expect(page.view.cursor).toBe(12);
    page.store.receive({ type: 'append', batchId: 'other', from: 0, events: events.slice(0, 2) });
    expect(page.posted.at(-1)).toEqual({ type: 'resync', batchId: 'other', have: 0 });
    expect(page.view.cursor).toBe(12);
  });

  it('gives the same state live, replayed and scrubbed', () => {
    const recorded = new FakePage();
    recorded.store.receive({ type: 'log', batch: batch(), events });
    const live = new FakePage();
    live.store.receive({ type: 'log', batch: batch('live'), events: [] });
    for (const [n, event] of events.entries()) {
      live.store.receive({ type: 'append', batchId: 'batch-1', from: n, events: [event] });
      recorded.store.seek(n + 1);
      expect(recorded.view.state).toEqual(live.view.state);
    }
  });

  it('is kept out of sight behind a problem only until the log comes again', () => {
    const page = new FakePage();
    page.store.receive({ type: 'log', batch: batch(), events });
    page.store.receive({ type: 'problem', message: 'No.' });
    expect(page.view.problem?.message).toBe('No.');
    expect(page.view.state.phase).toBe('done');
    page.store.receive({ type: 'log', batch: batch(), events });
    expect(page.view.problem).toBeUndefined();
  });
});

describe('the cursor', () => {
  it('follows a live run until one scrubs, and again on request', () => {
    const page = new FakePage();
    page.store.receive({ type: 'log', batch: batch('live'), events: events.slice(0, 30) });
    page.store.seek(10);
    page.store.receive({ type: 'append', batchId: 'batch-1', from: 30, events: events.slice(30, 40) });
    expect(page.view).toMatchObject({ cursor: 10, following: false });
    expect(page.view.latest.seq).toBe(40);
    page.store.follow();
    expect(page.view).toMatchObject({ cursor: 40, following: true });
  });

  it('stays within the log', () => {
    const page = new FakePage();
    page.store.receive({ type: 'log', batch: batch(), events });
    page.store.seek(-5);
    expect(page.view.cursor).toBe(0);
    page.store.seek(Number.NaN);
    expect(page.view.cursor).toBe(0);
    page.store.seek(1e9);
    expect(page.view.following).toBe(true);
  });

  it('plays to the end, shows every event, and stops there', () => {
    const page = new FakePage();
    page.store.receive({ type: 'log', batch: batch(), events });
    page.frame();
    page.store.playOrPause();
    const seen = new Set<number>();
    for (let n = 0; n < 10_000 && page.frames.length > 0; n++) {
      page.frame(50);
      seen.add(page.view.cursor);
    }
    expect(page.view).toMatchObject({ playing: false, following: true });
    expect(seen.size).toBe(events.length + 1);
  });

  it('pauses a live run by staying where it is', () => {
    const page = new FakePage();
    page.store.receive({ type: 'log', batch: batch('live'), events: events.slice(0, 30) });
    page.store.playOrPause();
    page.store.receive({ type: 'append', batchId: 'batch-1', from: 30, events: events.slice(30, 31) });
    expect(page.view).toMatchObject({ cursor: 30, playing: false, following: false });
  });
});

describe('time', () => {
  it('goes on between the events of a live run, and only while something runs', () => {
    const page = new FakePage();
    const running = events.findLastIndex((event) => event.type === 'call-started') + 1;
    page.store.receive({ type: 'log', batch: batch('live'), events: events.slice(0, running) });
    const { t } = events[running - 1]!;
    page.frame(20);
    expect(page.view.now).toBe(t + 20);
    expect(page.frames).toHaveLength(1);
    page.store.receive({ type: 'append', batchId: 'batch-1', from: running, events: events.slice(running) });
    page.frame();
    expect(page.view.now).toBe(events.at(-1)!.t);
    expect(page.frames).toHaveLength(0);
  });

  it('asks for no frame while the page is hidden, and shows the newest state in one when shown', () => {
    const page = new FakePage();
    page.store.receive({ type: 'log', batch: batch('live'), events: events.slice(0, 30) });
    page.frame();
    page.frame();
    page.isHidden = true;
    page.store.visibilityChanged();
    page.frames.length = 0;
    for (let n = 30; n < 60; n++)
      page.store.receive({ type: 'append', batchId: 'batch-1', from: n, events: events.slice(n, n + 1) });
    expect(page.frames).toHaveLength(0);
    page.isHidden = false;
    page.store.visibilityChanged();
    page.frame();
    expect(page.views.at(-1)?.cursor).toBe(60);
  });

  it('goes on in the header while one looks at an earlier moment', () => {
    const page = new FakePage();
    page.store.receive({ type: 'log', batch: batch('live'), events: events.slice(0, 40) });
    page.store.seek(10);
    page.frame(100);
    expect(page.view.liveNow).toBe(page.view.latest.t + 100);
    expect(page.view.now).toBe(page.view.state.t);
    expect(page.frames).toHaveLength(1);
  });

  it('jumps from event to event while playing where motion is not wanted', () => {
    const page = new FakePage(undefined, true);
    page.store.receive({ type: 'log', batch: batch(), events });
    page.store.seek(40);
    page.store.playOrPause();
    page.frame(100);
    expect(page.view.now).toBe(page.view.state.t);
  });
});

describe('what is kept', () => {
  it('is where the user was, in less than 2 KB and without data', () => {
    const page = new FakePage();
    page.store.receive({ type: 'log', batch: batch(), events });
    page.store.seek(33);
    page.store.go({ selected: 4, view: 'table', zoom: { from: 1, to: 2 }, scroll: 120, speed: 2 });
    page.frame();
    const saved = page.saves.at(-1)!;
    expect(JSON.stringify(saved).length).toBeLessThan(2048);
    expect(JSON.stringify(saved)).not.toContain('read_file');
    const again = new FakePage(saved);
    again.store.receive({ type: 'log', batch: batch(), events });
    expect(again.view).toMatchObject({
      cursor: 33,
      selected: 4,
      view: 'table',
      zoom: { from: 1, to: 2 },
      speed: 2,
    });
    expect(again.store.scroll).toBe(120);
  });

  it('is not applied to another batch, nor beyond its end', () => {
    const saved: Saved = {
      batch: 'old',
      cursor: 3,
      selected: 99,
      view: 'picture',
      scroll: 0,
      speed: 1,
      fit: false,
    };
    const other = new FakePage(saved);
    other.store.receive({ type: 'log', batch: batch(), events });
    expect(other.view).toMatchObject({ following: true, selected: undefined });
    const shorter = new FakePage({ ...saved, batch: 'batch-1', cursor: 5000 });
    shorter.store.receive({ type: 'log', batch: batch(), events });
    expect(shorter.view).toMatchObject({ following: true, selected: undefined });
  });
});

describe('a run that ended badly', () => {
  it('has its first error selected, once, unless the user chose before', () => {
    const bad = events.map((event) =>
      event.type === 'call-ended' && event.call === 6
        ? { ...event, outcome: 'soft' as const, error: 'no' }
        : event,
    );
    const page = new FakePage();
    page.store.receive({ type: 'log', batch: batch(), events: bad });
    expect(page.view.selected).toBe(6);
    page.store.go({ selected: undefined });
    page.store.receive({ type: 'log', batch: batch(), events: bad });
    expect(page.view.selected).toBeUndefined();
  });
});
