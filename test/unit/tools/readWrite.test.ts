import { describe, expect, test } from 'vitest';
import { kinds, openWorkspace, toolsOf } from './workspaces.ts';

describe.each(kinds)('read, write and stat on %s', (kind) => {
  test('read numbers lines, pages, and says when there is nothing', async () => {
    await using ws = openWorkspace(kind, { 'f.txt': 'a\r\nb\nc', 'empty.txt': '' });
    const tools = toolsOf(ws.files);
    expect(await tools.run('read', { file_path: 'f.txt' })).toBe('1\ta\n2\tb\n3\tc');
    expect(await tools.run('read', { file_path: 'f.txt', offset: 2, limit: 1 })).toBe(
      '2\tb\n[Lines 2 to 2 of 3; go on with offset 3]',
    );
    expect(await tools.run('read', { file_path: 'empty.txt' })).toBe('[The file is empty]');
    expect(await tools.fail('read', { file_path: 'f.txt', offset: 9 })).toContain('has 3 lines');
  });

  test('read says what cannot be read, and why', async () => {
    await using ws = openWorkspace(kind, {
      'b.bin': new Uint8Array([0, 1, 2, 0]),
      'big.txt': 'x'.repeat(200),
      'd/x': '',
    });
    const tools = toolsOf(ws.files, { limits: { fileBytes: 100 } });
    expect(await tools.fail('read', { file_path: 'b.bin' })).toContain('binary file');
    expect(await tools.fail('read', { file_path: 'big.txt' })).toMatch(/limit/);
    expect(await tools.fail('read', { file_path: 'd' })).toContain('is a folder. Use list');
    expect(await tools.fail('read', { file_path: 'nope/x' })).toContain('nor does its folder');
    expect(await tools.fail('read', { file_path: ' ' })).toContain('empty');
    expect(await tools.fail('list', { path: 'd/x' })).toContain('not a folder');
  });

  test('write keeps every byte: blanks at the end, no last newline, its own line ends', async () => {
    await using ws = openWorkspace(kind, { 'old.txt': 'x\r\n' });
    const tools = toolsOf(ws.files);
    expect(await tools.run('write', { file_path: 'new/deep/f.txt', content: 'a\r\nb\n  ' })).toContain(
      'Created new/deep/f.txt',
    );
    expect(ws.text('new/deep/f.txt')).toBe('a\r\nb\n  ');
    expect(await tools.run('write', { file_path: 'old.txt', content: 'y\n' })).toContain('Wrote old.txt');
    expect(ws.text('old.txt')).toBe('y\n');
    await tools.run('write', { file_path: 'old.txt', content: '' });
    expect(ws.text('old.txt')).toBe('');
  });

  test('case 20: write keeps the BOM and encoding of the file', async () => {
    await using ws = openWorkspace(kind, { 'f.txt': new Uint8Array([0xfe, 0xff, 0, 0x61]) });
    await toolsOf(ws.files).run('write', { file_path: 'f.txt', content: 'b' });
    expect(ws.bytes('f.txt')).toEqual(new Uint8Array([0xfe, 0xff, 0, 0x62]));
  });

  test('case 32: write refuses to replace text that changed since it was read', async () => {
    await using ws = openWorkspace(kind, { 'f.txt': 'a' });
    const tools = toolsOf(ws.files);
    await tools.run('read', { file_path: 'f.txt' });
    ws.put('f.txt', 'b');
    expect(await tools.fail('write', { file_path: 'f.txt', content: 'c' })).toContain(
      'has changed since it was read',
    );
    expect(ws.text('f.txt')).toBe('b');
  });

  test('write refuses folders and text that the file cannot hold', async () => {
    await using ws = openWorkspace(kind, { 'd/x': 'x' });
    const tools = toolsOf(ws.files);
    expect(await tools.fail('write', { file_path: 'd', content: '' })).toContain('is a folder');
    expect(await tools.fail('write', { file_path: 'd/x/y', content: '' })).toMatch(/is a file/);
    expect(await tools.fail('write', { file_path: 'n', content: 'a\ud800' })).toContain('half a character');
    expect(ws.bytes('n')).toBeUndefined();
  });

  test('stat tells kind, size, links and unsaved changes', async () => {
    await using ws = openWorkspace(kind, { 'd/f.txt': 'abc', l: { link: 'd/f.txt' } });
    ws.documents.open(ws.uri('d/f.txt'), 'abcd');
    const tools = toolsOf(ws.files);
    expect(await tools.run('stat', { path: 'l' })).toMatch(
      /^l: file\nleads to: d\/f\.txt\nsize: 3 bytes\nchanged: .*Z\nunsaved changes in the editor: yes$/,
    );
    expect(await tools.run('stat', { path: '.' })).toMatch(/^\.: folder/);
    expect(await tools.fail('stat', { path: 'd/f' })).toBe('d/f does not exist. Did you mean d/f.txt?');
  });
});
