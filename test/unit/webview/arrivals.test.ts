/** What the panel says of calls that arrive, and of runs that began early. */
import { describe, expect, test } from 'vitest';
import { reduceAll } from '../../../src/core/reduce.ts';
import { rowAt } from '../../../src/core/table.ts';
import {
  arrivalSpans,
  arrivalText,
  earlySum,
  earlyText,
  earlyWords,
  messageWords,
  unplannedCalls,
} from '../../../webview/select/arrivals.ts';
import { concurrencyIntervals } from '../../../webview/select/concurrency.ts';
import { headline } from '../../../webview/select/headline.ts';
import { laneBars } from '../../../webview/select/lanes.ts';
import { tablesOf } from '../../../webview/select/tables.ts';
import { waitReasons } from '../../../webview/select/waits.ts';
import { cut, open, type Ran, reader, streamed, type Timed, text, whole, writer } from '../core/streamed.ts';

const MESSAGE: Timed = [
  [10, open(0, 'Read'), text(0, '{"path":"a"')],
  [300, text(0, '}'), { type: 'call-closed', index: 0 }],
  [310, open(1, 'Read'), text(1, '{"path":"b"')],
  [350, text(1, ',"more":1}'), { type: 'call-closed', index: 1 }],
  [400, whole(2, 'Write', { path: 'a' })],
  [500, open(3, 'Read'), text(3, '{"path":"c"')],
  [900, cut()],
];

const ran: Ran[] = [];
const { events } = await streamed(MESSAGE, (clock) => [reader(clock, ran), writer(clock, ran)], {
  strategy: 'dataflow',
  onHardError: 'answer-all',
});
const at = (t: number) => reduceAll(events.filter((event) => event.t <= t));
const end = reduceAll(events);

describe('the message', () => {
  test('in words, while it arrives and when it has ended', () => {
    expect(messageWords(at(0))).toBe('message arriving, no call yet');
    expect(messageWords(at(20))).toBe('message arriving, 1 call not complete');
    expect(messageWords(at(300))).toBe('message arriving, 1 call so far');
    expect(messageWords(end)).toBe('message cut off');
    expect(headline(at(20), 'live', 20)).toMatchObject({ state: 'running', rest: messageWords(at(20)) });
    expect(headline(at(360), 'live', 360).rest).toMatch(/^wave 1 of 1 · message arriving/);
    expect(headline(end, 'live', 1_000).rest).toBe('with 1 soft error · message cut off');
  });

  test('each call has its stretch of it; one that was cut off ends with the message', () => {
    expect(arrivalSpans(at(20), 30)).toEqual([{ call: 0, from: 10, to: 30, open: true }]);
    expect(arrivalSpans(end, 5_000)).toEqual([
      { call: 0, from: 10, to: 300, open: false },
      { call: 1, from: 310, to: 350, open: false },
      { call: 2, from: 400, to: 400, open: false },
      { call: 3, from: 500, to: 900, open: false },
    ]);
  });

  test('calls without a place stand apart until they have one', () => {
    expect(unplannedCalls(at(20))).toEqual([0]);
    expect(unplannedCalls(at(300))).toEqual([]);
    expect(unplannedCalls(at(600))).toEqual([3]);
    expect(unplannedCalls(end)).toEqual([]);
  });

  test('what may write waits for its end', () => {
    const state = at(600);
    expect(waitReasons(state, rowAt(state.calls, 2)!).join()).toContain('for the end of the message');
    expect(waitReasons(end, rowAt(end.calls, 2)!).join()).not.toContain('for the end of the message');
  });
});

describe('early runs', () => {
  test('as bars: unconfirmed, held, confirmed, and one that was thrown away beside the run that counts', () => {
    const looks = (t: number) => laneBars(at(t), t).map(({ call, look, from, to }) => [call, look, from, to]);
    expect(looks(50)).toEqual([[0, 'early', 10, 50]]);
    expect(looks(200)).toEqual([[0, 'held', 10, 110]]);
    expect(looks(300)).toEqual([[0, 'ok', 10, 110]]);
    expect(laneBars(end, end.t).map(({ call, look, from, to }) => [call, look, from, to])).toEqual([
      [0, 'ok', 10, 110],
      [1, 'discarded', 310, 350],
      [1, 'ok', 350, 450],
      [3, 'discarded', 500, 600],
      [2, 'ok', 900, 1_000],
    ]);
  });

  test('as sentences', () => {
    const words = (call: number) => {
      const row = rowAt(end.calls, call)!;
      return [arrivalText(row, 1_000), earlyText(row, 1_000), earlyWords(row)];
    };
    expect(words(0)).toEqual([
      'from 0.010 s to 0.300 s; known early: path',
      'confirmed: its input is the one that it began with; 100 ms won',
      'confirmed, 100 ms won',
    ]);
    expect(words(1)[1]).toBe(
      'began at 0.310 s, discarded: it began without knowing the whole input: more came later; 40 ms wasted; it ran again with the whole input',
    );
    expect(words(3)).toEqual([
      'from 0.500 s, not complete; known early: path',
      'began at 0.500 s, discarded: its input turned out not to be usable; 100 ms wasted',
      'discarded, 100 ms wasted',
    ]);
    expect(earlySum(end)).toBe('3 early starts, 100 ms won, 140 ms wasted');
    expect(earlySum(at(0))).toBe('');
  });

  test('count among the permits that were held', () => {
    const held = concurrencyIntervals(end, end.t).filter((one) => one.held > 0);
    expect(held.map(({ from, to, who }) => [from, to, who])).toEqual([
      [10, 110, [0]],
      [310, 350, [1]],
      [350, 450, [1]],
      [500, 600, [3]],
      [900, 1_000, [2]],
    ]);
  });

  test('stand in the table of the calls', () => {
    const [table] = tablesOf(end);
    const column = (id: string) => table!.columns.findIndex((one) => one.id === id);
    const cells = (id: string) => table!.rows.map((row) => row.cells[column(id)]!.text);
    expect(cells('opened')).toEqual(['0.010 s', '0.310 s', '0.400 s', '0.500 s']);
    expect(cells('closed')).toEqual(['0.300 s', '0.350 s', '0.400 s', '–']);
    expect(cells('known')).toEqual(['path', 'path', '–', 'path']);
    expect(cells('early')).toEqual([
      'confirmed, 100 ms won',
      'discarded, 40 ms wasted',
      '–',
      'discarded, 100 ms wasted',
    ]);
    expect(cells('ran')).toEqual(['100 ms', '100 ms', '100 ms', '–']);
  });
});
