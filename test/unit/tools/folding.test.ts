import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldLoosely, foldName, otherSpelling, type Trait, varies } from '../../../src/tools/folding.ts';

const sets: ReadonlySet<Trait>[] = [
  new Set(),
  new Set(['case']),
  new Set(['form']),
  new Set(['case', 'form']),
];
const [none, ofCase, ofForm, ofBoth] = sets as [Set<Trait>, Set<Trait>, Set<Trait>, Set<Trait>];

/** Every character that has another spelling, and that a name can hold. */
function* characters(): Generator<string> {
  for (let code = 0x21; code <= 0x2fa1f; code++) {
    const one = String.fromCodePoint(code);
    const others = [one.toUpperCase(), one.toLowerCase(), one.normalize('NFC'), one.normalize('NFD')];
    if (others.some((other) => other !== one)) yield one;
  }
}

describe('case 3: the folding of names', () => {
  test('is stable and holds for all spellings of every character', () => {
    const wrong: string[] = [];
    for (const one of characters()) {
      const upper = one.toUpperCase();
      const lower = one.toLowerCase();
      for (const ignored of [ofCase, ofBoth]) {
        const folded = foldName(one, ignored);
        const same = [folded, upper, lower].every((other) => foldName(other, ignored) === folded);
        if (!same || folded.includes('/')) wrong.push(one);
      }
      const forms = [one.normalize('NFC'), one.normalize('NFD')];
      for (const ignored of [ofForm, ofBoth]) {
        const folded = foldName(one, ignored);
        if ([folded, ...forms].some((other) => foldName(other, ignored) !== folded)) wrong.push(one);
      }
      const folds = { case: foldName(one, ofCase) !== one, form: foldName(one, ofForm) !== one };
      if ((folds.case && !varies(one, 'case')) || (folds.form && !varies(one, 'form'))) wrong.push(one);
    }
    expect(wrong.map((one) => one.codePointAt(0)?.toString(16))).toEqual([]);
  });

  test('is stable for names of several characters', () => {
    const name = fc.string({
      unit: fc.constantFrom(...'aAßẞſİıIiςσΣéÉǰŉ\u0345\u0301\u0307\u0323ᾳΐkK.'),
      maxLength: 8,
    });
    fc.assert(
      fc.property(name, fc.constantFrom(...sets), (one, ignored) => {
        const folded = foldName(one, ignored);
        expect(foldName(folded, ignored)).toBe(folded);
        if (ignored.has('form')) expect(foldName(one.normalize('NFD'), ignored)).toBe(folded);
        // An iota below turns into a letter of its own, and marks behind it then belong to that one.
        if (!ignored.has('case') || /[\u0345ᾳ]/.test(one)) return;
        expect(foldName(one.toUpperCase(), ignored)).toBe(folded);
        expect(foldName(one.toLowerCase(), ignored)).toBe(folded);
      }),
    );
  });

  test('merges in doubt, and the two traits are independent', () => {
    for (const [one, other] of ['Straße STRASSE', 'ΑΣ ας', 'ſ S', 'ı I', 'İ i\u0307', 'K k'].map((pair) =>
      pair.split(' '),
    )) {
      expect(foldName(one ?? '', ofCase), one).toBe(foldName(other ?? '', ofCase));
    }
    expect(foldName('\u00c9', ofCase)).toBe('\u00e9');
    expect(foldName('E\u0301', ofCase)).toBe('e\u0301');
    expect(foldName('E\u0301', ofForm)).toBe('\u00c9');
    expect(foldLoosely('E\u0301')).toBe('\u00e9');
    expect(foldName('E\u0301', none)).toBe('E\u0301');
  });

  test('a name tells by another spelling of itself, or tells nothing', () => {
    expect(otherSpelling('Read.me1', 'case')).toBe('rEAD.ME1');
    expect(['1.2', 'é', ''].map((name) => otherSpelling(name, 'case'))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(otherSpelling('\u00e9.ts', 'form')).toBe('e\u0301.ts');
    expect(otherSpelling('e\u0301.ts', 'form')).toBe('\u00e9.ts');
    expect(otherSpelling('e.ts', 'form')).toBeUndefined();
    expect([varies('1.2', 'case'), varies('é', 'case'), varies('a.ts', 'form')]).toEqual([
      false,
      true,
      false,
    ]);
  });
});
