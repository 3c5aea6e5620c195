import { describe, expect, test } from 'vitest';
import { createMemoryFiles } from '../../../src/tools/memoryFiles.ts';
import { candidates, displayPath, lexicalResource } from '../../../src/tools/paths.ts';
import type { Root } from '../../../src/tools/ports.ts';
import { canonicalUri, segmentsBelow } from '../../../src/tools/uri.ts';
import { toolsOf } from './workspaces.ts';

const w: Root[] = [{ name: 'w', uri: 'file:///w' }];
const two: Root[] = [
  { name: 'A', uri: 'file:///a' },
  { name: 'B', uri: 'file:///b' },
];

describe('what a path means by its letters', () => {
  test('case 3: POSIX spellings are one resource, another case is another', () => {
    const spellings = [
      '/w/a.ts',
      '/w/./a.ts',
      '/w//a.ts',
      '/w/a.ts/',
      'a.ts',
      './a.ts',
      'x/../a.ts',
      'file:///w/a.ts',
      'FILE:///w/%61.ts',
    ];
    expect(new Set(spellings.map((one) => lexicalResource(one, w)))).toEqual(new Set(['file:///w/a.ts']));
    expect(lexicalResource('/w/A.ts', w)).toBe('file:///w/A.ts');
  });

  test('resources are spelled as VS Code spells URIs', () => {
    expect(lexicalResource("a b/c:(1)#?'é.ts", w)).toBe('file:///w/a%20b/c%3A%281%29%23%3F%27%C3%A9.ts');
    expect(canonicalUri('untitled:Untitled-1')).toBe('untitled:Untitled-1');
    expect(canonicalUri('memfs:/x.txt')).toBe('memfs:/x.txt');
    expect(canonicalUri('vscode-remote://SSH-remote%2Bhost/w/')).toBe('vscode-remote://ssh-remote%2Bhost/w');
  });

  test('case X4: another scheme is another file', () => {
    const virtual: Root[] = [{ name: 'm', uri: 'memfs:/' }];
    expect(lexicalResource('memfs:/x.txt', virtual)).toBe('memfs:/x.txt');
    expect(lexicalResource('/x.txt', virtual)).toBe('memfs:/x.txt');
    expect(lexicalResource('file:///x.txt', virtual)).toBe('file:///x.txt');
  });

  test('case 19: below means by segment', () => {
    expect(segmentsBelow('file:///w/app', 'file:///w/app-evil/x')).toBeUndefined();
    expect(segmentsBelow('file:///w/app', 'file:///w/app/x')).toEqual(['x']);
    expect(segmentsBelow('file:///w/app', 'other:///w/app/x')).toBeUndefined();
  });

  test('a name that looks like a scheme is a name', () => {
    expect(candidates('foo:bar.txt', w)).toEqual(['file:///w/foo%3Abar.txt']);
    expect(candidates('back\\slash', w)).toEqual(['file:///w/back%5Cslash']);
  });

  test('what is no path is refused with a sentence', () => {
    expect(() => candidates('a\0b', w)).toThrow('zero character');
    expect(() => candidates('a\ud800', w)).toThrow('half a character');
    expect(() => candidates('file:///w/%zz', w)).toThrow('%-escape');
    expect(() => candidates('a.ts', [])).toThrow('No folder is open');
  });

  test('a displayed path names the same file when it comes back', () => {
    for (const [uri, roots] of [
      ['file:///w/src/a%20b.ts', w],
      ['file:///b/src/x.ts', two],
      ['file:///a', two],
    ] as const) {
      expect(candidates(displayPath(uri, roots), roots)).toEqual([uri]);
    }
  });
});

describe('several workspace folders', () => {
  const files = () =>
    createMemoryFiles(
      { 'file:///b/src/x.ts': 'in B', 'file:///a/src/y.ts': 'A', 'file:///b/src/y.ts': 'B' },
      { roots: two },
    );

  test('case X3: a path that is in one folder only is found there', async () => {
    expect(await toolsOf(files()).run('read', { file_path: 'src/x.ts' })).toContain('in B');
  });

  test('case X3: a path in both is refused with both named', async () => {
    const sentence = await toolsOf(files()).fail('read', { file_path: 'src/y.ts' });
    expect(sentence).toContain('A/src/y.ts or B/src/y.ts');
  });

  test("case X3: a folder's name chooses", async () => {
    expect(await toolsOf(files()).run('read', { file_path: 'B/src/y.ts' })).toContain('B');
    expect(lexicalResource('B/src/x.ts', two)).toBe('file:///b/src/x.ts');
  });

  test('case X3: without it the key cannot be told without I/O, so the call counts as unsafe', () => {
    const read = toolsOf(files()).tool('read');
    expect(() => read.resourceKey?.({ file_path: 'src/x.ts' })).toThrow('A/src/x.ts or B/src/x.ts');
  });

  test('case X3: a new file must say where; a missing one is said to be in none', async () => {
    expect(await toolsOf(files()).fail('write', { file_path: 'new.ts', content: '' })).toContain(
      'A/new.ts or B/new.ts',
    );
    expect(await toolsOf(files()).fail('read', { file_path: 'new.ts' })).toContain(
      'none of the workspace folders (A, B)',
    );
  });

  test('searches cover all folders and name them', async () => {
    const tools = toolsOf(files());
    expect(await tools.run('glob', { pattern: 'src/*.ts' })).toBe('A/src/y.ts\nB/src/x.ts\nB/src/y.ts');
    expect(await tools.run('glob', { pattern: 'B/src/*.ts' })).toBe('B/src/x.ts\nB/src/y.ts');
    expect(await tools.run('grep', { pattern: 'B' })).toContain('B/src/x.ts:1:in B');
    expect(await tools.run('list', {})).toContain('A/\nB/');
  });
});
