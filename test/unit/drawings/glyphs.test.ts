import { expect, test } from 'vitest';
import { LOOKS, type LookName, MARKS } from '../../../webview/glyphs.ts';

const names = Object.keys(LOOKS) as LookName[];
const pairs = names.flatMap((a, index) => names.slice(index + 1).map((b) => [a, b] as const));

test('every pair of states differs in glyph and in outline, so that no two are told apart by colour alone', () => {
  for (const [a, b] of pairs) {
    expect(LOOKS[a].glyph, `${a} and ${b}`).not.toBe(LOOKS[b].glyph);
    expect(LOOKS[a].outline, `${a} and ${b}`).not.toEqual(LOOKS[b].outline);
    expect(LOOKS[a].word, `${a} and ${b}`).not.toBe(LOOKS[b].word);
  }
});

test('glyphs are relative paths, so that many of them can be drawn in one', () => {
  for (const path of [...names.map((name) => LOOKS[name].glyph), ...Object.values(MARKS)])
    expect(path).toMatch(/^m[^A-Z]*$/);
});
