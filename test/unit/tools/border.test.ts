import { execFileSync } from 'node:child_process';
import { statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createLocalDisk } from '../../../src/host/filesLocal.ts';
import { createFiles } from '../../../src/tools/files.ts';
import { createMemoryDocuments } from '../../../src/tools/memoryDocuments.ts';
import { unicodeOnly } from '../../../src/tools/memoryFiles.ts';
import { kinds, openWorkspace, setMode, toolsOf } from './workspaces.ts';

describe.each(kinds)('the border of the workspace on %s', (kind) => {
  const outside = (above: string) => [
    '../app-evil/x',
    `${above}/app-evil/x`,
    `file://${above}/app-evil/x`,
    'sub/../../app-evil/x',
    'dirlink/x',
    'filelink',
    'dangling',
    'dirlink/new',
    '/etc/hostname',
    'file:///etc/hostname',
    'file:///x/%2e%2e/etc/hostname',
    'https://example.com/x',
  ];

  async function evil(): Promise<ReturnType<typeof openWorkspace>> {
    const ws = openWorkspace(kind, { 'in.txt': 'in', '../app-evil/x': 'secret' });
    ws.put('dirlink', { link: '../app-evil' });
    ws.put('filelink', { link: '../app-evil/x' });
    ws.put('dangling', { link: '../app-evil/new' });
    return ws;
  }

  test('case 19: nothing outside is read, changed or created, by any spelling or link', async () => {
    await using ws = await evil();
    for (const path of outside(ws.above)) {
      const tools = toolsOf(ws.files);
      expect(await tools.fail('read', { file_path: path }), path).toContain('outside the workspace');
      expect(await tools.fail('stat', { path }), path).toContain('outside the workspace');
      expect(await tools.fail('list', { path }), path).toContain('outside the workspace');
      expect(await tools.fail('grep', { pattern: 'secret', path }), path).toContain('outside the workspace');
      expect(await tools.fail('glob', { pattern: '*', path }), path).toContain('outside the workspace');
      expect(await tools.fail('write', { file_path: path, content: 'w' }), path).toContain(
        'outside the workspace',
      );
      const edit = { file_path: path, old_string: 'secret', new_string: 'w' };
      expect(await tools.fail('edit', edit), path).toContain('outside the workspace');
      expect(tools.accesses, path).toEqual([]);
    }
    expect(ws.text('../app-evil/x')).toBe('secret');
    expect(ws.bytes('../app-evil/new')).toBeUndefined();
  });

  test('case 19: searches do not leave through links', async () => {
    await using ws = await evil();
    const tools = toolsOf(ws.files);
    expect(await tools.run('grep', { pattern: 'secret' })).toContain('No matches');
    expect(await tools.run('glob', { pattern: '**/x' })).not.toContain('dirlink/x');
    expect(await tools.fail('glob', { pattern: '../**/x' })).toContain('".."');
  });

  test('case 19: a link that stays inside is followed', async () => {
    await using ws = openWorkspace(kind, { 'real/x.txt': 'inside', alias: { link: 'real' } });
    expect(await toolsOf(ws.files).run('read', { file_path: 'alias/x.txt' })).toContain('inside');
  });

  test('case 2: a file has one real name before and after it exists, also through links', async () => {
    await using ws = openWorkspace(kind, {
      'real/old.txt': '',
      alias: { link: 'real' },
      later: { link: 'real/new.txt' },
    });
    const names = ['real/new.txt', 'alias/new.txt', 'later', 'alias/./x/../new.txt'];
    const before = await Promise.all(names.map((name) => ws.files.realResource(ws.uri(name))));
    expect(new Set(before)).toEqual(new Set([ws.uri('real/new.txt')]));
    expect(await ws.files.realResource(ws.uri('alias/x/y.txt'))).toBe(ws.uri('real/x/y.txt'));
    const tools = toolsOf(ws.files);
    await tools.run('write', { file_path: 'later', content: 'A' });
    expect(ws.text('real/new.txt')).toBe('A');
    expect(await ws.files.realResource(ws.uri('later'))).toBe(ws.uri('real/new.txt'));
    expect(tools.accesses).toEqual([{ resource: ws.uri('real/new.txt'), mode: 'write' }]);
  });

  test('case 19: ".." in the text of a link leads above where a link before it leads', async () => {
    await using ws = openWorkspace(kind, {
      'deep/er/x.txt': '',
      ln: { link: 'deep/er' },
      there: { link: 'ln/../x.txt' },
    });
    expect(await ws.files.realResource(ws.uri('there'))).toBe(ws.uri('deep/x.txt'));
    ws.put('deep/x.txt', 'inside');
    expect(await ws.files.realResource(ws.uri('there'))).toBe(ws.uri('deep/x.txt'));
  });

  test('a link that leads back to itself is an error, not a hang', async () => {
    await using ws = openWorkspace(kind, { a: { link: 'b' }, b: { link: 'a' } });
    expect(await toolsOf(ws.files).fail('read', { file_path: 'a' })).toContain('leads back to itself');
  });
});

describe('on a real disk', () => {
  test('dangling links that double at every step end with an error, not a hang', async () => {
    await using ws = openWorkspace('local disk', { l0: { link: 'gone' } });
    for (let i = 1; i < 40; i++) ws.put(`l${i}`, { link: `l${i - 1}/../l${i - 1}` });
    expect(await toolsOf(ws.files).fail('read', { file_path: 'l39' })).toMatch(
      /too many links|back to itself/,
    );
  });

  test('case 19: a workspace folder that is itself a link works, and is named as it was opened', async () => {
    await using ws = openWorkspace('local disk', { 'f.txt': 'x' });
    symlinkSync('app', join(ws.above, 'door'));
    const root = ws.uri('../door');
    const files = createFiles({
      roots: () => [{ name: 'door', uri: root }],
      disk: createLocalDisk(),
      documents: createMemoryDocuments({ bytes: () => undefined, put: () => {} }),
      codec: unicodeOnly(),
    });
    const tools = toolsOf(files);
    const edit = { file_path: 'f.txt', old_string: 'x', new_string: 'y' };
    expect(await tools.run('edit', edit)).toBe('Replaced 1 occurrence in f.txt.');
    expect(ws.text('f.txt')).toBe('y');
    expect(tools.accesses).toEqual([{ resource: ws.uri('f.txt'), mode: 'write' }]);
    expect(await tools.run('stat', { path: 'f.txt' })).not.toContain('leads to');
    expect(await files.uriOf(ws.uri('f.txt'))).toBe(`${root}/f.txt`);
  });

  test('case 40: mode and inode survive an edit', async () => {
    await using ws = openWorkspace('local disk', { 'x.sh': 'echo 1\n' });
    const path = join(ws.above, 'app/x.sh');
    setMode(path, 0o755);
    const before = statSync(path);
    await toolsOf(ws.files).run('edit', { file_path: 'x.sh', old_string: '1', new_string: '22222' });
    const after = statSync(path);
    expect([after.mode, after.ino]).toEqual([before.mode, before.ino]);
    expect(ws.text('x.sh')).toBe('echo 22222\n');
  });

  test('case 40: a read-only file is not changed, even for root', async () => {
    await using ws = openWorkspace('local disk', { 'f.txt': 'a' });
    setMode(join(ws.above, 'app/f.txt'), 0o444);
    const input = { file_path: 'f.txt', old_string: 'a', new_string: 'b' };
    expect(await toolsOf(ws.files).fail('edit', input)).toContain('read-only');
    expect(ws.text('f.txt')).toBe('a');
  });

  test('a FIFO is refused at once', async () => {
    await using ws = openWorkspace('local disk', { 'f.txt': 'a' });
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(ws.above, 'app/pipe')]);
    const tools = toolsOf(ws.files);
    expect(await tools.fail('read', { file_path: 'pipe' })).toContain('device, pipe or socket');
    expect(await tools.fail('write', { file_path: 'pipe', content: 'x' })).toContain(
      'device, pipe or socket',
    );
    expect(await tools.run('grep', { pattern: 'a' })).toContain('f.txt:1:a');
    expect(await tools.run('list', {})).toContain('pipe (device, pipe or socket)');
  });
});
