import { describe, expect, test } from 'vitest';
import { kinds, openWorkspace, toolsOf } from './workspaces.ts';

const edit = { file_path: 'f.txt', old_string: 'a', new_string: 'A' };

describe.each(kinds)('unsaved text on %s', (kind) => {
  test('case 18: read returns what the editor holds', async () => {
    await using ws = openWorkspace(kind, { 'f.txt': 'a\nb\n' });
    ws.documents.open(ws.uri('f.txt'), 'a\nb\nU\n');
    const text = await toolsOf(ws.files).run('read', { file_path: 'f.txt' });
    expect(text).toContain('3\tU');
    expect(text).toContain('unsaved changes');
  });

  test('case 18: an edit keeps it, saves it, and is one undo step', async () => {
    await using ws = openWorkspace(kind, { 'f.txt': 'a\nb\n' });
    ws.documents.open(ws.uri('f.txt'), 'a\nb\nU\n');
    await toolsOf(ws.files).run('edit', edit);
    expect(ws.text('f.txt')).toBe('A\nb\nU\n');
    expect(ws.documents.textOf(ws.uri('f.txt'))).toBe('A\nb\nU\n');
    ws.documents.undo(ws.uri('f.txt'));
    expect(ws.documents.textOf(ws.uri('f.txt'))).toBe('a\nb\nU\n');
  });

  test('case 18: a file that is open under a link keeps its unsaved text too', async () => {
    await using ws = openWorkspace(kind, { 'real/f.txt': 'a\n', alias: { link: 'real' } });
    ws.documents.open(ws.uri('alias/f.txt'), 'a\nU\n');
    await toolsOf(ws.files).run('edit', { ...edit, file_path: 'real/f.txt' });
    expect(ws.text('real/f.txt')).toBe('A\nU\n');
  });

  test('case 18: grep sees it', async () => {
    await using ws = openWorkspace(kind, { 'f.txt': 'a\n' });
    ws.documents.open(ws.uri('f.txt'), 'a\nneedle\n');
    expect(await toolsOf(ws.files).run('grep', { pattern: 'needle' })).toContain('f.txt:2:needle');
  });

  test('case 18: a new file that was never saved is read, not "not found"', async () => {
    await using ws = openWorkspace(kind);
    ws.documents.open('untitled:Untitled-1', 'draft\n');
    const tools = toolsOf(ws.files);
    expect(await tools.run('read', { file_path: 'untitled:Untitled-1' })).toContain('1\tdraft');
    const path = new URL(ws.uri('new.txt')).pathname;
    ws.documents.open(`untitled:${path}`, 'planned\n');
    expect(await tools.run('read', { file_path: 'new.txt' })).toContain('1\tplanned');
  });

  test('case 18: an edit of a new file stays in its editor', async () => {
    await using ws = openWorkspace(kind);
    ws.documents.open('untitled:Untitled-1', 'a\n');
    const text = await toolsOf(ws.files).run('edit', { ...edit, file_path: 'untitled:Untitled-1' });
    expect(text).toContain('not saved yet');
    expect(ws.documents.textOf('untitled:Untitled-1')).toBe('A\n');
  });

  test('write refuses to replace unsaved text that the model has not seen, and replaces it once read', async () => {
    await using ws = openWorkspace(kind, { 'f.txt': 'a\n' });
    ws.documents.open(ws.uri('f.txt'), 'a\nU\n');
    const tools = toolsOf(ws.files);
    expect(await tools.fail('write', { file_path: 'f.txt', content: 'z' })).toContain('unsaved changes');
    expect(ws.documents.textOf(ws.uri('f.txt'))).toBe('a\nU\n');
    await tools.run('read', { file_path: 'f.txt' });
    await tools.run('write', { file_path: 'f.txt', content: 'z\n' });
    expect(ws.text('f.txt')).toBe('z\n');
    ws.documents.undo(ws.uri('f.txt'));
    expect(ws.documents.textOf(ws.uri('f.txt'))).toBe('a\nU\n');
  });

  test('an open file with mixed line ends keeps them: the editor would even them out', async () => {
    await using ws = openWorkspace(kind, { 'f.txt': 'a\nb\r\nc\n' });
    ws.documents.open(ws.uri('f.txt'));
    await toolsOf(ws.files).run('edit', edit);
    expect(ws.text('f.txt')).toBe('A\nb\r\nc\n');
  });

  test('an open file that the editor has not loaded anew yet is read from disk', async () => {
    await using ws = openWorkspace(kind, { 'f.txt': 'a\n' });
    ws.documents.open(ws.uri('f.txt'));
    ws.put('f.txt', 'a2\n');
    const tools = toolsOf(ws.files);
    expect(await tools.run('read', { file_path: 'f.txt' })).toContain('a2');
    await tools.run('edit', edit);
    expect(ws.text('f.txt')).toBe('A2\n');
  });

  test('case X6: an edit of a closed file opens no document', async () => {
    await using ws = openWorkspace(kind, { 'f.txt': 'a\n' });
    await toolsOf(ws.files).run('edit', edit);
    expect(ws.text('f.txt')).toBe('A\n');
    expect(ws.documents.list()).toEqual([]);
  });

  test('unsaved changes in a notebook or custom editor are not overwritten', async () => {
    await using ws = openWorkspace(kind, { 'f.txt': 'a\n' });
    ws.documents.elsewhere.push(ws.uri('f.txt'));
    expect(await toolsOf(ws.files).fail('edit', edit)).toContain('not a text editor');
    expect(ws.text('f.txt')).toBe('a\n');
  });

  test('case 20: a Latin-1 file with unsaved text is not saved with replacement characters', async () => {
    await using ws = openWorkspace(kind, { 'f.txt': 'a\n' });
    ws.documents.open(ws.uri('f.txt'), 'a\n\ufffd\n');
    const latin = new Uint8Array([0x61, 0x0a, 0xe9, 0x0a]);
    ws.put('f.txt', latin);
    expect(await toolsOf(ws.files).fail('edit', edit)).toContain('not valid UTF-8');
    expect(ws.bytes('f.txt')).toEqual(latin);
  });
});
