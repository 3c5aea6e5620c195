/**
 * What dataflow promises, on the real tools: whatever a batch does and however long it takes, its files and results
 * are those of running its calls one after the other.
 *
 * Left out: when a file changed (slowWorkspace.ts), and what an error adds to "does not exist": whether the folder does
 * and which names in it are close, which no tool declares (notFound.ts).
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/core/clock.ts';
import { dispatch } from '../../../src/core/dispatch/dispatch.ts';
import type { WavesEvent } from '../../../src/core/events.ts';
import type { StrategyName, ToolCall, ToolResult } from '../../../src/core/model.ts';
import type { DeclarationProfile } from '../../../src/tools/declarations.ts';
import { seededRandom, spansOf } from './helpers.ts';
import { ROOT, slowWorkspace } from './slowWorkspace.ts';

const INITIAL: Record<string, string | Uint8Array> = {
  'src/a.ts': 'red\ngreen\nblue\n',
  'src/b.ts': 'red\r\ngreen\r\nblue',
  'src/deep/c.ts': 'red red\ngreen\n',
  'docs/d.md': new Uint8Array([0xef, 0xbb, 0xbf, 0x72, 0x65, 0x64, 0x0a]), // a BOM, then "red"
  'notes.txt': 'green\nblue\n',
  'src/.gitignore': '*.md\n',
};
/** Open in an editor with this text, unsaved. */
const UNSAVED = { uri: `${ROOT}/notes.txt`, text: 'green\nred\nblue\n' };

const words = fc.constantFrom('red', 'green', 'blue', 'gold');
const file = fc.constantFrom(
  ...Object.keys(INITIAL),
  './src/a.ts',
  '/w//src/a.ts',
  'src/deep/../b.ts',
  'file:///w/src/deep/c.ts',
  'src/new.ts',
  'fresh/x/y.ts',
);
/** Above, in and beside what is searched; rules of one undo those of another. */
const ignoreFile = fc.constantFrom(
  '.gitignore',
  'src/.gitignore',
  './src/deep/../.gitignore',
  'src/deep/.gitignore',
  'fresh/.gitignore',
  'fresh/x/.gitignore',
);
const ignoreRule = fc.constantFrom(
  'a.ts',
  '!a.ts',
  '*.ts',
  '!c.ts',
  '/src/deep',
  'deep/',
  '/x',
  'fresh',
  '*.md',
);
const folder = fc.constantFrom('.', 'src', 'src/deep', 'docs', 'fresh', 'fresh/x', '/w/src/');

/** Calls that depend on each other: few files, few words, so that one edit makes what the next one looks for. */
const call = fc.oneof(
  { weight: 5, arbitrary: named('edit', { file_path: file, old_string: words, new_string: words }) },
  {
    weight: 2,
    arbitrary: named('edit', {
      file_path: file,
      old_string: words,
      new_string: words.map((word) => `${word} ${word}\n`),
      replace_all: fc.constant(true),
    }),
  },
  {
    weight: 3,
    arbitrary: named('write', {
      file_path: file,
      content: fc.array(words, { maxLength: 3 }).map((lines) => lines.join('\n')),
    }),
  },
  {
    weight: 3,
    arbitrary: named('write', {
      file_path: ignoreFile,
      content: fc.array(ignoreRule, { maxLength: 3 }).map((lines) => lines.join('\n')),
    }),
  },
  {
    weight: 1,
    arbitrary: named('edit', {
      file_path: ignoreFile,
      old_string: fc.constant('ts'),
      new_string: fc.constant('md'),
    }),
  },
  { weight: 4, arbitrary: named('read', { file_path: file }) },
  { weight: 2, arbitrary: named('list', { path: folder }) },
  { weight: 1, arbitrary: named('stat', { path: fc.oneof(folder, file) }) },
  { weight: 2, arbitrary: named('glob', { pattern: fc.constantFrom('**/*.ts', 'deep/*'), path: folder }) },
  {
    weight: 1,
    arbitrary: named('glob', { pattern: fc.constantFrom('**', 'src/*.ts', 'src/deep/*', 'fresh/x/*') }),
  },
  { weight: 2, arbitrary: named('grep', { pattern: words, path: fc.oneof(folder, file) }) },
  { weight: 1, arbitrary: named('grep', { pattern: words }) },
);

function named(name: string, input: Record<string, fc.Arbitrary<unknown>>) {
  return fc.record({ name: fc.constant(name), input: fc.record(input) });
}

/** No call more than four times: the fifth of the same call and result in a row is taken for a loop. */
const batch = fc.array(call, { minLength: 2, maxLength: 14 }).map((all) => {
  const seen = new Map<string, number>();
  const few = all.filter((one) => {
    const count = (seen.get(JSON.stringify(one)) ?? 0) + 1;
    seen.set(JSON.stringify(one), count);
    return count <= 4;
  });
  return few.map((one, index): ToolCall => ({ id: `t${index}`, ...one }));
});

interface How {
  readonly strategy: StrategyName;
  readonly profile: DeclarationProfile;
  readonly maxConcurrency: number;
  readonly seed: number;
}

/** Every byte and every open text after the batch, what each call answered, and which calls overlapped. */
async function run(calls: readonly ToolCall[], { strategy, profile, maxConcurrency, seed }: How) {
  const clock = createVirtualClock();
  const random = seededRandom(seed);
  const { registry, disk, documents } = slowWorkspace(clock, INITIAL, profile, {
    begin: () => Math.floor(random() * 30),
    step: () => Math.floor(random() * 6),
  });
  documents.open(UNSAVED.uri, UNSAVED.text);

  const events: WavesEvent[] = [];
  const results = await clock.runUntil(
    dispatch(calls, registry, {
      strategy,
      maxConcurrency,
      clock,
      onEvent: (event) => void events.push(event),
    }),
  );
  const contents = [...disk.uris()].sort().map((uri) => [uri, disk.bytes(uri)?.join(' ') ?? 'folder']);
  const open = documents.list().map(({ uri, text, unsaved }) => [uri, text, unsaved]);
  return { contents, open, results: results.map(answer), overlaps: overlapsOf(events) };
}

function answer({ toolCallId, content, isError }: ToolResult) {
  const words =
    typeof content === 'string' && isError ? content.replace(/(?<= does not exist)[.,] .*/s, '') : content;
  return { toolCallId, content: words, isError };
}

/** How many pairs of calls ran at the same time. */
function overlapsOf(events: readonly WavesEvent[]): number {
  const spans = [...spansOf(events).values()];
  return spans.reduce(
    (count, one, at) =>
      count + spans.slice(at + 1).filter((other) => one.start < other.end && other.start < one.end).length,
    0,
  );
}

test.each([
  ['dataflow', 'fine-grained'],
  ['dataflow', 'published'],
  ['batches', 'published'],
] as const)(
  '%s with %s declarations leaves the files and gives the results of running one call after the other',
  async (strategy, profile) => {
    let runs = 0;
    let overlapping = 0;
    await fc.assert(
      fc.asyncProperty(
        batch,
        fc.integer({ min: 1, max: 8 }),
        fc.nat(),
        async (calls, maxConcurrency, seed) => {
          const { overlaps, ...one } = await run(calls, { strategy, profile, maxConcurrency, seed });
          const inTurn = await run(calls, {
            strategy: 'sequential',
            profile,
            maxConcurrency: 1,
            seed: seed + 1,
          });
          expect(inTurn.overlaps).toBe(0);
          expect({ ...one, overlaps: 0 }).toEqual(inTurn);
          runs++;
          if (overlaps > 0) overlapping++;
        },
      ),
      { numRuns: 300 },
    );
    expect(overlapping / runs).toBeGreaterThan(0.3); // else nothing was put to the test
  },
  60_000,
);
