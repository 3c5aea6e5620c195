import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeUnicode } from '../../../src/tools/encoding.ts';
import { cutAround, cutEnd } from '../../../src/tools/lines.ts';
import { applyEdits, findReplacements, lineDifference } from '../../../src/tools/text.ts';
import { openWorkspace, toolsOf } from './workspaces.ts';

const piece = fc.oneof(
  fc.constantFrom('\n', '\r\n', '\r', ' ', '  ', '$&', '“', '–', 'é', 'e\u0301', '😀', '\t', 'old'),
  fc.string({ maxLength: 4, unit: 'grapheme' }).filter((one) => !one.includes('\0')),
);
const anyText = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
const format = fc.constantFrom(
  { encoding: 'utf8', bom: false },
  { encoding: 'utf8', bom: true },
  { encoding: 'utf16le', bom: true },
  { encoding: 'utf16be', bom: true },
);

for (const kind of ['memory', 'local disk'] as const) {
  test(`cases 20, 21, 44: an edit anywhere leaves all other bytes equal, on ${kind}`, async () => {
    await using ws = openWorkspace(kind);
    const property = fc.asyncProperty(
      anyText,
      anyText,
      anyText,
      format,
      fc.boolean(),
      async (before, after, put, as, open) => {
        // Marks that occur nowhere else; the text between them is replaced.
        const old = 'QX\nXQ';
        const inFile = before.includes('\r\n') ? 'QX\r\nXQ' : old;
        const stored = `${before}${inFile}${after}`;
        const bytes = encodeUnicode({ ...as, text: stored })!;
        ws.put('f.txt', bytes);
        if (open) ws.documents.open(ws.uri('f.txt'));
        const plain = put.replaceAll('\r', '');
        await toolsOf(ws.files).run('edit', { file_path: 'f.txt', old_string: old, new_string: plain });
        ws.documents.close(ws.uri('f.txt'));
        const now = ws.bytes('f.txt')!;
        const head = encodeUnicode({ ...as, text: before })!;
        const tail = encodeUnicode({ ...as, bom: false, text: after })!;
        expect(now.subarray(0, head.length)).toEqual(head);
        expect(now.subarray(now.length - tail.length)).toEqual(tail);
        const middle = now.subarray(head.length, now.length - tail.length);
        const lf = encodeUnicode({ ...as, bom: false, text: plain })!;
        const first = encodeUnicode({ ...as, bom: false, text: plain.replaceAll('\n', '\r\n') })!;
        expect(
          [lf, first].some(
            (one) => one.length === middle.length && one.every((byte, i) => byte === middle[i]),
          ),
        ).toBe(true);
      },
    );
    await fc.assert(property, { numRuns: kind === 'memory' ? 500 : 100 });
  });
}

test('case 22: a replacement is literal wherever it stands', () => {
  fc.assert(
    fc.property(anyText, fc.string(), anyText, (before, text, after) => {
      fc.pre(!text.includes('\n') && text !== 'QXQ');
      const all = `${before}QXQ${after}`;
      expect(applyEdits(all, findReplacements(all, 'QXQ', text, false))).toBe(before + text + after);
    }),
  );
});

test('the line difference of two texts makes the one of the other', () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, anyText, (a, b, c, d) => {
      const before = `${a}${b}${c}`;
      const after = `${a}${d}${c}`;
      const edit = lineDifference(before, after);
      expect(edit === undefined ? before : applyEdits(before, [edit])).toBe(after);
    }),
    { numRuns: 2000 },
  );
});

test('case 42: a cut never makes half a character', () => {
  const halves = /\p{Surrogate}/u;
  fc.assert(
    fc.property(
      anyText,
      fc.nat(60),
      fc.nat(20),
      fc.integer({ min: 1, max: 30 }),
      (text, start, length, max) => {
        const at = Math.min(start, text.length);
        expect(cutAround(text, at, Math.min(text.length, at + length), max)).not.toMatch(halves);
        expect(cutEnd(text, max)).not.toMatch(halves);
      },
    ),
    { numRuns: 2000 },
  );
});
