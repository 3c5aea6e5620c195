import { describe, expect, test } from 'vitest';
import { kinds, openWorkspace, toolsOf } from './workspaces.ts';

describe.each(kinds)('searching on %s', (kind) => {
  const project = {
    '.gitignore': 'dist/\n*.log\n!keep.log\n',
    'dist/a.js': 'needle',
    '.github/w.yml': 'needle',
    'node_modules/p/package.json': 'needle',
    'package.json': 'needle',
    'src/.gitignore': '/gen.ts\n',
    'src/gen.ts': 'needle',
    'src/deep/gen.ts': 'needle',
    'src/app.ts': 'one\nneedle\nthree\n',
    'x.log': 'needle',
    'keep.log': 'needle',
  };

  test('case 41: .gitignore files are honoured at every depth, and what was left out is said', async () => {
    await using ws = openWorkspace(kind, project);
    const text = await toolsOf(ws.files).run('grep', { pattern: 'needle' });
    expect(text.split('\n').slice(0, 4)).toEqual([
      'keep.log:1:needle',
      'package.json:1:needle',
      'src/app.ts:2:needle',
      'src/deep/gen.ts:1:needle',
    ]);
    expect(text).toContain('4 matches in 4 files');
    expect(text).toContain('Left out: 3 ignored, 3 hidden, 1 by default (.github/, dist/, node_modules/)');
  });

  test('case 41: a folder that the pattern names is searched though it is ignored', async () => {
    await using ws = openWorkspace(kind, project);
    expect(await toolsOf(ws.files).run('glob', { pattern: 'dist/*.js' })).toBe('dist/a.js');
    expect(await toolsOf(ws.files).run('glob', { pattern: '.github/**' })).toBe('.github/w.yml');
    expect(await toolsOf(ws.files).run('glob', { pattern: '**/*.yml' })).toMatch(
      /No files shown.*\n.*1 hidden/s,
    );
    expect(await toolsOf(ws.files).run('grep', { pattern: 'needle', path: 'dist' })).toContain(
      'dist/a.js:1:needle',
    );
  });

  test('case 41: node_modules is left out by default, and said so', async () => {
    await using ws = openWorkspace(kind, project);
    const text = await toolsOf(ws.files).run('glob', { pattern: '**/package.json' });
    expect(text).toMatch(/^package\.json\n\[Left out: .*1 by default.*node_modules\//);
    const all = await toolsOf(ws.files).run('glob', { pattern: '**/package.json', include_ignored: true });
    expect(all).toContain('node_modules/p/package.json');
  });

  test('case 41: a single ignored file that fits is counted, never a bare "no files"', async () => {
    await using ws = openWorkspace(kind, project);
    expect(await toolsOf(ws.files).run('glob', { pattern: 'x.*' })).toMatch(
      /No files shown.*\n.*1 ignored|2 ignored/s,
    );
  });

  test('case 33: a hostile .gitignore does not stall a search', async () => {
    const deep = `${'a/'.repeat(40)}c.txt`;
    await using ws = openWorkspace(kind, {
      '.gitignore': `${'**/a/'.repeat(12)}b\nskip.txt\n`,
      [deep]: 'x',
      'skip.txt': 'x',
    });
    const began = performance.now();
    const text = await toolsOf(ws.files).run('grep', { pattern: 'x' });
    expect(performance.now() - began).toBeLessThan(5000);
    expect(text).toContain('1 match in 1 file');
  });

  test('list shows ignored names and marks them', async () => {
    await using ws = openWorkspace(kind, project);
    const text = await toolsOf(ws.files).run('list', {});
    expect(text).toContain('dist/ (ignored)');
    expect(text).toContain('keep.log\n');
    expect(text).toContain('x.log (ignored)');
    expect(text).toContain('[2 names ignored by .gitignore');
    expect(await toolsOf(ws.files).run('list', { path: 'src' })).toContain('gen.ts (ignored)');
  });

  test('case 34: no match is not an error', async () => {
    await using ws = openWorkspace(kind, { 'a.txt': 'x' });
    expect(await toolsOf(ws.files).run('grep', { pattern: 'absent' })).toBe('No matches.');
  });

  test('case 34: a file that cannot be read is a warning beside the hits', async () => {
    await using ws = openWorkspace(kind, { 'a.txt': 'hit', 'latin.txt': new Uint8Array([0x63, 0xe9]) });
    const text = await toolsOf(ws.files).run('grep', { pattern: 'hit' });
    expect(text).toContain('a.txt:1:hit');
    expect(text).toContain('Could not be searched: latin.txt is not valid UTF-8');
  });

  test('case 33: an invalid pattern is an error with the words of the engine', async () => {
    await using ws = openWorkspace(kind, { 'a.txt': 'x' });
    expect(await toolsOf(ws.files).fail('grep', { pattern: '(' })).toMatch(/Unterminated group/);
  });

  test('case 35: patterns and globs that begin with "-" are just that', async () => {
    await using ws = openWorkspace(kind, { 'a.txt': 'x --> y\n-1\n--pre=./p.sh\n', '-f.txt': '-->' });
    const tools = toolsOf(ws.files);
    expect(await tools.run('grep', { pattern: '-->' })).toContain('a.txt:1:x --> y');
    expect(await tools.run('grep', { pattern: '-1' })).toContain('a.txt:2:-1');
    expect(await tools.run('grep', { pattern: '--pre=./p.sh' })).toContain('a.txt:3:--pre=./p.sh');
    expect(await tools.run('grep', { pattern: '-->', path: '-f.txt' })).toContain('-f.txt:1:-->');
    expect(await tools.run('grep', { pattern: '-->', glob: '-*' })).toContain('1 match in 1 file');
    expect(await tools.run('glob', { pattern: '-*' })).toBe('-f.txt');
  });

  test('case 42: one huge line is cut around the hit, never inside a character', async () => {
    const half = '😀'.repeat(600_000);
    await using ws = openWorkspace(kind, { 'min.js': `${half}NEEDLE${half}` });
    const text = await toolsOf(ws.files).run('grep', { pattern: 'NEEDLE' });
    expect(text.length).toBeLessThan(1000);
    expect(text).toMatch(/^min\.js:1:…(😀)+NEEDLE(😀)+…$/mu);
    const read = await toolsOf(ws.files).run('read', { file_path: 'min.js' });
    expect(read.length).toBeLessThan(3000);
    expect(read).toMatch(/😀…\n\[1 line longer/u);
  });

  test('limits are said: matches, files, lines, names', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}.txt`, 'hit\nhit\nhit\n']));
    await using ws = openWorkspace(kind, many);
    const tools = toolsOf(ws.files, { limits: { globFiles: 5, listEntries: 4, readLines: 2 } });
    const grep = await tools.run('grep', { pattern: 'hit', max_results: 4 });
    expect(grep.match(/:hit$/gm)).toHaveLength(4);
    expect(grep).toContain('there are more');
    expect(await tools.run('grep', { pattern: 'hit', max_results: 90 })).not.toContain('there are more');
    expect(await tools.run('glob', { pattern: '*.txt' })).toContain('Only 5 of 30 files');
    expect(await tools.run('list', {})).toContain('Only 4 of 30 names');
    expect(await tools.run('read', { file_path: 'f1.txt' })).toContain(
      'Lines 1 to 2 of 3; go on with offset 3',
    );
    const few = toolsOf(ws.files, { limits: { walkedFiles: 3 } });
    expect(await few.run('glob', { pattern: '*.txt' })).toContain('Stopped after 3 files');
  });

  test('context lines, case, filters and single files', async () => {
    await using ws = openWorkspace(kind, {
      'a.ts': '1\n2\nHit\n4\n5\n6\nhit\n',
      'src/b.css': 'hit',
      'src/c.ts': 'hit',
    });
    const tools = toolsOf(ws.files);
    expect(
      await tools.run('grep', { pattern: 'hit', context: 1, path: 'a.ts', case_insensitive: true }),
    ).toBe('a.ts-2-2\na.ts:3:Hit\na.ts-4-4\n--\na.ts-6-6\na.ts:7:hit\n[2 matches in 1 file]');
    expect(await tools.run('grep', { pattern: '(?i)HIT', glob: '*.ts' })).toContain('3 matches in 2 files');
    expect(await tools.run('grep', { pattern: 'hit', glob: 'src/**/*.{css,scss}' })).toContain(
      '1 match in 1 file',
    );
    expect(await tools.run('glob', { pattern: '*.css' })).toContain('For all folders use **/*.css');
    expect(await tools.run('glob', { pattern: './src/*.ts', path: '.' })).toBe('src/c.ts');
  });

  test('binary and large files are left out of grep, and said so', async () => {
    await using ws = openWorkspace(kind, {
      'b.bin': new Uint8Array([0, 1, 0, 0, 104, 105, 116]),
      'big.txt': 'hit'.repeat(100),
      'a.txt': 'hit',
    });
    const text = await toolsOf(ws.files, { limits: { grepFileBytes: 100 } }).run('grep', { pattern: 'hit' });
    expect(text).toContain('1 match in 1 file');
    expect(text).toContain('1 binary file left out');
    expect(text).toContain('Too large to search: big.txt');
  });

  test('an aborted call ends', async () => {
    await using ws = openWorkspace(kind, { 'a.txt': 'x' });
    const tools = toolsOf(ws.files, { signal: AbortSignal.abort() });
    for (const [name, input] of [
      ['read', { file_path: 'a.txt' }],
      ['grep', { pattern: 'x' }],
      ['glob', { pattern: '*' }],
      ['write', { file_path: 'a.txt', content: 'y' }],
    ] as const) {
      expect(await tools.fail(name, input)).toContain('Interrupted');
    }
    expect(ws.text('a.txt')).toBe('x');
  });
});
