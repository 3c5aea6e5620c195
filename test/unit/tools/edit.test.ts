import { describe, expect, test } from 'vitest';
import { kinds, openWorkspace, toolsOf } from './workspaces.ts';

const bytes = (...values: number[]) => new Uint8Array(values);
const edit = (old_string: string, new_string: string, more: object = {}) => ({
  file_path: 'f.txt',
  old_string,
  new_string,
  ...more,
});

describe.each(kinds)('edit on %s', (kind) => {
  test('replaces the one match and nothing else', async () => {
    await using ws = openWorkspace(kind, { 'f.txt': 'one\ntwo\nthree\n' });
    expect(await toolsOf(ws.files).run('edit', edit('two', 'TWO'))).toContain(
      'Replaced 1 occurrence in f.txt',
    );
    expect(ws.text('f.txt')).toBe('one\nTWO\nthree\n');
  });

  test('case 1: two overlapping edits of one file lose nothing', async () => {
    await using ws = openWorkspace(kind, { 'f.txt': 'one\ntwo\nthree\n' });
    const tools = toolsOf(ws.files);
    await Promise.all([tools.run('edit', edit('one', 'ONE')), tools.run('edit', edit('three', 'THREE'))]);
    expect(ws.text('f.txt')).toBe('ONE\ntwo\nTHREE\n');
  });

  test('case 20: Latin-1 bytes are refused and stay as they are', async () => {
    const latin = bytes(0x78, 0x3d, 0x31, 0x0a, 0x63, 0xe9, 0x0a);
    await using ws = openWorkspace(kind, { 'f.txt': latin });
    expect(await toolsOf(ws.files).fail('edit', edit('x=1', 'x=2'))).toContain('not valid UTF-8');
    expect(ws.bytes('f.txt')).toEqual(latin);
  });

  test('case 20: a BOM stays, once, and the match at the start works', async () => {
    await using ws = openWorkspace(kind, { 'f.txt': bytes(0xef, 0xbb, 0xbf, 0x61, 0x0a) });
    await toolsOf(ws.files).run('edit', edit('a', 'b'));
    expect(ws.bytes('f.txt')).toEqual(bytes(0xef, 0xbb, 0xbf, 0x62, 0x0a));
  });

  test('case 20: UTF-16 stays UTF-16, with and without BOM', async () => {
    await using ws = openWorkspace(kind, { 'f.txt': bytes(0xff, 0xfe, 0x61, 0, 0x0a, 0) });
    await toolsOf(ws.files).run('edit', edit('a', 'é'));
    expect(ws.bytes('f.txt')).toEqual(bytes(0xff, 0xfe, 0xe9, 0, 0x0a, 0));
    ws.put('g.txt', bytes(0, 0x61, 0, 0x62));
    await toolsOf(ws.files).run('edit', { ...edit('a', 'x'), file_path: 'g.txt' });
    expect(ws.bytes('g.txt')).toEqual(bytes(0, 0x78, 0, 0x62));
  });

  test.each([false, true])(
    'case 21: LF text matches CRLF and keeps it, no newline added (all: %s)',
    async (all) => {
      await using ws = openWorkspace(kind, { 'f.txt': 'a\r\nb\r\nc' });
      await toolsOf(ws.files).run('edit', edit('a\nb', 'A\nB', { replace_all: all }));
      expect(ws.text('f.txt')).toBe('A\r\nB\r\nc');
    },
  );

  test('case 21: mixed line ends outside the match stay', async () => {
    await using ws = openWorkspace(kind, { 'f.txt': 'a\nb\r\nc\rd\n\r\nold\r\nz' });
    await toolsOf(ws.files).run('edit', edit('old', 'n1\nn2'));
    expect(ws.text('f.txt')).toBe('a\nb\r\nc\rd\n\r\nn1\r\nn2\r\nz');
  });

  test('case 21: mixed line ends inside the match are kept line by line', async () => {
    await using ws = openWorkspace(kind, { 'f.txt': 'x\na\r\nb\nc\r\nz' });
    await toolsOf(ws.files).run('edit', edit('a\nb\nc', 'A\nB\nC\nD'));
    expect(ws.text('f.txt')).toBe('x\nA\r\nB\nC\nD\r\nz');
  });

  test.each([false, true])('case 22: dollar signs are plain text (all: %s)', async (all) => {
    await using ws = openWorkspace(kind, { 'f.txt': 'x OLD y' });
    const text = "$& $$ $1 $<n> $` $'";
    await toolsOf(ws.files).run('edit', edit('OLD', text, { replace_all: all }));
    expect(ws.text('f.txt')).toBe(`x ${text} y`);
  });

  test('case 32: a touched file with the same content is not stale; own writes are not', async () => {
    await using ws = openWorkspace(kind, { 'f.txt': 'one two\n' });
    const tools = toolsOf(ws.files);
    await tools.run('read', { file_path: 'f.txt' });
    ws.put('f.txt', 'one two\n');
    await tools.run('edit', edit('one', 'ONE'));
    await tools.run('edit', edit('two', 'TWO'));
    expect(ws.text('f.txt')).toBe('ONE TWO\n');
  });

  test('case 32: content changed since it was read is refused, until it is read again', async () => {
    await using ws = openWorkspace(kind, { 'f.txt': 'one\n' });
    const tools = toolsOf(ws.files);
    await tools.run('read', { file_path: 'f.txt' });
    ws.put('f.txt', 'one!\n');
    expect(await tools.fail('edit', edit('one', 'ONE'))).toBe(
      'f.txt has changed since it was read. Read it again, then retry.',
    );
    expect(ws.text('f.txt')).toBe('one!\n');
    await tools.run('read', { file_path: './f.txt' });
    await tools.run('edit', edit('one', 'ONE'));
    expect(ws.text('f.txt')).toBe('ONE!\n');
  });

  test('a file that was never read can be edited, and another session keeps its own memory', async () => {
    await using ws = openWorkspace(kind, { 'f.txt': 'one\n' });
    await toolsOf(ws.files).run('read', { file_path: 'f.txt' });
    ws.put('f.txt', 'one!\n');
    await toolsOf(ws.files).run('edit', edit('one', 'ONE'));
    expect(ws.text('f.txt')).toBe('ONE!\n');
  });

  test('case 43: two matches are an error with their count; nothing changes', async () => {
    await using ws = openWorkspace(kind, { 'f.txt': 'a\na\n' });
    expect(await toolsOf(ws.files).fail('edit', edit('a', 'b'))).toContain('occurs 2 times (lines 1, 2)');
    expect(ws.text('f.txt')).toBe('a\na\n');
    await toolsOf(ws.files).run('edit', edit('a', 'b', { replace_all: true }));
    expect(ws.text('f.txt')).toBe('b\nb\n');
  });

  test.each([false, true])('case 43: empty and equal texts are errors (all: %s)', async (all) => {
    await using ws = openWorkspace(kind, { 'f.txt': 'abc' });
    expect(await toolsOf(ws.files).fail('edit', edit('', 'X', { replace_all: all }))).toContain(
      'old_string is empty',
    );
    expect(await toolsOf(ws.files).fail('edit', edit('b', 'b', { replace_all: all }))).toContain('the same');
    expect(ws.text('f.txt')).toBe('abc');
  });

  test('case 44: text that differs in blanks is not found, and nothing is normalised', async () => {
    const text = 'keep  \nold \nsay “q” –\n';
    await using ws = openWorkspace(kind, { 'f.txt': text });
    const sentence = await toolsOf(ws.files).fail('edit', edit('old\nsay', 'new\nsay'));
    expect(sentence).toContain('not found');
    expect(sentence).toContain('Line 2 is similar');
    expect(ws.text('f.txt')).toBe(text);
  });

  test('case 44: a hit leaves blanks, quotes and dashes elsewhere alone', async () => {
    await using ws = openWorkspace(kind, { 'f.txt': 'keep  \nold \nsay “q” –' });
    await toolsOf(ws.files).run('edit', edit('old ', 'new'));
    expect(ws.text('f.txt')).toBe('keep  \nnew\nsay “q” –');
  });

  test('binary files, folders and missing files are refused with what to do', async () => {
    await using ws = openWorkspace(kind, { 'f.txt': bytes(0, 1, 2, 0, 255), 'dir/app.ts': 'x' });
    expect(await toolsOf(ws.files).fail('edit', edit('a', 'b'))).toContain('f.txt is a binary file');
    expect(await toolsOf(ws.files).fail('edit', { ...edit('a', 'b'), file_path: 'dir' })).toContain(
      'is a folder',
    );
    const missing = await toolsOf(ws.files).fail('edit', { ...edit('a', 'b'), file_path: 'dir/app.js' });
    expect(missing).toBe('dir/app.js does not exist. Did you mean dir/app.ts?');
  });

  test('case 40: an edit through a link changes its target and leaves the link', async () => {
    await using ws = openWorkspace(kind, { 'target.txt': 'old', 'f.txt': { link: 'target.txt' } });
    const tools = toolsOf(ws.files);
    await tools.run('edit', edit('old', 'new'));
    expect(ws.text('target.txt')).toBe('new');
    expect((await ws.files.list(ws.uri('.'))).find((entry) => entry.name === 'f.txt')?.kind).toBe('link');
    expect(tools.accesses).toEqual([{ resource: ws.uri('target.txt'), mode: 'write' }]);
  });
});
