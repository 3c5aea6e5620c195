import { describe, expect, test } from 'vitest';
import type { Access } from '../../../src/core/model.ts';
import { covers } from '../../../src/core/resources.ts';
import type { Tool } from '../../../src/core/tools.ts';
import type { MemoryNode } from '../../../src/tools/memoryDisk.ts';
import { createMemoryFiles, type MemoryFilesOptions } from '../../../src/tools/memoryFiles.ts';
import type { Files } from '../../../src/tools/ports.ts';
import { kinds, openWorkspace, toolsOf } from './workspaces.ts';

const nodes: Record<string, MemoryNode> = {
  '.gitignore': '*.log\n',
  'Src/.gitignore': '!keep.log\n',
  'Src/In/a.ts': 'red\n',
  'Src/In/x.log': 'red\n',
  'Docs/d.md': 'red\n',
  'Docs/.gitignore': { link: '/elsewhere/.gitignore' },
  ln: { link: 'Src' },
  'Docs/up': { link: '../Src/In' },
  'Docs/file': { link: '../Src/In/a.ts' },
  later: { link: 'Docs/deep/new.md' },
};

/** By every way that leads there: links, spellings, places that do not exist yet. */
const paths = [
  '.',
  'Src',
  'Src/In/',
  'Src/In/a.ts',
  'ln/In',
  'ln/./In//a.ts',
  'Docs/up',
  'Docs/up/../d.md',
  'Docs/file',
  'Docs/deep/new.md',
  'later',
  'ln/new/er.ts',
  '/w/Src/In',
  'file:///w/ln/In/a.ts',
  'untitled:/w/Src/new.ts',
  'SRC/in',
  'LN/IN/A.TS',
  '/W/src/iN',
  'src/NEW.ts',
];

const inputs: Record<string, (path: string) => Record<string, unknown>[]> = {
  read: (path) => [{ file_path: path }],
  stat: (path) => [{ path }],
  list: (path) => [{ path }, {}],
  glob: (path) => [
    { pattern: '**', path },
    { pattern: 'In/*.ts', path },
    { pattern: 'up/*.ts', path },
    { pattern: `${path.replace(/\/$/, '')}/*` },
  ],
  grep: (path) => [{ pattern: 'red', path }, { pattern: 'red' }],
  edit: (path) => [{ file_path: path, old_string: 'red', new_string: 'gold' }],
  write: (path) => [{ file_path: path, content: 'red\n' }],
};

/** What one call declared, resolved, and what it then reported. A call that cannot be declared is unsafe: undefined. */
async function accessesOf(files: Files, name: string, input: Record<string, unknown>) {
  const tools = toolsOf(files, { profile: 'fine-grained' });
  const declared = declaredBy(tools.tool(name), input);
  const resolved =
    declared &&
    (await Promise.all(
      declared.map(async ({ resource, mode }) => ({ resource: await files.keyOf(resource), mode })),
    ));
  const failure = await tools.run(name, input).then(
    () => undefined,
    (error: Error) => error,
  );
  if (failure !== undefined && failure.name !== 'ToolError') throw failure;
  return { declared: resolved, reported: tools.accesses, failed: failure !== undefined };
}

function declaredBy(tool: Tool, input: Record<string, unknown>): readonly Access[] | undefined {
  try {
    return tool.accesses?.(input) ?? [];
  } catch {
    return undefined;
  }
}

const twoFolders = [
  { name: 'w', uri: 'file:///w' },
  { name: 'In', uri: 'file:///w/Src/In' },
];

describe.each<[string, MemoryFilesOptions]>([
  ['with links', {}],
  ['that ignores case', { ignoresCase: true }],
  ['with a volume in it that ignores case', { mounts: { 'file:///w/Src': { ignoresCase: true } } }],
  ['of two folders, one in the other', { roots: twoFolders }],
  ['of two folders that ignores case', { roots: twoFolders, ignoresCase: true }],
])('on a workspace %s', (_, options) => {
  test.each(Object.keys(inputs))(
    'what %s touches lies within what it declared, and is told once',
    async (name) => {
      let fine = 0;
      for (const path of paths) {
        for (const input of inputs[name]?.(path) ?? []) {
          const files = createMemoryFiles(nodes, options);
          files.documents.open('untitled:/w/Src/new.ts', 'red\n');
          const { declared, reported, failed } = await accessesOf(files, name, input);
          if (!failed) fine++;
          if (!failed) expect(reported.length, JSON.stringify(input)).toBeGreaterThan(0);
          expect(new Set(reported.map(({ resource }) => resource)).size).toBe(reported.length);
          if (declared === undefined) continue;
          for (const access of reported) {
            const covering = declared.filter(
              ({ resource, mode }) =>
                covers(resource, access.resource) && (mode === 'write' || access.mode === 'read'),
            );
            const what = `${JSON.stringify(input)} touched ${access.resource}, declared ${JSON.stringify(declared)}`;
            expect(covering.length, what).toBeGreaterThan(0);
          }
        }
      }
      expect(fine).toBeGreaterThan(4); // else little was put to the test
    },
  );
});

describe.each(kinds)('on %s', (kind) => {
  test('a search tells which ignore files above it count, existing or not, but not what a link leads to', async () => {
    await using ws = openWorkspace(kind, { 'a/b/c/f.txt': 'x', 'a/.gitignore': '', 'a/b/.gitignore': '' });
    ws.put('.gitignore', { link: '../outside' });
    const read = (...places: string[]) =>
      places.map((place) => ({ resource: ws.uri(place), mode: 'read' as const }));
    for (const [name, input] of [
      ['grep', { pattern: 'x', path: 'a/b/c' }],
      ['glob', { pattern: 'b/c/*', path: 'a' }],
      ['list', { path: 'a/b/c' }],
    ] as const) {
      const tools = toolsOf(ws.files);
      await tools.run(name, input);
      expect(tools.accesses, name).toEqual(read('a/b/c', 'a/.gitignore', 'a/b/.gitignore'));
    }
    const tools = toolsOf(ws.files);
    await tools.run('grep', { pattern: 'x', path: 'a/b/c/f.txt' });
    expect(tools.accesses, 'one file').toEqual(read('a/b/c/f.txt'));
  });
});
