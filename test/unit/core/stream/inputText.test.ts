import { describe, expect, test } from 'vitest';
import { createInputText } from '../../../../src/core/stream/inputText.ts';

const CUT_OFF =
  'The input was cut off before it was complete, so the call was not run. Call again with the whole input; where it is long, in smaller parts.';

const closeOf = (...pieces: string[]) => {
  const text = createInputText();
  for (const piece of pieces) text.add(piece);
  return text.close();
};

/** The sentence for a text that is no JSON, with the reason in the words of the engine that runs this. */
function notValid(text: string): string {
  try {
    JSON.parse(text);
  } catch (error) {
    return `The input is not valid JSON (${(error as Error).message}), so the call was not run. Call again with the input as one JSON object.`;
  }
  throw new Error('This is valid JSON.');
}

describe('case 13: what an empty input is', () => {
  test.each([[[]], [['']], [['', '']], [[' ']], [['\n', '\t ', '', '\r']]])(
    'case 13: %j is a call without arguments',
    (pieces) => {
      const text = createInputText();
      for (const piece of pieces) text.add(piece);
      expect(text.isBlank).toBe(true);
      expect(text.close()).toEqual({ input: {} });
    },
  );

  test('case 13: a call that never closed is no call without arguments', () => {
    expect(createInputText().cutOff()).toEqual({ input: '', inputError: CUT_OFF });
  });

  test.each([
    ['null', 'null'],
    ['[]', 'an array'],
    ['12', 'a number'],
    ['"x"', 'a string'],
    ['true', 'a boolean'],
  ])('case 13: %s is no object, and the error says what it is', (text, kind) => {
    for (let at = 0; at <= text.length; at++) {
      expect(closeOf(text.slice(0, at), text.slice(at))).toEqual({
        input: text,
        inputError: `The input must be an object, not ${kind}.`,
      });
    }
  });

  test.each(['{', '\u00a0', '\ufeff', '0'])('%j is not blank, and does not become so again', (piece) => {
    const text = createInputText();
    text.add(piece);
    text.add(' ');
    expect(text.isBlank).toBe(false);
  });
});

describe('case 12: an input that was cut off is never taken for a whole one', () => {
  const texts = [
    '{"path":"a.md","content":"abc"}',
    ' {"a":[1.5e+3,true,null,{"b":"\\u00e9\\n"}],"n":-0} ',
    '{"t":"\\ud83d\\ude00😀"}',
  ];
  test.each(texts)('case 12: %s, cut at every place before its end', (text) => {
    const start = text.indexOf('{') + 1;
    for (let at = start; at < text.trimEnd().length; at++) {
      expect(closeOf(text.slice(0, at))).toEqual({ input: text.slice(0, at), inputError: CUT_OFF });
    }
    expect(closeOf(text)).toEqual({ input: JSON.parse(text) });
  });

  test('case 12: where the call never closed, a text that looks complete does not count either', () => {
    for (const whole of ['{"path":"a.md"}', '{} junk', 'null']) {
      const text = createInputText();
      text.add(whole);
      expect(text.cutOff()).toEqual({ input: whole, inputError: CUT_OFF });
    }
  });
});

describe('case 29: the input is parsed strictly in the end', () => {
  test.each([
    '{"a":[.5,7],"b":1}',
    '{"a":1} junk',
    '{"a":1}{"b":2}',
    '\ufeff{}',
    '{"a":1,}',
    "{'a':1}",
    '{"a":01}',
    '{"a":"\n"}',
    'junk',
    '[1,',
  ])('case 29: %j is not valid, and nothing of it is used', (text) => {
    for (let at = 0; at <= text.length; at++) {
      expect(closeOf(text.slice(0, at), text.slice(at))).toEqual({ input: text, inputError: notValid(text) });
    }
  });

  test('case 29: __proto__ is an argument, and the last of two values of one name counts', () => {
    const { input } = closeOf('{"__proto__":{"x":1},"a":1,', '"a":2}');
    expect(Object.entries(input as object)).toEqual([
      ['__proto__', { x: 1 }],
      ['a', 2],
    ]);
  });

  test('case 14: of a path given twice the later one is the input', () => {
    expect(closeOf('{"path":"a"', ',"path":"b"}')).toEqual({ input: { path: 'b' } });
  });
});

test('case 27: characters cut anywhere come out whole', () => {
  const text = '{"t":"\\ud83d\\ude00\\u00e9😀é\ufeff"}';
  for (let first = 0; first <= text.length; first++) {
    for (let second = first; second <= text.length; second++) {
      const pieces = [text.slice(0, first), text.slice(first, second), text.slice(second)];
      expect(closeOf(...pieces)).toEqual({ input: JSON.parse(text) });
    }
  }
});

test('case 26: the text is joined once, at the end', () => {
  const text = JSON.stringify({ content: 'a line of "text"\n'.repeat(60_000) });
  const input = createInputText();
  for (let at = 0; at < text.length; at += 20) input.add(text.slice(at, at + 20));
  expect(input.close()).toEqual({ input: JSON.parse(text) });
});
