import { expect, test } from 'vitest';
import { reduce, reduceAll } from '../../../src/core/reduce.ts';
import { initialState } from '../../../src/core/state.ts';
import { footOf, waitRows } from '../../../webview/lanes/footLayer.ts';
import { barAt, geometryOf, laneY, placeBars } from '../../../webview/lanes/place.ts';
import { scaleOf } from '../../../webview/lanes/scale.ts';
import {
  laneBars,
  laneCount,
  unplacedCalls,
  waitIntervals,
  waveRules,
} from '../../../webview/select/lanes.ts';
import { madeRun, manyCalls, NINE } from './madeRun.ts';

const log = madeRun(NINE);
const done = reduceAll(log);

test('every call stands on the lane of its permit, from the permit until its end', () => {
  const bars = laneBars(done, done.t);
  expect(bars.map(({ call, permit, from, to }) => [call + 1, permit + 1, from, to])).toEqual([
    [1, 1, 0, 120],
    [4, 1, 120, 300],
    [5, 1, 320, 470],
    [6, 1, 470, 1370],
    [2, 2, 0, 300],
    [8, 2, 320, 440],
    [3, 3, 0, 200],
    [7, 3, 200, 280],
    [9, 3, 280, 320],
  ]);
});

test('an open bar ends now, and nothing is computed twice for one state', () => {
  const state = reduceAll(
    log.slice(
      0,
      log.findIndex((event) => event.type === 'call-ended'),
    ),
  );
  expect(laneBars(state, 90).every((bar) => bar.open && bar.to === 90)).toBe(true);
  expect(laneBars(done, 1)).toBe(laneBars(done, 2));
});

test('only calls that found every permit held have waited, in the order in which they began to', () => {
  expect(waitIntervals(done, done.t)).toEqual([
    { call: 3, from: 0, to: 120, open: false },
    { call: 6, from: 0, to: 200, open: false },
    { call: 8, from: 0, to: 280, open: false },
  ]);
});

test('waves stand between their start and their end', () => {
  expect(waveRules(done, done.t).map(({ wave, from, to, closed }) => [wave, from, to, closed])).toEqual([
    [0, 0, 320, false],
    [1, 320, 470, false],
    [2, 470, 1370, true],
  ]);
});

test('a call that never held a permit is drawn beside the lanes', () => {
  const state = reduceAll(
    madeRun({
      calls: [
        { name: 'a', ms: 1, refused: true },
        { name: 'b', ms: 1 },
      ],
      waves: [[0, 1]],
      permits: 2,
    }),
  );
  expect(unplacedCalls(state)).toEqual([{ call: 0, status: 'soft', at: 0 }]);
});

test('there are as many lanes as the largest wave can use, and no more', () => {
  expect(laneCount(done)).toBe(3);
  expect(laneCount(reduceAll(madeRun({ ...NINE, permits: 8 })))).toBe(6);
});

test('once drawn, no bar changes its row and no wait its own, whatever event comes next', () => {
  for (const run of [NINE, manyCalls(120, 50, 6)]) {
    const events = madeRun(run);
    const latest = reduceAll(events);
    const geometry = geometryOf(900, laneCount(latest));
    const scale = scaleOf({ from: 0, to: latest.t }, 900);
    const rows = new Map<string, number>();
    const moved: string[] = [];
    let state = initialState;
    for (const event of events) {
      state = reduce(state, event);
      // What happens at one moment is one picture: a wait of no duration is none.
      const settled = events[state.seq]?.t !== state.t;
      const waits = settled ? waitIntervals(state, state.t) : [];
      const seen = [
        ...placeBars(laneBars(state, state.t), scale, geometry).map(
          (item) => [`bar ${item.bar.call}`, item.y] as const,
        ),
        ...waitRows(waits).map((row, index) => [`wait ${waits[index]!.call}`, row] as const),
      ];
      for (const [key, y] of seen) {
        if ((rows.get(key) ?? y) !== y) moved.push(`${key} after event ${event.seq}`);
        rows.set(key, y);
      }
    }
    expect(moved).toEqual([]);
  }
});

test('a call of no duration is at least two pixels wide, and two at one moment do not cover each other', () => {
  const state = reduceAll(
    madeRun({ calls: [0, 0, 0, 500].map((ms) => ({ name: 'stat', ms })), waves: [[0, 1, 2, 3]], permits: 1 }),
  );
  const placed = placeBars(laneBars(state, state.t), scaleOf({ from: 0, to: 500 }, 900), geometryOf(900, 1));
  expect(placed.map((item) => item.bar.call)).toEqual([0, 1, 2, 3]);
  for (const item of placed) expect(item.width).toBeGreaterThanOrEqual(2);
  expect(placed[1]!.x).toBeGreaterThanOrEqual(placed[0]!.x + placed[0]!.width);
});

test('thousands of bars are merged to what the width can show', () => {
  const state = reduceAll(madeRun(manyCalls(5_000, 5_000, 4)));
  const placed = placeBars(
    laneBars(state, state.t),
    scaleOf({ from: 0, to: state.t }, 900),
    geometryOf(900, 4),
  );
  expect(placed.length).toBeLessThan(4 * 900);
});

test('a point finds the bar under it, or the nearest one within twelve pixels of its lane', () => {
  const geometry = geometryOf(900, 3);
  const scale = scaleOf({ from: 0, to: 1370 }, 900);
  const placed = placeBars(laneBars(done, done.t), scale, geometry);
  const y = laneY(geometry, 2) + 4;
  const nine = placed.find((item) => item.bar.call === 8)!;
  expect(barAt(placed, geometry, nine.x + nine.width + 8, y)?.bar.call).toBe(8);
  expect(barAt(placed, geometry, nine.x + nine.width + 40, y)).toBeUndefined();
});

test('lanes stay on a screen however many permits there are', () => {
  for (const lanes of [1, 16, 48, 500, 5_000]) expect(geometryOf(900, lanes).lanesBottom).toBeLessThan(1_100);
  expect(
    footOf(100, { streamed: false, unneeded: 0, unplaced: 0, waitRows: 5_000, stopped: false }).bottom,
  ).toBeLessThan(230);
});
