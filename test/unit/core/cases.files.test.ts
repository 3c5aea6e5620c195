/** Cases 1, 10 and 49, and our own on bytes, with the real tools on real files. */
import { statSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { dispatch } from '../../../src/core/dispatch/dispatch.ts';
import type { ToolCall } from '../../../src/core/model.ts';
import { STRATEGY_NAMES } from '../../../src/core/plan/strategies.ts';
import { createRegistry } from '../../../src/core/tools.ts';
import { openWorkspace, toolsOf } from '../tools/workspaces.ts';
import { dispatched, ofType } from './helpers.ts';
import { ROOT, type SlowWorkspace, slowWorkspace } from './slowWorkspace.ts';

const TEXT = 'one\ntwo\nthree\n';
const call = (id: string, name: string, input: object): ToolCall => ({ id, name, input });
const edit = (id: string, file_path: string, old_string: string, new_string: string) =>
  call(id, 'edit', { file_path, old_string, new_string });

describe('case 1: two edits of one file in one message both stand', () => {
  const edits = [edit('t1', 'n.txt', 'one', 'ONE'), edit('t2', './n.txt', 'three', 'THREE')];
  const read = call('r', 'read', { file_path: 'n.txt' });

  /** On a disk whose every step takes a millisecond, with a watcher that looks as often. */
  async function run(batch: ToolCall[], strategy: (typeof STRATEGY_NAMES)[number]) {
    let workspace: SlowWorkspace | undefined;
    const lengths = new Set<number>();
    const outcome = await dispatched(
      batch,
      (clock) => {
        const opened = slowWorkspace(clock, { 'n.txt': TEXT }, 'fine-grained');
        const look = () => {
          lengths.add(opened.disk.bytes(`${ROOT}/n.txt`)?.length ?? 0);
          if (clock.now() < 200) clock.after(0.5, look);
        };
        look();
        workspace = opened;
        return opened.registry;
      },
      { strategy },
    );
    return { ...outcome, text: workspace?.text('n.txt'), lengths: [...lengths] };
  }

  // `batches` ignores keys and starts both at once; there the tools' own lock keeps both.
  test.each(STRATEGY_NAMES)('case 1: %s, and nobody ever sees a shorter file', async (strategy) => {
    const { results, text, lengths } = await run(edits, strategy);
    expect(text).toBe('ONE\ntwo\nTHREE\n');
    expect(results.map(({ toolCallId, isError }) => [toolCallId, isError])).toEqual([
      ['t1', false],
      ['t2', false],
    ]);
    expect(lengths).toEqual([TEXT.length]);
  });

  test.each(['sequential', 'first-fit', 'dataflow'] as const)(
    'case 1: under %s a read between them shows the first edit and not the second',
    async (strategy) => {
      const { results, text } = await run([edits[0]!, read, edits[1]!], strategy);
      expect(results.map(({ isError }) => isError)).toEqual([false, false, false]);
      expect(results[1]!.content).toBe('1\tONE\n2\ttwo\n3\tthree');
      expect(text).toBe('ONE\ntwo\nTHREE\n');
    },
  );

  test.each(STRATEGY_NAMES)(
    'case 1: %s on the local disk, edits that make the file longer',
    async (strategy) => {
      await using workspace = openWorkspace('local disk', { 'n.txt': TEXT });
      const path = fileURLToPath(workspace.uri('n.txt'));
      const registry = createRegistry(toolsOf(workspace.files, { profile: 'fine-grained' }).tools);
      let done = false;
      const running = dispatch(
        [edit('t1', 'n.txt', 'one', 'ONE and more'), edit('t2', 'n.txt', 'three', 'THREE and more')],
        registry,
        { strategy },
      ).finally(() => {
        done = true;
      });
      let shortest = TEXT.length;
      while (!done) {
        shortest = Math.min(shortest, statSync(path).size);
        await turn();
      }
      expect((await running).every(({ isError }) => !isError)).toBe(true);
      expect(workspace.text('n.txt')).toBe('ONE and more\ntwo\nTHREE and more\n');
      expect(shortest).toBe(TEXT.length);
    },
  );
});

test.each(STRATEGY_NAMES)(
  'case 10: a grep without a match beside three reads is no error under %s',
  async (strategy) => {
    const batch = [
      call('t1', 'grep', { pattern: 'nowhere' }),
      ...['a', 'b', 'c'].map((name) => call(name, 'read', { file_path: `${name}.txt` })),
    ];
    const { results } = await dispatched(
      batch,
      (clock) => slowWorkspace(clock, { 'a.txt': 'A', 'b.txt': 'B', 'c.txt': 'C' }, 'published').registry,
      { strategy },
    );
    expect(results.map(({ toolCallId, isError }) => [toolCallId, isError])).toEqual([
      ['t1', false],
      ['a', false],
      ['b', false],
      ['c', false],
    ]);
    expect(results.slice(1).map(({ content }) => content)).toEqual(['1\tA', '1\tB', '1\tC']);
  },
);

test.each(STRATEGY_NAMES)(
  'case 49: an unknown tool between two others gets its own answer under %s',
  async (strategy) => {
    const batch = [
      call('t1', 'read', { file_path: 'a.txt' }),
      call('t2', 'raed', { file_path: 'a.txt' }),
      call('t3', 'glob', { pattern: '*.txt' }),
    ];
    const { results, events } = await dispatched(
      batch,
      (clock) => slowWorkspace(clock, { 'a.txt': 'A' }, 'published').registry,
      { strategy },
    );
    expect(results.map(({ toolCallId, content, isError }) => [toolCallId, content, isError])).toEqual([
      ['t1', '1\tA', false],
      [
        't2',
        'Unknown tool "raed". Did you mean "read"? Known tools: read, list, stat, glob, grep, edit, write.',
        true,
      ],
      ['t3', 'a.txt', false],
    ]);
    expect(ofType(events, 'call-started').map(({ call: index }) => index)).toEqual([0, 2]);
  },
);

describe('own case: bytes that nobody asked to change stay', () => {
  test.each(STRATEGY_NAMES)(
    'own case: no last newline is added, and blanks at the end are kept, under %s',
    async (strategy) => {
      let workspace: SlowWorkspace | undefined;
      const { results } = await dispatched(
        [
          edit('t1', 'f.txt', 'b', 'B'),
          edit('t2', 'f.txt', 'c', 'C'),
          call('t3', 'write', { file_path: 'new.txt', content: 'x\n \t  ' }),
          call('t4', 'write', { file_path: 'old.txt', content: 'y\r\n\n  ' }),
        ],
        (clock) => {
          workspace = slowWorkspace(clock, { 'f.txt': 'a\nb\nc', 'old.txt': 'old\n' }, 'fine-grained');
          return workspace.registry;
        },
        { strategy },
      );
      expect(results.every(({ isError }) => !isError)).toBe(true);
      expect(workspace!.text('f.txt')).toBe('a\nB\nC');
      expect(workspace!.text('new.txt')).toBe('x\n \t  ');
      expect(workspace!.text('old.txt')).toBe('y\r\n\n  ');
    },
  );
});
