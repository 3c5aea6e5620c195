import { describe, expect, it } from 'vitest';
import type { AnyEvent } from '../../../src/core/reduce.ts';
import { Announcer, alertFor, LONGEST, QUIET, sentenceFor } from '../../../webview/announce.ts';
import { PanelStore } from '../../../webview/store.ts';
import { batch, logOf } from './logs.ts';

function viewOf(events: readonly AnyEvent[], seekTo?: number, source: 'live' | 'recorded' = 'live') {
  const store = new PanelStore(
    { now: () => 0, hidden: () => false, requestFrame() {}, post() {}, save() {} },
    { size: 'wide', reducedMotion: false, screenReader: true },
    undefined,
  );
  store.receive({ type: 'log', batch: batch(source), events });
  if (seekTo !== undefined) store.seek(seekTo);
  return store.view();
}

describe('announcements', () => {
  it('come at most once in two seconds, the newest one last', () => {
    let time = 0;
    const said: [number, string][] = [];
    const timers: [number, () => void][] = [];
    const announcer = new Announcer(
      (sentence) => said.push([time, sentence]),
      () => time,
      (run, ms) => timers.push([time + ms, run]),
    );
    for (time = 0; time < 7000; time += 100) {
      for (const timer of timers.splice(0)) {
        if (timer[0] <= time) timer[1]();
        else timers.push(timer);
      }
      announcer.offer(`sentence ${time}`);
    }
    expect(said.length).toBeGreaterThan(2);
    for (const [index, [at]] of said.entries())
      if (index > 0) expect(at - said[index - 1]![0]).toBeGreaterThanOrEqual(QUIET);
  });

  it('say how a wave stands, in 120 characters at most', async () => {
    const events = await logOf();
    for (let n = 1; n <= events.length; n++)
      expect(sentenceFor(viewOf(events.slice(0, n))).length).toBeLessThanOrEqual(LONGEST);
    const ended = events.findIndex((event) => event.type === 'call-ended') + 1;
    expect(sentenceFor(viewOf(events.slice(0, ended)))).toBe('Wave 1: 1 of 6 done, 2 running, 3 waiting.');
  });

  it('say nothing while one scrubs', async () => {
    const events = await logOf();
    expect(sentenceFor(viewOf(events, 20))).toBe('');
  });

  it('are an alert for an abort, and for nothing else', async () => {
    const events = await logOf();
    expect(alertFor(viewOf(events))).toBe('');
    const aborted = [
      ...events.slice(0, 40),
      { type: 'run-aborted', seq: 40, t: 500, how: 'aborted', reason: 'A tool ended the batch.', by: 4 },
    ];
    expect(alertFor(viewOf(aborted))).toBe('Aborted by #5 in wave 2: A tool ended the batch.');
    expect(sentenceFor(viewOf(aborted))).toBe('');
  });
});
