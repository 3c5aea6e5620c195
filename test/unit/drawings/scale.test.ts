import { expect, test } from 'vitest';
import { reduceAll } from '../../../src/core/reduce.ts';
import { fullRange, scaleOf, ticks, timeAt, xOf } from '../../../webview/lanes/scale.ts';
import { fitted, panned, zoomed } from '../../../webview/lanes/zooming.ts';
import { madeRun, NINE } from './madeRun.ts';

const labels = (to: number, from = 0, width = 900) =>
  ticks(scaleOf({ from, to }, width)).map((tick) => tick.label);

test('ticks are round and in one unit, from a tenth of a millisecond to hours', () => {
  expect(labels(0.5)).toEqual(['0', '0.1 ms', '0.2 ms', '0.3 ms', '0.4 ms', '0.5 ms']);
  expect(labels(7)).toEqual(['0', '1 ms', '2 ms', '3 ms', '4 ms', '5 ms', '6 ms', '7 ms']);
  expect(labels(320)).toEqual(['0', '50 ms', '100 ms', '150 ms', '200 ms', '250 ms', '300 ms']);
  expect(labels(1_370)).toEqual(['0', '0.2 s', '0.4 s', '0.6 s', '0.8 s', '1.0 s', '1.2 s']);
  expect(labels(600_000)).toEqual(['0', '2:00 min', '4:00 min', '6:00 min', '8:00 min', '10:00 min']);
  expect(labels(50_000_000).length).toBeLessThan(20);
});

test('ticks never stand closer than their labels are wide', () => {
  for (let to = 0.1; to < 5e7; to *= 1.37)
    for (const width of [320, 700, 1600]) {
      const scale = scaleOf({ from: 0, to }, width);
      const places = ticks(scale).map((tick) => xOf(scale, tick.at));
      for (const [index, x] of places.entries())
        if (index > 0) expect(x - places[index - 1]!).toBeGreaterThan(60);
    }
});

test('a place is the moment that it shows', () => {
  const scale = scaleOf({ from: 100, to: 300 }, 900);
  expect(timeAt(scale, xOf(scale, 170))).toBeCloseTo(170);
  expect(xOf(scale, 1e12)).toBe(scale.right + 8);
});

test('scrubbing never changes the axis, and while live it grows in steps that leave room for the plan', () => {
  const latest = reduceAll(madeRun(NINE));
  expect(fullRange({ latest, now: 10 })).toEqual({ from: 0, to: 1370 });
  const live = reduceAll(madeRun(NINE).slice(0, -2));
  const ends = new Set<number>();
  for (let now = live.t; now < live.t * 4; now += 5) {
    const { to } = fullRange({ latest: live, now });
    expect(now / to).toBeLessThanOrEqual(0.84);
    ends.add(to);
  }
  expect(ends.size).toBeLessThan(8);
});

test('zooming keeps the moment under the pointer, stays within the run, and all of it is no zoom', () => {
  const full = { from: 0, to: 1000 };
  const near = zoomed(full, 400, 0.5, full)!;
  expect(near).toEqual({ from: 200, to: 700 });
  expect(zoomed(near, 400, 100, full)).toBeUndefined();
  expect(panned(near, 1e6, full)).toEqual({ from: 500, to: 1000 });
  expect(fitted({ from: 0, to: 100 }, full)).toEqual({ from: 0, to: 115 });
  expect(fitted({ from: 5, to: 5 }, full)!.to).toBeGreaterThan(5);
});
