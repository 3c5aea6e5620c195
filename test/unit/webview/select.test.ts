import { describe, expect, it } from 'vitest';
import type { WavesEventOf } from '../../../src/core/events.ts';
import { RULES } from '../../../src/core/plan/rules.ts';
import { reduceAll } from '../../../src/core/reduce.ts';
import { rowsOf } from '../../../src/core/table.ts';
import { findCalls, nextOf } from '../../../webview/find.ts';
import { duration, moment, ordinal, shortened } from '../../../webview/format.ts';
import { LOOKS } from '../../../webview/glyphs.ts';
import { concurrencyIntervals } from '../../../webview/select/concurrency.ts';
import { describeEvent } from '../../../webview/select/events.ts';
import { headline, runState } from '../../../webview/select/headline.ts';
import { laneBars, waitIntervals } from '../../../webview/select/lanes.ts';
import { orderPairs } from '../../../webview/select/order.ts';
import { planWindow, windowFor } from '../../../webview/select/plan.ts';
import { tablesOf } from '../../../webview/select/tables.ts';
import { whyOf, whyText } from '../../../webview/select/why.ts';
import { sortRows } from '../../../webview/tableOrder.ts';
import { rowPage, rowWindow } from '../../../webview/zones/rowWindow.ts';
import { logOf, longLog } from './logs.ts';

const done = async () => reduceAll(await logOf());

describe('Why', () => {
  it('shows every candidate that the planner considered, each with a rule and its sentence', async () => {
    for (const name of ['nine-calls', 'six-calls'] as const) {
      const events = await logOf(name);
      const state = reduceAll(events);
      const decisions = events.filter(
        (event): event is WavesEventOf<'decision-made'> => event.type === 'decision-made',
      );
      for (const { call, rejected, rule } of decisions) {
        const why = whyOf(state, call, state.t, state)!;
        expect(why.candidates.map((one) => one.rule)).toEqual([...rejected.map((one) => one.rule), rule]);
        for (const one of why.rules) expect(one.sentence).toBe(RULES[one.id as keyof typeof RULES]);
      }
    }
  });

  it('says of the fifth call of the worked example what the design says', async () => {
    const state = reduceAll(await logOf('six-calls'));
    const why = whyOf(state, 4, state.t, state)!;
    expect(why.candidates.map((one) => [one.wave, one.verdict, one.rule])).toEqual([
      ['wave 1', 'rejected', 'R2'],
      ['wave 2', 'rejected', 'R3'],
      ['new wave 3', 'opened', 'R5'],
    ]);
    expect(why.ordinal).toBe('decision 5 of 6');
    expect(whyText(why)).toContain('wave 1: rejected, R2');
  });

  it('says for whom a call waits at the gate, over what, and for how long', async () => {
    const waiting = (await logOf('six-calls')).filter(
      ({ type }) => type === 'batch-received' || type === 'call-declared' || type === 'decision-made',
    );
    const t = waiting.at(-1)!.t;
    const add = (body: object) => waiting.push({ seq: waiting.at(-1)!.seq + 1, ...body } as never);
    add({ type: 'call-queued', call: 0, wave: 0, t });
    add({ type: 'permit-taken', call: 0, permit: 0, t });
    add({ type: 'gate-waiting', call: 0, resource: 'file:///w/src/a.ts', behind: 'edit "e1"', t: t + 5 });
    const why = (now: number) => {
      const state = reduceAll(waiting);
      return whyOf(state, 0, now, state)!;
    };
    const waited = (now: number) => why(now).timing.find(([name]) => name === 'Waited')?.[1];
    expect(LOOKS[why(t).look].word).toBe('waiting at the gate');
    expect(waited(t + 25)).toBe('20 ms at the gate, for edit "e1" of another batch over /w/src/a.ts');
    add({ type: 'call-started', call: 0, t: t + 45 });
    expect(waited(t + 500)).toBe('40 ms at the gate, for edit "e1" of another batch over /w/src/a.ts');
    expect(describeEvent(waiting.at(-2))).toBe('call 1 waits at the gate for edit "e1" of another batch');
  });

  it('tells waiting for a permit from waiting for a wave', async () => {
    const state = await done();
    const waited = (call: number) =>
      whyOf(state, call, state.t, state)!.timing.find(([name]) => name === 'Waited')?.[1];
    expect(waited(0)).toBe('for nothing');
    expect(waited(6)).toBe('200 ms for a permit, all 3 permits were held');
    expect(waited(4)).toBe('for wave 1 to end');
    expect(whyOf(state, 6, state.t, state)!.order).toBe('#7 finished 3rd, returned in slot 7.');
  });
});

describe('the tables', () => {
  it('hold every datum that is drawn', async () => {
    const state = await done();
    const [calls, waves, permits, decisions] = tablesOf(state).map((table) =>
      table.rows.map((row) => row.cells.map((cell) => cell.text)),
    );
    const total = state.t;
    for (const bar of laneBars(state, total)) {
      const row = calls![bar.call]!;
      expect(row).toContain(String(bar.permit + 1));
      expect(row).toContain(moment(bar.from, total));
      expect(row).toContain(duration(bar.to - bar.from));
    }
    for (const wait of waitIntervals(state, total))
      expect(calls![wait.call]).toContain(duration(wait.to - wait.from));
    for (const pair of orderPairs(state)) expect(calls![pair.call]).toContain(ordinal(pair.completion!));
    expect(waves).toHaveLength(state.waves.size);
    expect(permits).toHaveLength(concurrencyIntervals(state, total).length);
    const considered = [...rowsOf(state.calls)].reduce(
      (sum, row) => sum + row.decision!.rejected.length + 1,
      0,
    );
    expect(decisions).toHaveLength(considered);
  });

  it('sort by numbers where there are some, and keep the order of equal rows', async () => {
    const [calls] = tablesOf(await done());
    const ran = calls!.columns.findIndex((column) => column.id === 'ran');
    const order = (descending: boolean) =>
      sortRows(calls!.rows, { column: ran, descending }).map((row) => row.key + 1);
    expect(order(false)).toEqual([9, 7, 1, 8, 5, 4, 3, 2, 6]);
    expect(order(true)).toEqual([6, 2, 3, 4, 5, 1, 8, 7, 9]);
  });

  it('show a window of long ones', () => {
    expect(rowWindow(30, 0, 300, 26)).toEqual({ from: 0, to: 30 });
    const { from, to } = rowWindow(5000, 2600, 364, 26);
    expect(from).toBe(96);
    expect(to - from).toBeLessThan(30);
    expect(rowPage(250, 9)).toEqual({ from: 200, to: 250 });
  });
});

describe('the plan', () => {
  it('never draws more than a page can carry, and every wave can be reached', async () => {
    const state = reduceAll(await longLog(2000));
    let first = 0;
    const seen: number[] = [];
    for (let guard = 0; guard < 1000 && first < state.waves.size; guard++) {
      const shown = planWindow(state, first, undefined);
      expect(shown.boxes.reduce((sum, box) => sum + box.calls.length, 0)).toBeLessThanOrEqual(60);
      seen.push(...shown.boxes.map((box) => box.wave.index));
      first += shown.boxes.length;
    }
    expect(seen).toEqual(Array.from({ length: state.waves.size }, (_, index) => index));
    const last = state.waves.size - 1;
    const begin = windowFor(state, 0, last);
    expect(planWindow(state, begin, undefined).boxes.map((box) => box.wave.index)).toContain(last);
  });

  it('folds large waves into counts and still shows the selected call', async () => {
    const state = reduceAll(await longLog(400));
    const wave = [...rowsOf(state.waves)].find((one) => one.calls.size > 60)!;
    const call = [...rowsOf(wave.calls)][30]!;
    const [box] = planWindow(state, wave.index, call).boxes;
    expect(box!.calls).toEqual([call]);
    expect(box!.counts.reduce((sum, one) => sum + one.count, 0)).toBe(wave.calls.size);
  });
});

describe('words', () => {
  it('name every state of a run', async () => {
    const events = await logOf();
    const at = (n: number) => reduceAll(events.slice(0, n));
    expect(headline(at(4), 'live', 0)).toMatchObject({ word: 'Planning', rest: '1 of 9' });
    expect(runState(at(4), 'recorded')).toBe('interrupted');
    expect(headline(await done(), 'recorded', 1370)).toMatchObject({ word: 'Done', time: '1.370 s' });
    const planned = events.findIndex((event) => event.type === 'run-started');
    expect(headline(at(planned), 'recorded', 0)).toMatchObject({
      word: 'Planned',
      rest: '9 calls in 3 waves',
    });
  });

  it('describe every event', async () => {
    const said = (await logOf()).map((event) => describeEvent(event));
    expect(said).toContain('call 9 took permit 3');
    expect(said.every((text) => text.length > 0 && !text.includes('undefined'))).toBe(true);
    expect(describeEvent({ type: 'from-the-future', seq: 1, t: 0 })).toBe('an event of a newer version');
  });

  it('fit runs of 5 ms and of 10 minutes', () => {
    expect([duration(0), duration(4.56), duration(290), duration(1370), duration(125_000)]).toEqual([
      '<1 ms',
      '4.6 ms',
      '290 ms',
      '1.370 s',
      '2 min 05 s',
    ]);
    expect([moment(4.56, 5), moment(290, 1370), moment(125_000, 600_000)]).toEqual([
      '4.6 ms',
      '0.290 s',
      '2 min 05 s',
    ]);
    expect([1, 2, 3, 11, 22, 113].map(ordinal)).toEqual(['1st', '2nd', '3rd', '11th', '22nd', '113th']);
    expect(shortened('👩‍💻'.repeat(40), 20)).not.toMatch(/[\uD800-\uDBFF]…$/);
  });
});

describe('find', () => {
  it('looks at number, tool, input and key, and goes round', async () => {
    const state = await done();
    expect([...findCalls(state, 'b.ts')!]).toEqual([3, 7]);
    expect([...findCalls(state, '#7')!]).toEqual([6]);
    expect([...findCalls(state, 'NPM TEST')!]).toEqual([5]);
    expect(findCalls(state, '  ')).toBeUndefined();
    expect(nextOf([3, 7], 7, 1)).toBe(3);
    expect(nextOf([3, 7], undefined, -1)).toBe(7);
    expect(nextOf([], 1, 1)).toBeUndefined();
  });
});
