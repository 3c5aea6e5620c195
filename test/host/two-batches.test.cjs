// Two batches at once in one window: what the gate promises, on the user's own files (DESIGN section 4).

const assert = require('node:assert/strict');
const fs = require('node:fs/promises');
const path = require('node:path');
const vscode = require('vscode');
const {
  createGatedTool,
  eventsOf,
  fileUri,
  folder,
  readFile,
  sleep,
  until,
  waves,
} = require('./helpers.cjs');

/** A call that holds one file for writing until it is released. */
const holder = (label, file) => ({
  id: label,
  name: 'hold',
  input: { label, key: fileUri(file).toString() },
});

describe('two batches at once', () => {
  let api;
  let tool;
  let registration;
  before(async () => {
    api = await waves();
    tool = createGatedTool('hold');
    registration = api.registerTool(tool);
  });
  after(() => registration.dispose());

  it('a call waits for one of the other batch that holds its file, and says for whom; others pass', async () => {
    const first = api.runBatch({ calls: [holder('h1', 'src/a.ts')] });
    await until(() => tool.started.includes('h1'));
    const second = api.runBatch({
      calls: [
        { id: 'r1', name: 'read', input: { file_path: 'src/a.ts' } },
        { id: 'r2', name: 'read', input: { file_path: 'src/b.ts' } },
      ],
      strategy: 'dataflow',
    });
    const id = await until(() => api.batches().filter(({ source }) => source === 'live')[1]?.id);
    await until(() => eventsOf(api.events(id), 'call-ended').length === 1);
    await sleep(50);
    const [waiting] = eventsOf(api.events(id), 'gate-waiting');
    assert.equal(waiting.call, 0);
    assert.equal(waiting.behind, 'hold "h1"');
    assert.ok(waiting.resource.endsWith('/src/a.ts'), waiting.resource);
    assert.deepEqual(
      eventsOf(api.events(id), 'call-started').map(({ call }) => call),
      [1],
    );
    tool.release('h1');
    const [{ results: held }, { results }] = await Promise.all([first, second]);
    assert.equal(held[0].content, 'released h1');
    assert.deepEqual(
      results.map(({ isError }) => isError),
      [false, false],
    );
  });

  it('two edits of one file through two names, in two batches, lose nothing', async () => {
    await vscode.workspace.fs.writeFile(fileUri('twice.txt'), Buffer.from('one\ntwo\nthree\n'));
    const link = path.join(folder().fsPath, 'alias');
    await fs.symlink(folder().fsPath, link, 'dir');
    try {
      const edit = (id, file_path, old_string, new_string) => ({
        id,
        name: 'edit',
        input: { file_path, old_string, new_string },
      });
      const [one, other] = await Promise.all([
        api.runBatch({ calls: [edit('e1', 'twice.txt', 'one', 'ONE')] }),
        api.runBatch({ calls: [edit('e2', 'alias/twice.txt', 'three', 'THREE')] }),
      ]);
      for (const { results } of [one, other]) assert.equal(results[0].isError, false, results[0].content);
      assert.equal(await readFile('twice.txt'), 'ONE\ntwo\nTHREE\n');
    } finally {
      await fs.unlink(link);
      await vscode.workspace.fs.delete(fileUri('twice.txt'));
    }
  });

  it('the key of a file is the same by every name, before and after it exists', async () => {
    const link = path.join(folder().fsPath, 'alias');
    await fs.mkdir(path.join(folder().fsPath, 'real'));
    await fs.symlink(path.join(folder().fsPath, 'real'), link, 'dir');
    const keys = async () => {
      const { events } = await api.runBatch({
        calls: ['real/x/new.txt', 'alias/x/new.txt', './real//x/../x/new.txt'].map((file_path, index) => ({
          id: `k${index}`,
          name: 'read',
          input: { file_path },
        })),
      });
      return eventsOf(events, 'call-declared').map(({ key }) => key);
    };
    try {
      const before = await keys();
      await api.runBatch({
        calls: [{ id: 'w', name: 'write', input: { file_path: 'alias/x/new.txt', content: 'B' } }],
      });
      const after = await keys();
      assert.equal(new Set([...before, ...after]).size, 1, JSON.stringify([before, after]));
    } finally {
      await fs.rm(path.join(folder().fsPath, 'real'), { recursive: true });
      await fs.unlink(link);
    }
  });

  it('each is cancelled on its own', async () => {
    const runs = ['c1', 'c2'].map((label) => api.runBatch({ calls: [holder(label, `${label}.txt`)] }));
    await until(() => tool.started.includes('c1') && tool.started.includes('c2'));
    const live = api.batches().filter(({ source }) => source === 'live');
    assert.equal(live.length, 2);
    assert.equal(api.cancel(live[0].id), true);
    assert.match((await runs[0]).aborted, /cancelled/);
    assert.equal(api.batches().filter(({ source }) => source === 'live').length, 1);
    tool.release('c2');
    assert.equal((await runs[1]).results[0].content, 'released c2');
    assert.equal(api.cancel(live[1].id), false);
    assert.equal(api.cancel('no such batch'), false);
  });

  it('a tool dispatches calls of its own under one permit, and is told at once what it holds itself', async () => {
    const parent = api.registerTool({
      name: 'parent',
      isSafeForConcurrentExecution: () => true,
      resourceKey: () => fileUri('src/b.ts').toString(),
      async run(_, context) {
        const results = await context.dispatch(
          ['src/a.ts', 'src/b.ts'].map((file_path) => ({
            id: file_path,
            name: 'read',
            input: { file_path },
          })),
        );
        return results.map(({ content, isError }) => `${isError}: ${content}`).join('\n');
      },
    });
    try {
      const { results } = await api.runBatch({
        calls: [{ id: 'p', name: 'parent', input: {} }],
        maxConcurrency: 1,
      });
      assert.match(results[0].content, /^false: /);
      assert.match(
        results[0].content,
        /true: not run: parent "p", which dispatched this call, holds .*src\/b\.ts/,
      );
    } finally {
      parent.dispose();
    }
  });

  it('in one session five equal calls in a row with equal results are a loop', async () => {
    const again = () =>
      api.runBatch({
        session: 'loop',
        onHardError: 'answer-all',
        calls: [{ id: 'r', name: 'read', input: { file_path: 'src/a.ts' } }],
      });
    for (let time = 1; time < 5; time++) assert.equal((await again()).results[0].isError, false);
    const { results, events } = await again();
    assert.match(results[0].content, /loop detected: read was called 5 times in a row/);
    assert.equal(events.at(-1).type, 'run-aborted');
    assert.match((await again()).results[0].content, /loop detected/);
  });
});
