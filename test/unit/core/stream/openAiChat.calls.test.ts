/** Which call a piece belongs to, where servers leave out what the format asks for. */
import { describe, expect, test } from 'vitest';
import { createOpenAiChatReader } from '../../../../src/core/stream/openAiChat.ts';
import { readAll, told } from './adapterHelpers.ts';
import { finish, first, item, more, sloppy } from './openAiEvents.ts';

const read = (...events: unknown[]) => told(readAll(createOpenAiChatReader(), events));
const TWO = [
  'open 0 A f',
  '0 + {"c":1}',
  'close 0',
  'open 1 B f',
  '1 + {"c":2}',
  'close 1',
  'end tool_calls',
];
describe('case 28: which call a piece belongs to', () => {
  test('one index for all, ids apart: two calls', () => {
    expect(read(first(0, 'A', 'f', '{"c":1}'), first(0, 'B', 'f', '{"c":2}'), finish('tool_calls'))).toEqual(
      TWO,
    );
    const inPieces = [first(0, 'A', 'f'), more(0, '{"c":1}'), first(0, 'B', 'f'), more(0, '{"c":2}')];
    expect(read(...inPieces, finish('tool_calls'))).toEqual(TWO);
  });

  test('one index for all, ids apart, in turns: the id tells, and what has none goes where the last went', () => {
    expect(
      read(
        sloppy(item(0, 'A', 'f', '{'), item(0, 'B', 'f', '{')),
        sloppy(item(0, 'A', null, '"c"')),
        more(0, ':1}'),
        sloppy(item(0, 'B', null, '"c":2}')),
        finish('tool_calls'),
      ),
    ).toEqual([
      'open 0 A f',
      '0 + {',
      'open 1 B f',
      '1 + {',
      '0 + "c"',
      '0 + :1}',
      'close 0',
      '1 + "c":2}',
      'close 1',
      'end tool_calls',
    ]);
  });

  test.each([
    ['one index for all, no ids', 0],
    ['no index, no ids', null],
  ])('%s: a function named behind a whole object is another call', (_name, index) => {
    const lines = TWO.map((line) => line.replace('0 A', '0 call_1').replace('1 B', '1 call_2'));
    const [one, two] = [item(index, null, 'f', '{"c":1}'), item(index, null, 'f', '{"c":2}')];
    expect(read(sloppy(one), sloppy(two), finish('tool_calls'))).toEqual(lines);
    expect(read(sloppy(one, two), finish('tool_calls'))).toEqual(lines);
    const begin = item(index, null, 'f', '');
    expect(
      read(
        sloppy(begin),
        sloppy(item(index, '', null, '{"c":1}')),
        sloppy(begin),
        sloppy(item(index, '', null, '{"c":2}')),
        finish('tool_calls'),
      ),
    ).toEqual(lines);
  });

  test('the name alone behind a whole object, and nothing more, is no call: some servers repeat it', () => {
    expect(
      read(sloppy(item(0, 'A', 'f', '{}')), sloppy(item(0, 'A', 'f', '')), finish('tool_calls')),
    ).toEqual(['open 0 A f', '0 + {}', 'close 0', 'end tool_calls']);
  });

  test('another function is another call, whatever the index says', () => {
    expect(
      read(sloppy(item(0, null, 'list', '')), sloppy(item(0, null, 'stat', '{}')), finish('tool_calls')),
    ).toEqual(['open 0 call_1 list', 'open 1 call_2 stat', '1 + {}', 'close 0', 'close 1', 'end tool_calls']);
  });

  test('no index, with ids: the id tells', () => {
    expect(
      read(
        sloppy(item(null, 'A', 'f', '{"c"')),
        sloppy(item(null, 'B', 'f', '{"c"')),
        sloppy(item(null, 'A', null, ':1}')),
        sloppy(item(null, 'B', null, ':2}')),
        finish('tool_calls'),
      ),
    ).toEqual([
      'open 0 A f',
      '0 + {"c"',
      'open 1 B f',
      '1 + {"c"',
      '0 + :1}',
      'close 0',
      '1 + :2}',
      'close 1',
      'end tool_calls',
    ]);
  });

  test('id and name repeated in every piece', () => {
    expect(
      read(
        first(0, 'A', 'f', '{"c"'),
        first(0, 'A', 'f', ':1}'),
        first(1, 'B', 'f', ''),
        first(1, 'B', 'f', '{"c":2}'),
        first(1, 'B', 'f', ''),
        finish('tool_calls'),
      ),
    ).toEqual([
      'open 0 A f',
      '0 + {"c"',
      '0 + :1}',
      'close 0',
      'open 1 B f',
      '1 + {"c":2}',
      'close 1',
      'end tool_calls',
    ]);
  });

  test('an id that changes within a call: the first stands', () => {
    expect(
      read(
        first(0, 'A', 'f', ''),
        sloppy(item(0, 'A2', null, '{"c":')),
        sloppy(item(0, 'A2', null, '1}')),
        sloppy(item(0, 'A2', null, '')),
        first(1, 'B', 'f', '{"c":2}'),
        finish('tool_calls'),
      ),
    ).toEqual(['open 0 A f', '0 + {"c":', '0 + 1}', ...TWO.slice(2)]);
  });

  test('an index of its own is a call of its own, though all have one id: the dispatcher judges that', () => {
    expect(read(first(0, 'A', 'f', '{"c":1}'), first(1, 'A', 'f', '{"c":2}'), finish('tool_calls'))).toEqual(
      TWO.map((line) => line.replace('1 B', '1 A')),
    );
  });

  test('ids that are missing, empty or null are made up, and differ from those that the server gave', () => {
    expect(
      read(
        sloppy({ index: 0, id: 'call_1', function: { name: 'f', arguments: '{}' } }),
        sloppy({ index: 1, id: '', function: { name: 'g', arguments: '{}' } }),
        sloppy({ index: 2, id: null, function: { name: 'h', arguments: '{}' } }),
        sloppy({ index: 3, function: { name: 'i', arguments: '{}' } }),
      ).filter((line) => line.startsWith('open')),
    ).toEqual(['open 0 call_1 f', 'open 1 call_2 g', 'open 2 call_3 h', 'open 3 call_4 i']);
  });

  test('an id that comes after the first piece does not open the call again', () => {
    expect(
      read(sloppy(item(0, null, 'f', '{')), sloppy(item(0, 'A', null, '}')), finish('tool_calls')),
    ).toEqual(['open 0 call_1 f', '0 + {', '0 + }', 'close 0', 'end tool_calls']);
  });

  test('an id that comes with the name again, in the middle of the arguments, is that of the call', () => {
    expect(
      read(sloppy(item(0, null, 'f', '{')), sloppy(item(0, 'A', 'f', '}')), finish('tool_calls')),
    ).toEqual(['open 0 call_1 f', '0 + {', '0 + }', 'close 0', 'end tool_calls']);
  });

  test('an id that comes before the call was opened is its id', () => {
    expect(
      read(sloppy(item(0, null, null, '{')), sloppy(item(0, 'A', 'f', '}')), finish('tool_calls')),
    ).toEqual(['open 0 A f', '0 + {', '0 + }', 'close 0', 'end tool_calls']);
  });

  test('another id with more text behind a whole object is another call, though its name is still to come', () => {
    expect(
      read(
        sloppy(item(0, 'A', 'f', '{"c":1}')),
        sloppy(item(0, 'B', null, '{"c":2}')),
        sloppy(item(0, 'B', 'f')),
        finish('tool_calls'),
      ),
    ).toEqual([
      'open 0 A f',
      '0 + {"c":1}',
      'close 0',
      'open 1 B f',
      '1 + {"c":2}',
      'close 1',
      'end tool_calls',
    ]);
  });

  test('a whole object, then one more in the same text, stays one call with text that is no JSON (case 29)', () => {
    expect(read(first(0, 'A', 'f', '{"c":1}{"c":2}'), first(1, 'B', 'f', '{}'), finish('length'))).toEqual([
      'open 0 A f',
      '0 + {"c":1}{"c":2}',
      'open 1 B f',
      '1 + {}',
      'close 1',
      'end length, cut off',
    ]);
  });
});

describe('a call waits for its name', () => {
  test('and the calls behind it wait for their turn', () => {
    expect(
      read(
        sloppy(item(0, 'A', null, '{"c":')),
        sloppy(item(1, 'B', 'g', '{}')),
        sloppy(item(0, null, '', '1}')),
        sloppy(item(0, null, 'f')),
        finish('tool_calls'),
      ),
    ).toEqual([
      'open 0 A f',
      '0 + {"c":',
      '0 + 1}',
      'close 0',
      'open 1 B g',
      '1 + {}',
      'close 1',
      'end tool_calls',
    ]);
  });

  test('until the message ends: then it is a call without a name', () => {
    expect(read(sloppy(item(0, 'A', null, '{}')), finish('tool_calls'))).toEqual([
      'open 0 A',
      '0 + {}',
      'close 0',
      'end tool_calls',
    ]);
  });

  test('what says nothing at all is no call', () => {
    expect(read(sloppy({ index: 0 }, {}, item(1, '', '', ' ')), finish('stop'))).toEqual(['end stop']);
  });
});
