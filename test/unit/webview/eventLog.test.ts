import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reduceAll } from '../../../src/core/reduce.ts';
import { CHECKPOINT_EVERY, EventLog } from '../../../webview/eventLog.ts';
import { logOf, longLog } from './logs.ts';

describe('the log of the page', () => {
  it('knows the state after any number of events, the same as reducing them', async () => {
    const events = await longLog(120);
    expect(events.length).toBeGreaterThan(3 * CHECKPOINT_EVERY);
    const log = EventLog.of(events);
    const places = fc.array(fc.nat({ max: events.length }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(places, (cursors) => {
        for (const n of cursors) expect(log.stateAt(n)).toEqual(reduceAll(events.slice(0, n)));
      }),
      { numRuns: 40 },
    );
    expect(log.stateAt(events.length)).toBe(log.latest);
  });

  it('is the same whether it came whole, in pieces, doubled or with overlap', async () => {
    const events = await logOf();
    const whole = EventLog.of(events).latest;
    const cuts = fc.array(fc.tuple(fc.nat(events.length), fc.nat(events.length)), { maxLength: 30 });
    fc.assert(
      fc.property(cuts, (pieces) => {
        let log = EventLog.empty;
        for (const [from, length] of pieces)
          log = log.appended(from, events.slice(from, from + length)) ?? log;
        const rest = log.appended(log.length, events.slice(log.length));
        expect(rest?.latest).toEqual(whole);
      }),
      { numRuns: 60 },
    );
  });

  it('takes nothing in when there is a gap before or within what arrived', async () => {
    const events = await logOf();
    const log = EventLog.of(events.slice(0, 10));
    expect(log.appended(12, events.slice(12))).toBeUndefined();
    expect(log.appended(10, [...events.slice(10, 12), ...events.slice(13)])).toBeUndefined();
    expect(log.appended(8, events.slice(8, 10))).toBe(log);
    expect(log.length).toBe(10);
  });

  it('reaches any of several thousand events within a frame', async () => {
    const log = EventLog.of(await longLog(500));
    const spent: number[] = [];
    for (let n = 0; n < 400; n++) {
      const start = performance.now();
      log.stateAt((n * 997) % log.length);
      spent.push(performance.now() - start);
    }
    spent.sort((a, b) => a - b);
    expect(spent[Math.floor(spent.length * 0.95)]).toBeLessThan(16);
  });
});
