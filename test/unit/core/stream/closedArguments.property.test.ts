/**
 * Random objects, written as text in every way that JSON allows, cut at random places. Where each argument closes is
 * known from how the text was put together, not from any parser.
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createClosedArguments } from '../../../../src/core/stream/closedArguments.ts';
import { createInputText } from '../../../../src/core/stream/inputText.ts';

const space = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 }),
);

const hexadecimal = fc
  .oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(0xd83d, 0xde00, 0xfeff, 0xfffd, 0x22, 0x5c))
  .chain((unit) => {
    const digits = unit.toString(16).padStart(4, '0');
    return fc.constantFrom(`\\u${digits}`, `\\u${digits.toUpperCase()}`);
  });
/** A character of a string, as it is written; halves of surrogate pairs included. */
const character = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', ' ', '{', '}', '[', ']', ',', ':', '1', 'é', '漢', '\u007f') },
  fc.constantFrom('\\"', '\\\\', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t'),
  fc.constantFrom('😀', '\ud83d', '\ude00', '\ufeff', '\ufffd', '\u2028'),
  hexadecimal,
);
const string = fc.array(character, { maxLength: 24 }).map((all) => `"${all.join('')}"`);

const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 20 });
const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(
      fc.constant('0'),
      fc.tuple(fc.constantFrom(...'123456789'), digits).map(([a, b]) => a + b),
    ),
    fc.oneof(
      fc.constant(''),
      digits.map((all) => `.${all}`),
    ),
    fc.oneof(
      fc.constant(''),
      fc
        .tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), fc.nat(400))
        .map((all) => all.join('')),
    ),
  )
  .map((all) => all.join(''));

const name = fc.oneof(
  string,
  fc.constantFrom('"a"', '"b"', '"__proto__"', '"constructor"', '"\\u0061"', '"length"', '"0"', '""'),
);
const padded = (inner: fc.Arbitrary<string>) => fc.tuple(space, inner, space).map((all) => all.join(''));
const { value } = fc.letrec<{ value: string; pair: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(string, number, fc.constantFrom('true', 'false', 'null')),
    fc.array(padded(tie('value')), { maxLength: 3 }).map((all) => `[${all.join()}]`),
    fc.array(tie('pair'), { maxLength: 3 }).map((all) => `{${all.join()}}`),
  ),
  pair: fc.tuple(padded(name), padded(tie('value'))).map((all) => all.join(':')),
}));

interface Written {
  readonly text: string;
  /** The arguments in the order of the text, each with the length of text that it takes to know it. */
  readonly args: readonly { readonly name: string; readonly value: unknown; readonly knownAt: number }[];
  /** The length of text at which the object is closed. */
  readonly endedAt: number;
}

const written: fc.Arbitrary<Written> = fc
  .record({
    before: space,
    members: fc.array(fc.tuple(space, name, space, space, value, space), { maxLength: 6 }),
    inside: space,
    behind: space,
  })
  .map(({ before, members, inside, behind }) => {
    const args: Written['args'][number][] = [];
    let text = `${before}{${members.length === 0 ? inside : ''}`;
    for (const [index, [first, name, second, third, value, last]] of members.entries()) {
      text += `${index > 0 ? ',' : ''}${first}${name}${second}:${third}${value}`;
      const knownAt = text.length + (/\d$/.test(value) ? 1 : 0);
      args.push({ name: JSON.parse(name), value: JSON.parse(value), knownAt });
      text += last;
    }
    text += '}';
    return { text: text + behind, args, endedAt: text.length };
  });

/** Where to cut, as shares of the length, so that a smaller text is cut alike. */
const borders = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });

function cut(text: string, shares: readonly number[]): string[] {
  const places = [0, ...shares.map((share) => Math.round(share * text.length)).sort((a, b) => a - b)];
  return places.map((place, index) => text.slice(place, places[index + 1]));
}

function closeOf(pieces: readonly string[]) {
  const input = createInputText();
  for (const piece of pieces) input.add(piece);
  return input.close();
}

/** Each unit is a piece of its own now and then, which cuts everywhere at once. */
const pieces = fc.record({
  given: written,
  cutUp: fc.oneof(
    borders.map((shares) => (text: string) => cut(text, shares)),
    fc.constant((text: string) => text.split('')),
  ),
});

test('an argument is known from the piece on that holds its closing token, as JSON.parse gives it', () => {
  fc.assert(
    fc.property(pieces, ({ given: { text, args, endedAt }, cutUp }) => {
      const closed = createClosedArguments();
      let length = 0;
      for (const piece of cutUp(text)) {
        closed.add(piece);
        length += piece.length;
        const known = new Map<string, unknown>();
        for (const { name, value, knownAt } of args) if (knownAt <= length) known.set(name, value);
        if (!isDeepStrictEqual(closed.known, known)) expect(closed.known).toEqual(known);
        const state = length < endedAt ? 'open' : 'ended';
        if (closed.state !== state) expect(closed.state).toBe(state);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('whatever was known last is what JSON.parse makes of the whole, and so is the input', () => {
  fc.assert(
    fc.property(pieces, ({ given: { text }, cutUp }) => {
      const whole = JSON.parse(text);
      const closed = createClosedArguments();
      for (const piece of cutUp(text)) closed.add(piece);
      expect(isDeepStrictEqual(closed.known, new Map(Object.entries(whole)))).toBe(true);
      expect(isDeepStrictEqual(closeOf(cutUp(text)), { input: whole })).toBe(true);
    }),
    { numRuns: 1_500 },
  );
});

test('every beginning of an object is open, and an input that is cut off', () => {
  fc.assert(
    fc.property(pieces, fc.double({ min: 0, max: 1, noNaN: true }), ({ given, cutUp }, share) => {
      const text = given.text.slice(0, Math.floor(share * (given.endedAt - 1)));
      const closed = createClosedArguments();
      for (const piece of cutUp(text)) closed.add(piece);
      expect(closed.state).toBe('open');
      const result = closeOf(cutUp(text));
      if (text.trim() === '') expect(result).toEqual({ input: {} });
      else expect(result).toEqual({ input: text, inputError: expect.stringContaining('was cut off') });
    }),
    { numRuns: 1_500 },
  );
});

/** Replaces `removed` units at a place by others: a change, an insertion or a deletion. */
const changes = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.nat(2),
    put: fc.oneof(
      fc.constantFrom('', '"', '\\', '{', '}', '[', ']', ',', ':', '0', '-', '.', 'e', 't', 'null', '\n'),
      fc.constantFrom('\ud83d', '\ude00', '\ufeff', 'é', '\u00a0', '\\u', '\\"'),
      fc.string({ maxLength: 2 }),
    ),
  }),
  { minLength: 1, maxLength: 3 },
);

test('whatever is done to a text, nothing throws, and JSON.parse decides', () => {
  fc.assert(
    fc.property(pieces, changes, ({ given, cutUp }, all) => {
      let { text } = given;
      for (const { at, removed, put } of all) {
        const place = Math.round(at * text.length);
        text = text.slice(0, place) + put + text.slice(place + removed);
      }
      const closed = createClosedArguments();
      for (const piece of cutUp(text)) {
        const before = closed.state;
        const size = closed.known.size;
        closed.add(piece);
        if (closed.state === 'invalid' && closed.known.size !== size) expect.fail('More became known.');
        if (before === 'invalid' && closed.state !== before) expect.fail('It became valid again.');
      }
      const result = closeOf(cutUp(text));
      const whole = parsed(text);
      if (typeof whole === 'object' && whole !== null && !Array.isArray(whole)) {
        expect(isDeepStrictEqual(result, { input: whole })).toBe(true);
        expect(closed.state).toBe('ended');
        expect(isDeepStrictEqual(closed.known, new Map(Object.entries(whole)))).toBe(true);
      } else if (/^[ \t\n\r]*$/.test(text)) {
        expect(result).toEqual({ input: {} });
      } else {
        expect(result).toEqual({ input: text, inputError: expect.any(String) });
        expect(closed.state).not.toBe('ended');
        expect(result.inputError!.includes('cut off')).toBe(closed.state === 'open');
      }
    }),
    { numRuns: 1_500 },
  );
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
