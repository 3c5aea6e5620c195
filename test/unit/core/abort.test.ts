/** One listener on a signal for all that ask, and none when nobody does any more. */
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { whenAborted } from '../../../src/core/abort.ts';

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

test('all that ask are told once, in order of asking, through one listener', () => {
  const abort = new AbortController();
  const told: number[] = [];
  for (let n = 0; n < 20; n++) whenAborted(abort.signal, () => void told.push(n));
  expect(listeners(abort.signal)).toBe(1);
  abort.abort();
  abort.abort();
  expect(told).toEqual(Array.from({ length: 20 }, (_, n) => n));
  expect(listeners(abort.signal)).toBe(0);
});

test('whoever has stopped asking is not told, even when it stops while others are told', () => {
  const abort = new AbortController();
  const told: string[] = [];
  const forgets: (() => void)[] = [];
  const ask = (who: string, then = () => {}) =>
    forgets.push(
      whenAborted(abort.signal, () => {
        told.push(who);
        then();
      }),
    );
  ask('first', () => forgets[2]!());
  ask('gone');
  ask('stopped by the first');
  ask('last');
  forgets[1]!();
  abort.abort();
  expect(told).toEqual(['first', 'last']);
});

test('the same function twice has two places, and each is given back by itself', () => {
  const abort = new AbortController();
  let times = 0;
  const tell = () => void times++;
  const one = whenAborted(abort.signal, tell);
  whenAborted(abort.signal, tell);
  one();
  one();
  abort.abort();
  expect(times).toBe(1);
});

test('the listener goes with the last that asks, and comes back with the next', () => {
  const abort = new AbortController();
  const told: string[] = [];
  const first = whenAborted(abort.signal, () => void told.push('first'));
  const second = whenAborted(abort.signal, () => void told.push('second'));
  first();
  expect(listeners(abort.signal)).toBe(1);
  second();
  expect(listeners(abort.signal)).toBe(0);
  const third = whenAborted(abort.signal, () => void told.push('third'));
  first(); // once more, and it takes nobody else's place
  second();
  expect(listeners(abort.signal)).toBe(1);
  abort.abort();
  expect(told).toEqual(['third']);
  third();
});

test('two signals do not know of each other', () => {
  const one = new AbortController();
  const other = new AbortController();
  const told: string[] = [];
  whenAborted(one.signal, () => void told.push('one'));
  whenAborted(other.signal, () => void told.push('other'));
  other.abort();
  expect(told).toEqual(['other']);
  expect(listeners(one.signal)).toBe(1);
});
