import { describe, expect, it } from 'vitest';
import { Batches } from '../../../src/host/batches.ts';
import { Feed } from '../../../src/host/feed.ts';
import type { HostMessage } from '../../../src/protocol/messages.ts';

/** Timers that fire when told to. */
function handTimers() {
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  return {
    after(ms: number, run: () => void) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    pass(ms: number) {
      const end = now + ms;
      for (;;) {
        const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        timers = timers.filter((other) => other !== next);
        now = next.at;
        next.run();
      }
      now = end;
    },
    get count() {
      return timers.length;
    },
  };
}

function setUp() {
  const posted: HostMessage[] = [];
  const timers = handTimers();
  const batches = new Batches(50, (error) => {
    throw error;
  });
  const feed = new Feed((message) => posted.push(message), timers);
  batches.changes.on(({ type, batch }) => {
    if (type === 'appended') feed.changed(batch);
  });
  const batch = batches.begin([]);
  let seq = 0;
  const happen = (count: number) => {
    for (let i = 0; i < count; i++) batches.append(batch, { type: 'x', seq: seq++, t: seq });
  };
  const take = () =>
    posted.splice(0).map((message) => {
      if (message.type === 'log') return `log ${message.events.length}`;
      if (message.type === 'append') return `append ${message.from}+${message.events.length}`;
      return message.type;
    });
  return { feed, timers, batch, happen, take };
}

describe('what a page is sent', () => {
  it('is nothing before it is ready, then the whole log, then what is new, at most 30 times a second', () => {
    const { feed, timers, batch, happen, take } = setUp();
    feed.show(batch);
    happen(3);
    timers.pass(1_000);
    expect(take()).toEqual([]);
    feed.ready();
    expect(take()).toEqual(['log 3']);
    happen(2);
    happen(2);
    expect(take()).toEqual([]);
    timers.pass(50);
    expect(take()).toEqual(['append 3+4']);
    for (let i = 0; i < 1_000; i++) {
      happen(1);
      timers.pass(1);
    }
    timers.pass(50);
    expect(take().length).toBeLessThanOrEqual(30);
  });

  it('is the whole log again after a gap, and when it is shown again; nothing while it is hidden', () => {
    const { feed, timers, batch, happen, take } = setUp();
    feed.show(batch);
    feed.ready();
    happen(5);
    timers.pass(50);
    feed.resync();
    expect(take()).toEqual(['log 0', 'append 0+5', 'log 5']);
    feed.setVisible(false);
    happen(5);
    timers.pass(10_000);
    expect(take()).toEqual([]);
    expect(timers.count).toBe(0);
    feed.setVisible(true);
    expect(take()).toEqual([]);
    feed.ready();
    expect(take()).toEqual(['log 10']);
    timers.pass(10_000);
    expect(take()).toEqual([]);
  });

  it('is the log unasked where a page that is shown again does not say that it is ready', () => {
    const { feed, timers, batch, take } = setUp();
    feed.show(batch);
    feed.ready();
    feed.setVisible(false);
    feed.setVisible(true);
    take();
    timers.pass(1_000);
    expect(take()).toEqual(['log 0']);
  });

  it('comes in messages of bounded size', () => {
    const { feed, timers, batch, happen, take } = setUp();
    feed.show(batch);
    feed.ready();
    happen(12_000);
    timers.pass(1_000);
    expect(take()).toEqual(['log 0', 'append 0+5000', 'append 5000+5000', 'append 10000+2000']);
  });

  it('says that there is no batch', () => {
    const { feed, take } = setUp();
    feed.show(undefined);
    feed.ready();
    expect(take()).toEqual(['empty']);
  });

  it('keeps the actions of a page that is not ready until it is', () => {
    const { feed, batch, take } = setUp();
    feed.show(batch);
    feed.action('next-wave');
    expect(take()).toEqual([]);
    feed.ready();
    expect(take()).toEqual(['log 0', 'action']);
    feed.action('next-wave');
    expect(take()).toEqual(['action']);
  });

  it('is nothing more once the panel is closed, and no timer is left', () => {
    const { feed, timers, batch, happen, take } = setUp();
    feed.show(batch);
    feed.ready();
    happen(1);
    take();
    feed.dispose();
    happen(1);
    feed.action('help');
    feed.problem('x');
    timers.pass(10_000);
    expect(take()).toEqual([]);
    expect(timers.count).toBe(0);
  });
});

describe('the batches that are kept', () => {
  it('are numbered, and the oldest is forgotten above the limit, never one that runs', () => {
    const batches = new Batches(2, () => {});
    const forgotten: string[] = [];
    batches.changes.on(({ type, batch }) => {
      if (type === 'forgotten') forgotten.push(batch.title);
    });
    const first = batches.begin([]);
    batches.end(batches.begin([]));
    batches.end(batches.begin([]));
    expect(forgotten).toEqual(['batch 2']);
    batches.end(first);
    batches.begin([]);
    expect(forgotten).toEqual(['batch 2', 'batch 1']);
    expect(batches.all.map(({ title }) => title)).toEqual(['batch 3', 'batch 4']);
  });

  it('go on counting after one from before a reload', () => {
    const batches = new Batches(5, () => {});
    batches.addRecorded({ id: 'batch-7-abc', title: 'batch 7', origin: 'run', notes: [], events: [] });
    expect(batches.begin([]).title).toBe('batch 8');
  });
});
