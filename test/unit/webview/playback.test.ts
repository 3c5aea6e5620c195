import { describe, expect, it } from 'vitest';
import { cursorAt, nextSpeed, scheduleOf, timeAt } from '../../../webview/playback.ts';
import { clampCursor, waveStep } from '../../../webview/steps.ts';
import { logOf } from './logs.ts';

describe('playback', () => {
  it('shows a decision for 1.2 s and any event for 0.2 s at least', async () => {
    const events = await logOf();
    for (const speed of [0.25, 1, 4]) {
      const { starts } = scheduleOf(events, speed, false);
      for (let n = 1; n < events.length; n++) {
        const shown = starts[n + 1]! - starts[n]!;
        const isDecision = events[n - 1]!.type === 'decision-made';
        expect(shown).toBeGreaterThanOrEqual(isDecision ? 1.2 / speed - 1e-9 : 0.2 - 1e-9);
      }
    }
  });

  it('keeps the recorded pace of a long run', () => {
    const events = [0, 0, 5000, 9000].map((t, seq) => ({ type: 'call-progress', seq, t }));
    const { starts } = scheduleOf(events, 2, false);
    expect(starts[3]! - starts[2]!).toBeCloseTo(2.5);
    expect(starts[4]! - starts[3]!).toBeCloseTo(2);
  });

  it('fits any run in ten seconds', async () => {
    const events = await logOf();
    const { starts, seconds } = scheduleOf(events, 1, true);
    expect(seconds).toBe(10);
    expect(starts.at(-1)).toBeCloseTo(10);
  });

  it('moves the run’s time evenly and never back', async () => {
    const events = await logOf();
    const schedule = scheduleOf(events, 1, false);
    let last = 0;
    for (let second = 0; second < schedule.seconds; second += 0.05) {
      const time = timeAt(schedule, events, second);
      expect(time).toBeGreaterThanOrEqual(last);
      last = time;
    }
    expect(cursorAt(schedule, schedule.seconds)).toBe(events.length);
    expect(cursorAt(schedule, -1)).toBe(0);
  });

  it('has speeds to go through in both directions, with ends', () => {
    expect([nextSpeed(1, 1), nextSpeed(4, 1), nextSpeed(1, -1), nextSpeed(0.25, -1)]).toEqual([
      2, 4, 0.5, 0.25,
    ]);
  });
});

describe('steps', () => {
  it('go from wave to wave and to both ends', async () => {
    const events = await logOf();
    const starts = events.flatMap((event, index) => (event.type === 'wave-started' ? [index + 1] : []));
    expect(waveStep(events, 0, 1)).toBe(starts[0]);
    expect(waveStep(events, starts[0]!, 1)).toBe(starts[1]);
    expect(waveStep(events, starts[1]! + 3, -1)).toBe(starts[1]);
    expect(waveStep(events, starts.at(-1)!, 1)).toBe(events.length);
    expect(waveStep(events, 1, -1)).toBe(0);
    expect(clampCursor(3.6, 10)).toBe(4);
  });
});
