import { describe, expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/core/clock.ts';
import { dispatch } from '../../../src/core/dispatch/dispatch.ts';
import type { StrategyName } from '../../../src/core/model.ts';
import { createRegistry } from '../../../src/core/tools.ts';
import type { MemoryNode } from '../../../src/tools/memoryDisk.ts';
import { createMemoryFiles, type MemoryFiles } from '../../../src/tools/memoryFiles.ts';
import { nap } from '../core/helpers.ts';
import { toolsOf } from './workspaces.ts';

type Call = readonly [name: string, input: Record<string, unknown>];

/** What the calls answer when the first is slow to begin, so that all that may overtake it do. */
async function answers(strategy: StrategyName, files: MemoryFiles, batch: readonly Call[]) {
  const clock = createVirtualClock();
  let begun = 0;
  const tools = toolsOf(files, { profile: 'fine-grained' }).tools.map((tool) => ({
    ...tool,
    async run(...args: Parameters<typeof tool.run>) {
      await nap(clock, begun++ === 0 ? 50 : 5);
      return tool.run(...args);
    },
  }));
  const calls = batch.map(([name, input], index) => ({ id: `t${index}`, name, input }));
  const options = { strategy, clock, resolve: files.keyOf };
  const results = await clock.runUntil(dispatch(calls, createRegistry(tools), options));
  return results.map(({ content, isError }) => [content, isError]);
}

const project: Record<string, MemoryNode> = { 'src/in/a.ts': 'red\n', 'src/in/b.ts': 'red\n' };
const ignoring = (file_path: string): Call => ['write', { file_path, content: 'b.ts\n' }];

describe('a search after a write of an ignore file above it', () => {
  test.each<[string, Call, Record<string, MemoryNode>?]>([
    ['grep finds only what is not ignored', ['grep', { pattern: 'red', path: 'src/in' }]],
    ['glob finds only what is not ignored', ['glob', { pattern: '*.ts', path: 'src/in' }]],
    ['glob obeys it too when its pattern names the folder', ['glob', { pattern: 'src/in/*.ts' }]],
    ['list marks what is ignored', ['list', { path: 'src/in' }]],
    ['grep obeys it through a link', ['grep', { pattern: 'red', path: 'ln/in' }], { ln: { link: 'src' } }],
  ])('%s', async (_, search, more) => {
    const initial = { ...project, ...more };
    for (const file of ['.gitignore', 'src/.gitignore', '/w/./src/in/../.gitignore']) {
      const batch = [ignoring(file), search];
      const inTurn = await answers('sequential', createMemoryFiles(initial), batch);
      expect(JSON.stringify(inTurn[1]), file).toMatch(/ignored/);
      expect(await answers('dataflow', createMemoryFiles(initial), batch), file).toEqual(inTurn);
    }
  });
});

test('glob through a link below its path sees what was written where the link leads', async () => {
  const initial: Record<string, MemoryNode> = {
    'lib/a.ts': '',
    'src/x.ts': '',
    'src/ln': { link: '../lib' },
  };
  const batch: Call[] = [
    ['write', { file_path: 'lib/new.ts', content: '' }],
    ['glob', { pattern: 'ln/*.ts', path: 'src' }],
  ];
  const inTurn = await answers('sequential', createMemoryFiles(initial), batch);
  expect(inTurn[1]?.[0]).toContain('src/ln/new.ts');
  expect(await answers('dataflow', createMemoryFiles(initial), batch)).toEqual(inTurn);
});

test('case 18: a new file that was never saved is one file under both of its names', async () => {
  const open = () => {
    const files = createMemoryFiles({ 'src/x.ts': '' });
    files.documents.open('untitled:/w/src/new.ts', 'draft\n');
    return files;
  };
  const batch: Call[] = [
    ['edit', { file_path: 'src/new.ts', old_string: 'draft', new_string: 'final' }],
    ['read', { file_path: 'untitled:/w/src/new.ts' }],
  ];
  const inTurn = await answers('sequential', open(), batch);
  expect(inTurn[1]?.[0]).toContain('1\tfinal');
  expect(await answers('dataflow', open(), batch)).toEqual(inTurn);
});
