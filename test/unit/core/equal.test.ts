import fc from 'fast-check';
import { expect, test } from 'vitest';
import { equalJson } from '../../../src/core/equal.ts';

test.each<[unknown, unknown]>([
  [
    { a: 1, b: { c: [1, 2], d: null } },
    { b: { d: null, c: [1, 2] }, a: 1 },
  ],
  [[], []],
  [{}, {}],
  ['x', 'x'],
  [0, -0],
  [null, null],
  [undefined, undefined],
])('%j is %j', (a, b) => {
  expect(equalJson(a, b)).toBe(true);
});

test.each<[unknown, unknown]>([
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ a: 1, b: 2 }, { a: 1 }],
  [{ a: undefined }, { b: undefined }],
  [
    [1, 2],
    [2, 1],
  ],
  [[1], [1, 1]],
  [[], {}],
  [{ 0: 'a' }, ['a']],
  [null, {}],
  [null, undefined],
  ['1', 1],
  [0, false],
  [{ toString: 1 }, {}],
  [JSON.parse('{"__proto__": 1}'), {}],
])('%j is not %j', (a, b) => {
  expect(equalJson(a, b)).toBe(false);
  expect(equalJson(b, a)).toBe(false);
});

test('a value is itself whatever the order of its keys, and another as soon as its text is another', () => {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, one]) => [key, shuffled(one)]),
    );
  };
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return entries.map(([key, one]) => [key, sorted(one)]).concat([['{}', 0]]);
  };
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect(equalJson(a, shuffled(a))).toBe(true);
      const same = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
      expect(equalJson(a, b)).toBe(same);
    }),
    { numRuns: 500 },
  );
});

test('what no JSON can hold is another: a circle, a depth beyond the stack', () => {
  const circle = () => {
    const one: Record<string, unknown> = {};
    one.self = one;
    return one;
  };
  expect(equalJson(circle(), circle())).toBe(false);
  const deep = () => {
    let one: unknown = 0;
    for (let n = 0; n < 100_000; n++) one = [one];
    return one;
  };
  expect(equalJson(deep(), deep())).toBe(false);
});
