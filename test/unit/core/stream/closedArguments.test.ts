import { JSONParser } from '@streamparser/json';
import { describe, expect, test, vi } from 'vitest';
import { type ClosedArguments, createClosedArguments } from '../../../../src/core/stream/closedArguments.ts';

/** What is known, and the state, after each piece. */
function stepsOf(...pieces: string[]): [Record<string, unknown>, ClosedArguments['state']][] {
  const closed = createClosedArguments();
  return pieces.map((piece) => {
    closed.add(piece);
    return [Object.fromEntries(closed.known), closed.state];
  });
}

/** The text in two pieces at every border, and in three at every two. */
function* cuts(text: string): Generator<string[]> {
  for (let first = 0; first <= text.length; first++) {
    for (let second = first; second <= text.length; second++) {
      yield [text.slice(0, first), text.slice(first, second), text.slice(second)];
    }
  }
}

/** Checks a text cut everywhere: `ends` are the lengths of text at which each argument has just closed. */
function expectEverywhere(text: string, ends: readonly (readonly [number, string, unknown])[]): void {
  for (const pieces of cuts(text)) {
    const closed = createClosedArguments();
    let length = 0;
    for (const piece of pieces) {
      closed.add(piece);
      length += piece.length;
      const known = new Map<string, unknown>();
      for (const [end, name, value] of ends) if (end <= length) known.set(name, value);
      expect([pieces, new Map(closed.known)]).toEqual([pieces, known]);
    }
    expect(closed.state).toBe('ended');
  }
}

describe('case 14: no value counts that may still grow', () => {
  test('case 14: "sr of "src/app.ts" is nothing', () => {
    expect(stepsOf('{"path":"sr', 'c/app.ts"', ',"content":"x"', '}')).toEqual([
      [{}, 'open'],
      [{ path: 'src/app.ts' }, 'open'],
      [{ path: 'src/app.ts', content: 'x' }, 'open'],
      [{ path: 'src/app.ts', content: 'x' }, 'ended'],
    ]);
  });

  test('case 14: 12 of 1234 is nothing, and neither is 1234 until something follows it', () => {
    expect(stepsOf('{"limit":12', '34', ' ', '}')).toEqual([
      [{}, 'open'],
      [{}, 'open'],
      [{ limit: 1234 }, 'open'],
      [{ limit: 1234 }, 'ended'],
    ]);
  });

  test('case 14: of a name given twice the later value counts, from its own closing token on', () => {
    expect(stepsOf('{"path":"a"', ',"path":"', 'b"', '}').map(([known]) => known.path)).toEqual([
      'a',
      'a',
      'b',
      'b',
    ]);
  });

  test('case 14: cut anywhere, an argument is known with its closing token and not before', () => {
    expectEverywhere('{"path":"src/app.ts","n":12.5e1 ,"deep":{"a":[1,{}]},"t":true}', [
      [20, 'path', 'src/app.ts'],
      [32, 'n', 125],
      [52, 'deep', { a: [1, {}] }],
      [61, 't', true],
    ]);
  });

  test('an object without arguments ends', () => {
    expect(stepsOf(' \n', '{', ' ', '}', '\t')).toEqual([
      [{}, 'open'],
      [{}, 'open'],
      [{}, 'open'],
      [{}, 'ended'],
      [{}, 'ended'],
    ]);
  });
});

describe('case 27: characters in several pieces', () => {
  test.each([
    ['escapes', '{"t":"\\ud83d\\ude00\\u00e9"}'],
    ['raw', '{"t":"😀é"}'],
    ['a raw half behind an escaped one', '{"t":"\\ud83d\ude00"}'],
    ['an escaped half behind a raw one', '{"t":"\ud83d\\ude00"}'],
    ['half a pair, escaped', '{"t":"\\ud83d","u":"\\ude00"}'],
    ['half a pair, raw', '{"t":"\ud83d","u":"\ude00"}'],
    ['a replacement character that is meant', '{"t":"\ufffd\\ufffd"}'],
    ['byte order marks, raw and escaped', '{"t":"\ufeffa\\uFEFF\ufeff"}'],
    ['in a name', '{"\\ud83d\ufeff😀":"é","u":{"\ude00":"\\ufeff"}}'],
    ['escaped backslashes in front', '{"t":"\\\\😀\\\\\\"\ud83d"}'],
  ])('case 27: %s, cut anywhere: nothing, or what JSON.parse gives', (_name, text) => {
    const whole: Record<string, unknown> = JSON.parse(text);
    for (const pieces of cuts(text)) {
      const closed = createClosedArguments();
      for (const piece of pieces) {
        closed.add(piece);
        for (const [name, value] of closed.known) expect(value).toEqual(whole[name]);
      }
      expect([...closed.known]).toEqual(Object.entries(whole));
      expect(closed.state).toBe('ended');
    }
  });
});

describe('case 29: what is no JSON is not made up for', () => {
  test.each([
    ['a number without its zero', '{"a":[.5,7],"b":1}'],
    ['text behind the object', '{"a":1} junk'],
    ['a second object', '{"a":1}{"b":2}'],
    ['an array', '['],
    ['a number', ' 12'],
    ['null', 'n'],
    ['a text', '"'],
    ['a byte order mark', '\ufeff{}'],
    ['whitespace that JSON does not know', '\u00a0{}'],
    ['a zero in front', '{"a":01'],
    ['a minus in the middle', '{"a":1-'],
    ['a number and a text', '{"a":1"'],
    ['a letter behind a number', '{"a":1x'],
    ['an unknown escape', '{"a":"\\x'],
    ['an escape of a character beyond ASCII', '{"a":"\\é'],
    ['an escape of half a pair', '{"a":"\\\ud83d'],
    ['a character beyond ASCII among hexadecimal digits', '{"a":"\\u00é'],
    ['half a pair outside strings', '{"a":1,\ud83d'],
    ['half a pair at the end', '{"a":1}\ud83d'],
    ['a line break in a string', '{"a":"\n'],
    ['no name', '{1,'],
    ['no colon', '{"a","b"'],
    ['no comma', '{"a":"b" "c"'],
    ['a comma too many', '{"a":"b",}'],
    ['a bracket of the wrong kind', '{"a":[}'],
  ])('case 29: %s', (_name, text) => {
    for (const pieces of cuts(text)) {
      const closed = createClosedArguments();
      for (const piece of pieces) closed.add(piece);
      expect([pieces, closed.state]).toEqual([pieces, 'invalid']);
      const known = new Map(closed.known);
      for (const piece of ['"', ',"late":1', '}', '{"late":1}']) closed.add(piece);
      expect(closed.state).toBe('invalid');
      expect(closed.known).toEqual(known);
    }
  });

  test('case 29: nothing becomes known by a piece that is found to be wrong', () => {
    expect(stepsOf('{"a":1', 'x')).toEqual([
      [{}, 'open'],
      [{}, 'invalid'],
    ]);
  });

  test('case 29: __proto__ and constructor are names like others, at every depth', () => {
    const text = '{"__proto__":{"__proto__":1,"x":2},"constructor":{"constructor":null},"toString":"t"}';
    for (let at = 0; at <= text.length; at++) {
      const closed = createClosedArguments();
      closed.add(text.slice(0, at));
      closed.add(text.slice(at));
      expect([...closed.known.keys()]).toEqual(['__proto__', 'constructor', 'toString']);
      expect(Object.entries(closed.known.get('__proto__') as object)).toEqual([
        ['__proto__', 1],
        ['x', 2],
      ]);
      expect(Object.entries(closed.known.get('constructor') as object)).toEqual([['constructor', null]]);
    }
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  test.each(['0', '-0', '1E400', '9007199254740993', '0.1e-7', '123456789012345678901234567890'])(
    'case 29: the number %s is that of JSON.parse',
    (number) => {
      expectEverywhere(`{"n":${number}}`, [[6 + number.length, 'n', JSON.parse(number)]]);
    },
  );
});

describe('case 26: the work is linear', () => {
  const content = 'a line of "text"\tand \\ more é😀\n';
  const input = (size: number) =>
    JSON.stringify({ file_path: 'src/a.ts', content: content.repeat(size / content.length), n: [1, 2, 3] });

  function feed(text: string, chunk: number): ClosedArguments {
    const closed = createClosedArguments();
    for (let at = 0; at < text.length; at += chunk) closed.add(text.slice(at, at + chunk));
    return closed;
  }

  test.each([1, 20, 40, 100_000])('case 26: in pieces of %i, nothing is read more than twice', (chunk) => {
    const text = input(50_000);
    const parsed = vi.spyOn(JSON, 'parse');
    const scanned = vi.spyOn(JSONParser.prototype, 'write');
    try {
      expect(feed(text, chunk).known.get('content')).toBeDefined();
      const total = (calls: readonly (readonly [string | Iterable<number>, ...unknown[]])[]) =>
        calls.reduce((sum, [piece]) => sum + (piece as string | Uint8Array).length, 0);
      expect(total(parsed.mock.calls)).toBeLessThanOrEqual(text.length);
      expect(total(scanned.mock.calls)).toBe(text.length);
    } finally {
      parsed.mockRestore();
      scanned.mockRestore();
    }
  });

  const shapes: [string, (size: number) => string][] = [
    ['one long string', input],
    ['whitespace', (size) => `{"a"${' '.repeat(size)}:${' '.repeat(size)}1${' '.repeat(size)}}`],
    ['escapes', (size) => `{"a":"${'\\\\\\"\\u00e9'.repeat(size / 20)}"}`],
    ['many arguments', (size) => `{${'"a":1,"b":"c",'.repeat(size / 20)}"d":[]}`],
    ['many items', (size) => `{"a":[${'{"b":[1,"c"]},'.repeat(size / 20)}0]}`],
    // Deep from the start: somewhere below 40,000 levels the garbage collector takes to moving them.
    ['deep nesting', (size) => `{"a":${'['.repeat(size)}${']'.repeat(size)}}`],
    ['a long number', (size) => `{"a":1${'0'.repeat(size)}}`],
  ];
  test.each(shapes)('case 26: twice as much of %s costs at most 2.5 times as much', (_name, make) => {
    // Twice, and twice again: a step at one size, where memory is moved, counts for less.
    const [small, large] = [make(60_000), make(240_000)];
    const time = (text: string) => {
      const start = performance.now();
      expect(feed(text, 20).state).toBe('ended');
      return performance.now() - start;
    };
    const quickest = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY };
    // Quadratic work stays so however often it is tried; what else the machine does, does not.
    for (let round = 0; round < 20; round++) {
      quickest.small = Math.min(quickest.small, time(small));
      quickest.large = Math.min(quickest.large, time(large));
      if (round >= 4 && quickest.large <= 2.5 ** 2 * quickest.small) break;
    }
    expect(quickest.large / quickest.small).toBeLessThanOrEqual(2.5 ** 2);
  });

  test('case 26: empty pieces cost nothing and change nothing', () => {
    const closed = createClosedArguments();
    for (const piece of ['', '{"a":', '', '1', '', '}', '']) closed.add(piece);
    expect([...closed.known, closed.state]).toEqual([['a', 1], 'ended']);
  });
});
