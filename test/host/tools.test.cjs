// The workspace tools inside a real VS Code: what the editor adds to what test/unit/tools checks.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');
const { waves, folder, sleep, until } = require('./helpers.cjs');

const ROOT = path.resolve(__dirname, '../..');

const root = () => path.join(folder().fsPath, 'tools-test');
const at = (name) => path.join(root(), name);
const uriOf = (name) => vscode.Uri.file(at(name));
const put = (name, content) => {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true });
  fs.writeFileSync(at(name), content);
};
const text = (name) => fs.readFileSync(at(name), 'utf8');
const bytes = (name) => [...fs.readFileSync(at(name))];

/** Runs calls one after another in one batch, and gives their results. */
async function run(...calls) {
  const api = await waves();
  const numbered = calls.map(([name, input], i) => ({ id: `c${i}`, name, input }));
  return (await api.runBatch({ calls: numbered, strategy: 'sequential' })).results;
}

async function ok(name, input) {
  const [result] = await run([name, input]);
  assert.equal(result.isError, false, String(result.content));
  return result.content;
}

async function refused(name, input, words) {
  const [result] = await run([name, input]);
  assert.equal(result.isError, true, String(result.content));
  assert.match(String(result.content), words);
}

const edit = (name, old_string, new_string) => [
  'edit',
  { file_path: `tools-test/${name}`, old_string, new_string },
];
const open = async (name) => {
  const document = await vscode.workspace.openTextDocument(uriOf(name));
  await vscode.window.showTextDocument(document);
  return document;
};
const type = async (document, words) => {
  const change = new vscode.WorkspaceEdit();
  change.insert(document.uri, document.positionAt(document.getText().length), words);
  assert.equal(await vscode.workspace.applyEdit(change), true);
  assert.equal(document.isDirty, true);
};

/** Waits for the background save of a setting, and puts the old value back after `work`. */
async function withSetting(section, name, value, work) {
  const settings = vscode.workspace.getConfiguration(section);
  const before = settings.inspect(name).globalValue;
  await settings.update(name, value, vscode.ConfigurationTarget.Global);
  try {
    return await work();
  } finally {
    await vscode.workspace.getConfiguration(section).update(name, before, vscode.ConfigurationTarget.Global);
  }
}

describe('the workspace tools in the editor', () => {
  let number = 0;
  let name;
  beforeEach(() => {
    name = `f${++number}.txt`;
  });
  afterEach(async () => {
    for (const document of vscode.workspace.textDocuments) {
      if (!document.isDirty) continue;
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(() => fs.rmSync(root(), { recursive: true, force: true }));

  it('case 18: read and grep see unsaved text', async () => {
    put(name, 'a\nb\n');
    await type(await open(name), 'UNSAVED\n');
    assert.match(await ok('read', { file_path: `tools-test/${name}` }), /3\tUNSAVED/);
    assert.match(
      await ok('grep', { pattern: 'UNSAVED', path: 'tools-test' }),
      new RegExp(`${name}:3:UNSAVED`),
    );
    assert.equal(text(name), 'a\nb\n');
  });

  it('case 18: an edit keeps unsaved text, saves both, and is one undo step', async () => {
    put(name, 'a\nb\nx x\n');
    const document = await open(name);
    await type(document, 'U\n');
    await ok('edit', {
      file_path: `tools-test/${name}`,
      old_string: 'x',
      new_string: 'Y',
      replace_all: true,
    });
    assert.equal(document.getText(), 'a\nb\nY Y\nU\n');
    assert.equal(document.isDirty, false);
    assert.equal(text(name), 'a\nb\nY Y\nU\n');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'a\nb\nx x\nU\n');
  });

  it('an edit of an open file without changes is one undo step and leaves it saved', async () => {
    put(name, 'one two\n');
    const document = await open(name);
    await ok(...edit(name, 'one', 'ONE'));
    assert.equal(document.getText(), 'ONE two\n');
    assert.equal(document.isDirty, false);
    assert.equal(text(name), 'ONE two\n');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'one two\n');
  });

  it('case 18: a new file that was never saved is read and edited, not "not found"', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'draft one\n' });
    const uri = document.uri.toString();
    assert.match(await ok('read', { file_path: uri }), /1\tdraft one/);
    assert.match(await ok('edit', { file_path: uri, old_string: 'one', new_string: 'two' }), /not saved yet/);
    assert.equal(document.getText(), 'draft two\n');
  });

  it('case 18: a new file with a name in the workspace is read under that name, and an edit saves it', async () => {
    fs.mkdirSync(root(), { recursive: true });
    const document = await vscode.workspace.openTextDocument(uriOf(name).with({ scheme: 'untitled' }));
    await vscode.window.showTextDocument(document);
    await type(document, 'planned\n');
    assert.match(await ok('read', { file_path: `tools-test/${name}` }), /1\tplanned/);
    await ok(...edit(name, 'planned', 'done'));
    assert.equal(text(name), 'done\n');
  });

  it('case X6: an edit of a closed file with autosave off is on disk and leaves no dirty editor', async () => {
    put(name, 'a\n');
    await withSetting('files', 'autoSave', 'off', () => ok(...edit(name, 'a', 'b')));
    assert.equal(text(name), 'b\n');
    assert.equal(vscode.workspace.textDocuments.filter((one) => one.isDirty).length, 0);
    assert.equal(
      vscode.workspace.textDocuments.some((one) => one.uri.fsPath === at(name)),
      false,
    );
    assert.equal(vscode.window.tabGroups.all.flatMap((group) => group.tabs).length, 0);
  });

  it('cases 20 and 21: CRLF, BOM and UTF-16 survive, in closed and in open files', async () => {
    for (const shown of [false, true]) {
      for (const [which, head] of [
        ['crlf', []],
        ['bom', [0xef, 0xbb, 0xbf]],
      ]) {
        const file = `${which}-${shown}.txt`;
        put(file, Buffer.from([...head, ...Buffer.from('a\r\nb\r\nc')]));
        if (shown) await open(file);
        await ok(...edit(file, 'a\nb', 'A\nB'));
        assert.deepEqual(bytes(file), [...head, ...Buffer.from('A\r\nB\r\nc')], file);
      }
      const wide = `utf16-${shown}.txt`;
      put(wide, Buffer.from('\ufeffaé\n', 'utf16le'));
      if (shown) await open(wide);
      await ok(...edit(wide, 'aé', 'bü'));
      assert.deepEqual(bytes(wide), [...Buffer.from('\ufeffbü\n', 'utf16le')], wide);
    }
  });

  it('case 21: mixed line ends survive an edit of an open file', async () => {
    put(name, 'a\nb\r\nc\n');
    const document = await open(name);
    await ok(...edit(name, 'a', 'A'));
    assert.equal(text(name), 'A\nb\r\nc\n');
    assert.match(await ok('read', { file_path: `tools-test/${name}` }), /1\tA/);
    await until(() => document.getText().startsWith('A'));
    assert.equal(document.isDirty, false);
  });

  it('case 20: Latin-1 is refused and left alone, until the user says what it is', async () => {
    const latin = [0x78, 0x3d, 0x31, 0x0a, 0x63, 0xe9, 0x0a];
    put(name, Buffer.from(latin));
    await refused(...edit(name, 'x=1', 'x=2'), /not valid UTF-8/);
    await open(name);
    await refused(...edit(name, 'x=1', 'x=2'), /not valid UTF-8/);
    assert.deepEqual(bytes(name), latin);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await withSetting('files', 'encoding', 'windows1252', async () => {
      put(`w-${name}`, Buffer.from(latin));
      await ok(...edit(`w-${name}`, 'x=1', 'x=ü'));
      assert.deepEqual(bytes(`w-${name}`), [0x78, 0x3d, 0xfc, 0x0a, 0x63, 0xe9, 0x0a]);
      await refused(...edit(`w-${name}`, 'x=ü', 'x=日'), /cannot hold all characters/);
    });
  });

  it('case 32: own writes are not stale, those of others are', async () => {
    put(name, 'one two three\n');
    const results = await run(
      ['read', { file_path: `tools-test/${name}` }],
      edit(name, 'one', 'ONE'),
      edit(name, 'two', 'TWO'),
    );
    assert.deepEqual(
      results.map((result) => result.isError),
      [false, false, false],
    );
    put(name, 'ONE TWO four\n');
    await refused(...edit(name, 'four', 'FOUR'), /changed since it was read/);
    await ok('read', { file_path: `tools-test/${name}` });
    await ok(...edit(name, 'four', 'FOUR'));
    assert.equal(text(name), 'ONE TWO FOUR\n');
  });

  it('case 32: an open file written by somebody else just now is read as it is on disk', async () => {
    put(name, 'old\n');
    await open(name);
    put(name, 'new\n');
    assert.match(await ok('read', { file_path: `tools-test/${name}` }), /1\tnew/);
    await ok(...edit(name, 'new', 'newer'));
    assert.equal(text(name), 'newer\n');
  });

  it('case 41: .gitignore is honoured, and what was left out is said', async () => {
    put('.gitignore', 'out/\n');
    put('out/x.txt', 'needle');
    put('in.txt', 'needle');
    const grep = await ok('grep', { pattern: 'needle', path: 'tools-test' });
    assert.match(grep, /in\.txt:1:needle/);
    assert.doesNotMatch(grep, /out\/x\.txt/);
    assert.match(grep, /Left out: 1 ignored/);
    assert.match(await ok('glob', { pattern: '**/x.txt', path: 'tools-test' }), /1 ignored.*out\//);
  });

  it('case 19: nothing outside the workspace is read or written', async () => {
    const outside = `${folder().fsPath}-evil`;
    fs.mkdirSync(outside);
    try {
      fs.writeFileSync(path.join(outside, 'x'), 'secret');
      fs.mkdirSync(root(), { recursive: true });
      fs.symlinkSync(outside, at('dirlink'));
      fs.symlinkSync(path.join(outside, 'new'), at('dangling'));
      for (const file_path of [
        path.join(outside, 'x'),
        `../${path.basename(outside)}/x`,
        'tools-test/dirlink/x',
      ]) {
        await refused('read', { file_path }, /outside the workspace/);
        await refused('edit', { file_path, old_string: 'secret', new_string: 'x' }, /outside the workspace/);
      }
      await refused('write', { file_path: 'tools-test/dangling', content: 'x' }, /outside the workspace/);
      assert.deepEqual(fs.readdirSync(outside), ['x']);
      assert.equal(fs.readFileSync(path.join(outside, 'x'), 'utf8'), 'secret');
    } finally {
      fs.rmSync(outside, { recursive: true });
    }
  });

  it('case 33: a hostile pattern times out and does not stall the host', async () => {
    put('hostile/a.txt', `${'a'.repeat(40)}!`);
    await ok('grep', { pattern: 'a', path: 'tools-test/hostile' });
    let ticks = 0;
    let last = Date.now();
    let lag = 0;
    const ticking = setInterval(() => {
      ticks++;
      lag = Math.max(lag, Date.now() - last - 20);
      last = Date.now();
    }, 20);
    await refused('grep', { pattern: '(a+)+$', path: 'tools-test/hostile' }, /timed out/);
    clearInterval(ticking);
    assert.ok(ticks > 20, `${ticks} ticks`);
    assert.ok(lag < 1000, `lag ${lag} ms`); // a blocked host would stall for minutes; the machine may be busy
  });

  it('case 40: an edit through a link keeps link and mode', async () => {
    put('target.sh', 'old\n');
    fs.chmodSync(at('target.sh'), 0o755);
    fs.symlinkSync('target.sh', at('link.sh'));
    await ok(...edit('link.sh', 'old', 'new'));
    assert.equal(fs.lstatSync(at('link.sh')).isSymbolicLink(), true);
    assert.equal(text('target.sh'), 'new\n');
    assert.equal(fs.statSync(at('target.sh')).mode & 0o777, 0o755);
  });

  it('write: a text with its own line ends replaces an open file exactly', async () => {
    put(name, 'a\r\nb\r\n');
    const document = await open(name);
    await ok('write', { file_path: `tools-test/${name}`, content: 'x\ny  ' });
    assert.equal(text(name), 'x\ny  ');
    assert.equal(document.getText(), 'x\ny  ');
    assert.equal(document.isDirty, false);
  });

  it('write: unsaved text that nobody has read is not replaced', async () => {
    put(name, 'a\n');
    const document = await open(name);
    await type(document, 'U\n');
    await refused('write', { file_path: `tools-test/${name}`, content: 'z' }, /unsaved changes/);
    assert.equal(document.getText(), 'a\nU\n');
  });

  it('a save that the editor refuses is told, and the unsaved text stays', async () => {
    put(name, 'a\n');
    const document = await open(name);
    await type(document, 'U\n');
    await sleep(50);
    put(name, 'a\nsomebody else\n');
    fs.utimesSync(at(name), new Date(), new Date(Date.now() + 5000));
    const [result] = await run(edit(name, 'a', 'A'));
    assert.equal(result.isError, true);
    assert.match(result.content, /could not be saved/);
    assert.equal(document.getText(), 'A\nU\n');
    assert.equal(text(name), 'a\nsomebody else\n');
  });

  it('case X4: files of another scheme go through the file service of the editor', async () => {
    const held = new Map([['/x.txt', Buffer.from('virtual one\r\n')]]);
    const provider = vscode.workspace.registerFileSystemProvider('wavestest', memoryProvider(held));
    const { createVirtualTools } = await bundled();
    const call = createVirtualTools([{ name: 'm', uri: 'wavestest:/' }]);
    try {
      assert.match(await call('read', { file_path: 'wavestest:/x.txt' }), /1\tvirtual one/);
      assert.match(
        await call('edit', { file_path: 'x.txt', old_string: 'one', new_string: 'two' }),
        /Replaced 1/,
      );
      assert.equal(Buffer.from(held.get('/x.txt')).toString(), 'virtual two\r\n');
      assert.match(await call('write', { file_path: 'new/y.txt', content: 'y' }), /Created new\/y\.txt/);
      assert.equal(Buffer.from(held.get('/new/y.txt')).toString(), 'y');
      assert.match(await call('grep', { pattern: 'two' }), /x\.txt:1:virtual two/);
      await assert.rejects(call('read', { file_path: 'link.txt' }), /reached through a link/);
      await assert.rejects(call('read', { file_path: 'file:///x.txt' }), /outside the workspace/);
      assert.equal(
        vscode.workspace.textDocuments.some((one) => one.isDirty),
        false,
      );
    } finally {
      provider.dispose();
    }
  });
});

/** The tools on a virtual workspace; adding such a folder to this window would restart its extension host. */
async function bundled() {
  const scratch = fs.mkdtempSync(path.join(ROOT, '.vscode-test', 'virtual-'));
  const outfile = path.join(scratch, 'tools.cjs');
  const contents = `
    import { createDocuments } from './src/host/filesDocuments.ts';
    import { createVirtualDisk } from './src/host/filesVirtual.ts';
    import { createFiles } from './src/tools/files.ts';
    import { createLocalMatcher } from './src/tools/localMatcher.ts';
    import { unicodeOnly } from './src/tools/memoryFiles.ts';
    import { createSession } from './src/tools/session.ts';
    import { createWorkspaceTools } from './src/tools/workspaceTools.ts';
    export function createVirtualTools(roots) {
      const parts = { roots: () => roots, disk: createVirtualDisk(), documents: createDocuments(), codec: unicodeOnly() };
      const ports = { files: createFiles(parts), matcher: createLocalMatcher(), session: createSession() };
      const tools = createWorkspaceTools(ports, { profile: 'published' });
      const context = { signal: new AbortController().signal, report() {}, progress() {}, whenHandedOut: (then) => then() };
      return (name, input) => tools.find((tool) => tool.name === name).run(input, context);
    }`;
  try {
    await require('esbuild').build({
      stdin: { contents, resolveDir: ROOT, loader: 'ts' },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      external: ['vscode'],
    });
    return require(outfile);
  } finally {
    fs.rmSync(scratch, { recursive: true });
  }
}

/** A file system in a map, with one link in it. */
function memoryProvider(held) {
  const { Directory, File, SymbolicLink } = vscode.FileType;
  const isFolder = (name) => name === '/' || [...held.keys()].some((one) => one.startsWith(`${name}/`));
  const stat = (type, size = 0) => ({ type, ctime: 0, mtime: 1, size });
  const missing = (uri) => vscode.FileSystemError.FileNotFound(uri);
  return {
    onDidChangeFile: new vscode.EventEmitter().event,
    watch: () => ({ dispose() {} }),
    stat(uri) {
      if (isFolder(uri.path)) return stat(Directory);
      if (uri.path === '/link.txt') return stat(File | SymbolicLink);
      if (!held.has(uri.path)) throw missing(uri);
      return stat(File, held.get(uri.path).length);
    },
    readDirectory: (uri) =>
      uri.path !== '/'
        ? [['y.txt', File]]
        : [
            ['x.txt', File],
            ['link.txt', File | SymbolicLink],
            ['new', Directory],
          ],
    createDirectory() {},
    readFile(uri) {
      if (!held.has(uri.path)) throw missing(uri);
      return held.get(uri.path);
    },
    writeFile: (uri, content) => void held.set(uri.path, content),
    delete() {},
    rename() {},
  };
}
