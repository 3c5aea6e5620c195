import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { covers } from '../../../src/core/resources.ts';
import { createLocalDisk } from '../../../src/host/filesLocal.ts';
import { createFiles } from '../../../src/tools/files.ts';
import type { MemoryVolume } from '../../../src/tools/memoryDisk.ts';
import { createMemoryDocuments } from '../../../src/tools/memoryDocuments.ts';
import { createMemoryFiles, type MemoryFilesOptions, unicodeOnly } from '../../../src/tools/memoryFiles.ts';
import { lexicalResource } from '../../../src/tools/paths.ts';
import type { Disk, Files, Root } from '../../../src/tools/ports.ts';
import { canonicalUri } from '../../../src/tools/uri.ts';
import { openWorkspace, toolsOf } from './workspaces.ts';

const composed = '\u00e9.ts';
const decomposed = 'e\u0301.ts';

/** The keys of paths as a model would write them: declared by their letters, then resolved. */
async function keysOf(files: Files, paths: readonly string[]): Promise<Set<string>> {
  return new Set(await Promise.all(paths.map((path) => files.keyOf(lexicalResource(path, files.roots)))));
}

const volumes: [string, MemoryVolume][] = [
  ['tells all names apart', {}],
  ['ignores case', { ignoresCase: true }],
  ['ignores form', { ignoresForm: true }],
  ['ignores case and form', { ignoresCase: true, ignoresForm: true }],
];

describe.each(volumes)('a volume that %s', (_, volume) => {
  const sameCase = volume.ignoresCase === true ? 1 : 2;
  const sameForm = volume.ignoresForm === true ? 1 : 2;

  test('case 3: files that exist have one key exactly where the volume has one file', async () => {
    const files = createMemoryFiles({ 'src/a.ts': '', 'src/A.ts': '' }, volume);
    files.disk.put(`file:///w/src/${composed}`, '');
    files.disk.put(`file:///w/src/${decomposed}`, '');
    expect((await keysOf(files, ['src/a.ts', 'src/A.ts'])).size).toBe(sameCase);
    expect((await keysOf(files, ['SRC/a.ts', 'src/a.ts'])).size).toBe(sameCase);
    expect((await keysOf(files, [`src/${composed}`, `src/${decomposed}`])).size).toBe(sameForm);
  });

  test('case 3: so have files that do not exist yet, told by the names beside and above them', async () => {
    const files = createMemoryFiles({ 'src/other.ts': '', [`src/${composed}`]: '' }, volume);
    const news = (e: string) => `src/new${e}`;
    expect((await keysOf(files, ['src/new.ts', 'src/NEW.ts'])).size).toBe(sameCase);
    expect((await keysOf(files, ['src/x/y/new.ts', 'src/X/y/new.ts'])).size).toBe(sameCase);
    expect((await keysOf(files, [news(composed), news(decomposed)])).size).toBe(sameForm);
  });

  test('case 2: the key of a new file is the one that it has afterwards, whatever is asked first', async () => {
    for (const path of ['New.ts', 'deep/er/New.ts', `deep/${decomposed}`, 'Deep/É', decomposed]) {
      const files = createMemoryFiles({}, volume);
      const before = await keysOf(files, [path]);
      files.disk.put(`file:///w/${path}`, 'x');
      expect(await keysOf(files, [path]), path).toEqual(before);
      files.disk.put(`file:///w/${composed}`, 'x');
      files.disk.put('file:///w/Deep/tells.ts', 'x');
      expect(await keysOf(files, [path]), path).toEqual(before);
    }
  });

  test('case 2: tools report the key that was declared', async () => {
    const files = createMemoryFiles({ 'Src/App.ts': 'x' }, volume);
    const tools = toolsOf(files);
    for (const file_path of ['Src/App.ts', 'Src/New.ts', `Empty/${composed}`]) {
      const declared = await files.keyOf(tools.tool('write').resourceKey?.({ file_path }) ?? '');
      await tools.run('write', { file_path, content: 'y' });
      expect(tools.accesses.pop()).toEqual({ resource: declared, mode: 'write' });
      expect(await files.keyOf(declared)).toBe(declared);
    }
  });
});

test('case 3: Windows spellings are one key', async () => {
  const roots: Root[] = [{ name: 'W', uri: 'file:///c%3A/W' }];
  const spellings = [
    'c:\\W\\A.ts',
    'C:\\w\\a.ts',
    'C:/W/A.ts',
    'C:\\W\\x\\..\\A.ts',
    'file:///c%3A/W/A.ts',
    'file:///C:/W/A.ts',
    'A.ts',
    '.\\a.ts',
  ];
  for (const initial of [{}, { 'A.ts': '' }]) {
    const files = createMemoryFiles(initial, { roots, ignoresCase: true });
    expect(await keysOf(files, spellings)).toEqual(new Set(['file:///c%3A/w/a.ts']));
  }
});

test('case 3: POSIX spellings are one key, and another case is another file', async () => {
  const files = createMemoryFiles({ 'a.ts': '' });
  const spellings = ['/w/a.ts', '/w/./a.ts', '/w//a.ts', '/w/a.ts/', 'x/../a.ts', 'FILE:///w/%61.ts'];
  expect(await keysOf(files, spellings)).toEqual(new Set(['file:///w/a.ts']));
  expect(await keysOf(files, ['/w/A.ts'])).toEqual(new Set(['file:///w/A.ts']));
});

describe('two volumes', () => {
  const mounted = (inner: MemoryVolume, outer: MemoryVolume = {}): MemoryFilesOptions => ({
    ...outer,
    mounts: { 'file:///w/m': inner },
  });

  test('case 3: each folder is asked, so a volume below another has its own habit', async () => {
    const files = createMemoryFiles({ 'a.ts': '', 'm/a.ts': '' }, mounted({ ignoresCase: true }));
    expect(await keysOf(files, ['m/a.ts', 'm/A.ts', 'm/a.TS'])).toEqual(new Set(['file:///w/m/a.ts']));
    expect((await keysOf(files, ['a.ts', 'A.ts', 'M/a.ts', 'm/a.ts'])).size).toBe(4);
    const other = createMemoryFiles({ 'a.ts': '', 'm/a.ts': '' }, mounted({}, { ignoresCase: true }));
    expect((await keysOf(other, ['M/a.ts', 'm/a.ts', 'm/A.ts'])).size).toBe(2);
  });

  test('case 3: where nothing tells what a volume does, names are merged, and stay so', async () => {
    const files = createMemoryFiles({ 'a.ts': '' }, mounted({}));
    files.disk.put('file:///w/m', 'folder');
    const before = await keysOf(files, ['m/New.ts', 'm/new.ts']);
    expect(before.size).toBe(1);
    files.disk.put('file:///w/m/New.ts', '');
    files.disk.put('file:///w/m/new.ts', '');
    expect(await keysOf(files, ['m/New.ts', 'm/new.ts'])).toEqual(before);
    expect((await keysOf(createSame(files), ['m/New.ts', 'm/new.ts'])).size).toBe(2);
  });
});

/** Another look at the same disk, without what the first one remembers. */
function createSame(files: ReturnType<typeof createMemoryFiles>, disk: Disk = files.disk): Files {
  return createFiles({ roots: () => files.roots, disk, documents: files.documents, codec: unicodeOnly() });
}

describe('a disk that returns names as they are asked for', () => {
  const asSpelled = (disk: Disk): Disk => ({ ...disk, realUri: async (uri) => canonicalUri(uri) });

  test('case 19: a root spelled in other case is the root, where the volume ignores case', async () => {
    const memory = createMemoryFiles(
      { 'Src/App.ts': 'x', '.gitignore': 'SRC/no.ts', 'Src/no.ts': '' },
      {
        roots: [{ name: 'W', uri: 'file:///W' }],
        ignoresCase: true,
      },
    );
    const files = createSame(memory, asSpelled(memory.disk));
    const tools = toolsOf(files);
    expect(await tools.run('read', { file_path: '/w/src/app.ts' })).toBe('1\tx');
    expect(tools.accesses).toEqual([{ resource: 'file:///w/src/app.ts', mode: 'read' }]);
    expect(await tools.run('glob', { pattern: '*.TS', path: '/w/SRC' })).toContain('App.ts');
    expect(await tools.run('glob', { pattern: '**/*' })).not.toContain('no.ts');
    expect(await tools.run('stat', { path: 'SRC/app.ts' })).not.toContain('leads to');
    await tools.run('edit', { file_path: 'SRC/APP.TS', old_string: 'x', new_string: 'y' });
    expect(await files.uriOf('file:///w/src/app.ts')).toBe('file:///W/Src/App.ts');
  });

  test('case 18: unsaved text is found under another spelling of the name', async () => {
    const memory = createMemoryFiles({ 'Src/App.ts': 'stored' }, { ignoresCase: true });
    const files = createSame(memory, asSpelled(memory.disk));
    memory.documents.open('file:///w/src/APP.ts', 'typed');
    expect(await toolsOf(files).run('read', { file_path: 'Src/app.ts' })).toContain('typed');
  });

  test('case 18: unsaved text of another file never passes for that of one which shares its key', async () => {
    const memory = createMemoryFiles({ 'Straße.ts': 'one', 'strasse.ts': 'other' }, { ignoresCase: true });
    memory.documents.open('file:///w/Straße.ts', 'typed');
    for (const files of [memory, createSame(memory, asSpelled(memory.disk))]) {
      expect((await keysOf(files, ['Straße.ts', 'strasse.ts'])).size).toBe(1);
      expect(await toolsOf(files).run('read', { file_path: 'strasse.ts' })).toBe('1\tother');
      expect(await toolsOf(files).run('read', { file_path: 'Strasse.ts' })).toBe('1\tother');
    }
  });

  test('case 19: elsewhere it is another folder, and so is one that only the folding of keys merges', async () => {
    const roots = [{ name: 'strasse', uri: 'file:///strasse' }];
    const exact = createMemoryFiles({ 'a.ts': 'x', 'file:///Strasse/a.ts': 'secret' }, { roots });
    const merged = createMemoryFiles(
      { 'a.ts': 'x', 'file:///straße/a.ts': 'secret' },
      { roots, ignoresCase: true },
    );
    for (const [memory, path] of [
      [exact, '/Strasse/a.ts'],
      [exact, '/STRASSE/new.ts'],
      [merged, '/straße/a.ts'],
      [merged, '/Straße/a.ts'],
    ] as const) {
      for (const files of [memory, createSame(memory, asSpelled(memory.disk))]) {
        const tools = toolsOf(files);
        expect(await tools.fail('read', { file_path: path }), path).toContain('outside the workspace');
        expect(await tools.fail('write', { file_path: path, content: '' }), path).toContain('outside');
        expect(tools.accesses).toEqual([]);
      }
    }
  });
});

describe('which resources', () => {
  test('only files have another key than their resource', async () => {
    const files = createMemoryFiles({ 'a.ts': '' }, { ignoresCase: true });
    for (const other of ['*', 'db:users', 'DB:/Users', 'untitled:A', 'memfs:/A', 'file:A', 'A', '']) {
      expect(await files.keyOf(other)).toBe(other);
    }
    expect(await files.keyOf('file:///Elsewhere/X.ts')).toBe('file:///elsewhere/x.ts');
  });

  test('case X4: a virtual workspace folder brings its scheme', async () => {
    const files = createMemoryFiles(
      { 'A.ts': '' },
      { roots: [{ name: 'm', uri: 'memfs:/' }], ignoresCase: true },
    );
    expect(await files.keyOf('memfs:/x/../A.ts')).toBe('memfs:/a.ts');
  });

  test('a disk that fails makes the key fail, and a folder that cannot be asked is taken for one that ignores', async () => {
    const memory = createMemoryFiles({ 'Src/A.ts': '' });
    const denied = async () => Promise.reject(new Error('denied'));
    await expect(
      createSame(memory, { ...memory.disk, realUri: denied }).keyOf('file:///w/A'),
    ).rejects.toThrow('denied');
    const mute = createSame(memory, { ...memory.disk, stat: denied, list: denied });
    expect(await mute.keyOf('file:///w/Src/A.ts')).toBe('file:///w/src/a.ts');
    await expect(memory.keyOf('file:///w/%zz')).rejects.toThrow('%-escape');
  });
});

describe('on a real disk', () => {
  test('case 2: one key through links, before and after the file exists', async () => {
    await using ws = openWorkspace('local disk', { 'real/old.txt': '', alias: { link: 'real' } });
    ws.put('later', { link: 'real/x/y.txt' });
    const paths = [
      'real/x/y.txt',
      'alias/x/y.txt',
      'later',
      'alias//./x/z/../y.txt',
      `${ws.above}/app/alias/x/y.txt`,
    ];
    const key = new Set([ws.uri('real/x/y.txt')]);
    expect(await keysOf(ws.files, paths)).toEqual(key);
    ws.put('real/x/y.txt', 'now');
    expect(await keysOf(ws.files, paths)).toEqual(key);
  });

  test('case 3: other case and other form are other files', async ({ skip }) => {
    const paths = ['A.ts', 'a.ts', composed, decomposed];
    await using ws = openWorkspace('local disk', Object.fromEntries(paths.map((path) => [path, ''])));
    skip((await ws.files.list(ws.uri('.'))).length < paths.length, 'this volume takes some of them for one');
    expect([...(await keysOf(ws.files, paths))].sort()).toEqual(paths.map((path) => ws.uri(path)).sort());
  });

  test('a resource above the real place of a linked root lies over the files in it', async () => {
    await using ws = openWorkspace('local disk', { 'f.txt': 'x' });
    symlinkSync('app', join(ws.above, 'door'));
    mkdirSync(join(ws.above, 'other'));
    const files = createFiles({
      roots: () => [{ name: 'door', uri: ws.uri('../door') }],
      disk: createLocalDisk(),
      documents: createMemoryDocuments({ bytes: () => undefined, put: () => {} }),
      codec: unicodeOnly(),
    });
    const above = await files.keyOf(canonicalUri(pathToFileURL(join(ws.above, 'app')).href));
    expect(covers(above, await files.keyOf(lexicalResource('f.txt', files.roots)))).toBe(true);
    expect(await files.uriOf(await files.realResource(ws.uri('../door/f.txt')))).toBe(
      ws.uri('../door/f.txt'),
    );
    const elsewhere = ws.uri('../other/f.txt');
    expect(await files.uriOf(elsewhere)).toBe(elsewhere);
  });
});

test('thousands of files cost few questions, and never many at once', async () => {
  const memory = createMemoryFiles();
  const calls = { realUri: 0, stat: 0, list: 0 };
  let running = 0;
  let most = 0;
  const counted =
    <A extends unknown[], T>(name: keyof typeof calls, ask: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      calls[name]++;
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      return ask(...args).finally(() => running--);
    };
  const { disk } = memory;
  const files = createSame(memory, {
    ...disk,
    realUri: counted('realUri', disk.realUri),
    stat: counted('stat', disk.stat),
    list: counted('list', disk.list),
  });
  const uris = Array.from({ length: 400 }, (_, i) => `file:///w/dir${i % 20}/File${i}.ts`);
  for (const uri of uris) disk.put(uri, '');
  const keys = await Promise.all(uris.map((uri) => files.keyOf(uri)));
  expect(keys).toEqual(uris);
  expect(calls).toEqual({ realUri: 400, stat: 22 * 3, list: 0 });
  expect(most).toBeLessThanOrEqual(32);
});
