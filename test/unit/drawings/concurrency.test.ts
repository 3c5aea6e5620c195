import { expect, test } from 'vitest';
import { reduce, reduceAll } from '../../../src/core/reduce.ts';
import { initialState } from '../../../src/core/state.ts';
import { stepLine } from '../../../webview/lanes/concurrencyDrawing.ts';
import { scaleOf } from '../../../webview/lanes/scale.ts';
import { columnAt, columnsOf, columnX, joinLines } from '../../../webview/order/orderDrawing.ts';
import { concurrencyIntervals } from '../../../webview/select/concurrency.ts';
import { orderPairs } from '../../../webview/select/order.ts';
import { madeRun, manyCalls, NINE } from './madeRun.ts';

test('the worked example as stretches of unchanged concurrency', () => {
  const state = reduceAll(madeRun(NINE));
  expect(
    concurrencyIntervals(state, state.t).map(({ from, to, held, waiting, who }) => [
      from,
      to,
      held,
      waiting,
      who.map((call) => call + 1),
    ]),
  ).toEqual([
    [0, 120, 3, 3, [1, 2, 3]],
    [120, 200, 3, 2, [4, 2, 3]],
    [200, 280, 3, 1, [4, 2, 7]],
    [280, 300, 3, 0, [4, 2, 9]],
    [300, 320, 1, 0, [9]],
    [320, 440, 2, 0, [5, 8]],
    [440, 470, 1, 0, [5]],
    [470, 1370, 1, 0, [6]],
  ]);
});

test('after every event held and free are all permits, and the stretches leave no gap', () => {
  let state = initialState;
  for (const event of madeRun(manyCalls(120, 40, 5))) {
    state = reduce(state, event);
    const now = state.t + 1;
    const list = concurrencyIntervals(state, now);
    const wrong = list.filter(
      (interval, index) =>
        interval.held + interval.free !== 5 ||
        interval.who.length !== interval.held ||
        interval.from !== (list[index - 1]?.to ?? state.startedAt),
    );
    expect(wrong, `after event ${event.seq}`).toEqual([]);
    if (list.length > 0 && state.endedAt === undefined) expect(list.at(-1)?.to).toBe(now);
    const last = list.at(-1);
    if (last && state.endedAt === undefined)
      expect(last.held).toBe(state.holders.filter((call) => call !== undefined).length);
  }
});

test('a line of thousands of steps is no longer than the width allows', () => {
  const state = reduceAll(madeRun(manyCalls(5_000, 500, 8)));
  const line = stepLine(
    concurrencyIntervals(state, state.t),
    (interval) => interval.held,
    scaleOf({ from: 0, to: state.t }, 900),
    { top: 0, bottom: 40, most: 8 },
  );
  expect(line.length).toBeLessThan(60_000);
});

test('every call has one place in completion order and one in slot order', () => {
  const state = reduceAll(madeRun(NINE));
  const pairs = orderPairs(state);
  expect(pairs.map((pair) => pair.call)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(pairs.map((pair) => pair.completion)).toEqual([1, 4, 2, 5, 8, 9, 3, 7, 6]);
});

test('the order of thousands of calls is drawn with at most a thousand lines', () => {
  const pairs = orderPairs(reduceAll(madeRun(manyCalls(5_000, 500, 8))));
  const columns = columnsOf(pairs.length, 66, 900, 30);
  const { path, every } = joinLines(columns, pairs);
  expect(every).toBe(5);
  expect(path.match(/M/g)?.length).toBeLessThanOrEqual(1_000);
  expect(columnAt(columns, columnX(columns, 4_321))).toBe(4_321);
  expect(columnAt(columns, 10)).toBeUndefined();
});
