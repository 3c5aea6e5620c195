// A message that streams in, in the real VS Code: early starts, what waits for its end, and cancelling in its midst.

const assert = require('node:assert/strict');
const vscode = require('vscode');
const {
  core,
  createGatedTool,
  eventsOf,
  fileUri,
  readFile,
  replace,
  sleep,
  until,
  waves,
} = require('./helpers.cjs');

/** The events of a batch, once it has ended. */
async function ended(api, id) {
  await until(() => api.events(id)?.some(({ type }) => type === 'run-ended' || type === 'run-aborted'));
  return api.events(id);
}

/** Neutral events of a stream, each after so many milliseconds. */
async function* paced(...list) {
  for (const [ms, event] of list) {
    await sleep(ms);
    yield event;
  }
}

const open = (index, name) => ({ type: 'call-opened', index, id: `c${index + 1}`, name });
const text = (index, piece) => ({ type: 'input-fragment', index, text: piece });
const close = (index) => ({ type: 'call-closed', index });

describe('a stream', () => {
  let api;
  before(async () => {
    api = await waves();
  });

  it('the sample stream: early runs that stand and that do not, and an edit when the message has ended', async () => {
    const before = await readFile('src/c.ts');
    const id = await vscode.commands.executeCommand('waves.runSampleStream');
    const events = await ended(api, id);
    assert.equal(events.at(-1).type, 'run-ended');
    const names = eventsOf(events, 'call-opened').map(({ name }) => name);
    assert.deepEqual(names, ['read', 'read', 'grep', 'edit', 'stat', 'read']);
    const confirmed = eventsOf(events, 'speculation-confirmed').map(({ call }) => call);
    assert.ok(confirmed.includes(0), `confirmed: ${confirmed}`);
    assert.deepEqual(
      eventsOf(events, 'speculation-discarded').map(({ call }) => call),
      [1],
    );
    const endOfMessage = eventsOf(events, 'message-ended')[0];
    const edit = eventsOf(events, 'call-started').find(({ call }) => call === 3);
    assert.ok(edit.seq > endOfMessage.seq, 'the edit began before the message had ended');
    const first = eventsOf(events, 'call-started').find(({ call }) => call === 0);
    const firstClosed = eventsOf(events, 'call-closed').find(({ call }) => call === 0);
    assert.ok(first.seq < firstClosed.seq, 'the first read did not begin early');
    assert.deepEqual(
      eventsOf(events, 'call-ended').map(({ outcome }) => outcome),
      Array(6).fill('ok'),
    );
    assert.notEqual(await readFile('src/c.ts'), before);
  });

  it('through the API: results in request order, as the stream comes', async () => {
    const { results, events } = await api.runBatch({
      calls: paced(
        [0, open(0, 'read')],
        [0, text(0, '{"file_path":"src/a.ts"')],
        [300, text(0, '}')],
        [0, close(0)],
        [0, open(1, 'stat')],
        [0, text(1, '{"path":"docs"}')],
        [0, close(1)],
        [100, { type: 'message-ended' }],
      ),
      strategy: 'dataflow',
    });
    assert.deepEqual(
      results.map(({ toolCallId, isError }) => [toolCallId, isError]),
      [
        ['c1', false],
        ['c2', false],
      ],
    );
    const [{ wonMs }] = eventsOf(events, 'speculation-confirmed');
    assert.ok(wonMs > 0);
  });

  it('an Anthropic stream through the adapter of the core', async () => {
    const { fromAnthropicStream } = await core();
    const provider = paced(
      [
        0,
        {
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'tool_use', id: 'x', name: 'read', input: {} },
        },
      ],
      [
        0,
        {
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'input_json_delta', partial_json: '{"file_path":"src/b.ts"}' },
        },
      ],
      [0, { type: 'content_block_stop', index: 0 }],
      [0, { type: 'message_stop' }],
    );
    const { results } = await api.runBatch({ calls: fromAnthropicStream(provider) });
    assert.deepEqual([results[0].toolCallId, results[0].isError], ['x', false]);
  });

  it('a stream that breaks hands nothing out, and its edit never ran', async () => {
    const before = await readFile('src/b.ts');
    const edit = { file_path: 'src/b.ts', old_string: before.slice(0, 5), new_string: 'never' };
    const { results, aborted } = await api.runBatch({
      calls: paced(
        [0, open(0, 'edit')],
        [0, text(0, JSON.stringify(edit))],
        [0, close(0)],
        [200, open(0, 'edit')],
      ),
      onHardError: 'answer-all',
    });
    assert.equal(results, undefined);
    assert.match(aborted, /stream broke/);
    assert.equal(await readFile('src/b.ts'), before);
  });

  it('cancelling in its midst ends it, and the source is not waited for', async () => {
    const running = api.runBatch({
      calls: paced([0, open(0, 'read')], [0, text(0, '{"file_path":"src/a.ts"')], [60_000, text(0, '}')]),
      onHardError: 'answer-all',
    });
    await until(() => api.batches().some(({ source }) => source === 'live'));
    await sleep(100);
    assert.equal(api.cancel(), true);
    const { results, events } = await running;
    assert.deepEqual(
      results.map(({ isError }) => isError),
      [true],
    );
    assert.equal(events.at(-1).type, 'run-ended');
    assert.equal(events.at(-1).how, 'cancelled');
    const held = new Set();
    for (const event of events) {
      if (event.type === 'permit-taken') held.add(event.permit);
      if (event.type === 'permit-returned') held.delete(event.permit);
    }
    assert.equal(held.size, 0);
  });

  it('the recording of a stream is saved, and opened again as it was', async () => {
    const file = fileUri('streamed.waves.jsonl');
    const id = await vscode.commands.executeCommand('waves.runSampleStream');
    try {
      await vscode.commands.executeCommand('waves.saveRecording', file);
      const again = await vscode.commands.executeCommand('waves.openRecording', file);
      assert.deepEqual(api.events(again), api.events(id));
      assert.deepEqual(api.batches().at(-1).notes, []);
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.workspace.fs.delete(file);
    }
  });

  it('Cancel Batch in the midst of the sample stream: nothing arrives, starts or is written after it', async () => {
    const before = await readFile('src/c.ts');
    const running = vscode.commands.executeCommand('waves.runSampleStream');
    const { id } = await until(() => api.batches().find(({ source }) => source === 'live'));
    await until(() => eventsOf(api.events(id), 'call-opened').length === 3);
    const began = Date.now();
    await vscode.commands.executeCommand('waves.cancelBatch');
    assert.equal(await running, id);
    assert.ok(Date.now() - began < 1_500, `${Date.now() - began} ms`);
    const events = [...api.events(id)];
    assert.deepEqual([events.at(-1).type, events.at(-1).how], ['run-aborted', 'cancelled']);
    assert.equal(eventsOf(events, 'permit-returned').length, eventsOf(events, 'permit-taken').length);
    await sleep(2_500); // the rest of the stream would have come by now
    assert.deepEqual(api.events(id), events);
    const told = replace(vscode.window, 'showInformationMessage', async () => undefined);
    try {
      await vscode.commands.executeCommand('waves.cancelBatch');
      assert.match(told.calls[0][0], /No batch is running/);
    } finally {
      told.restore();
    }
    assert.equal(await readFile('src/c.ts'), before);
  });

  it('the sample stream in any other workspace works on a copy in memory, and says so', async () => {
    const marker = fileUri('.waves-sample');
    const aside = fileUri('.aside');
    await vscode.workspace.fs.rename(marker, aside);
    try {
      const before = await readFile('src/c.ts');
      const id = await vscode.commands.executeCommand('waves.runSampleStream');
      assert.equal(await readFile('src/c.ts'), before);
      assert.match(api.batches().at(-1).notes[0], /in memory: none of your files was touched/);
      assert.equal(api.events(id).at(-1).type, 'run-ended');
    } finally {
      await vscode.workspace.fs.rename(aside, marker);
    }
  });

  it('a call that arrives waits for one of another batch that holds its file', async () => {
    const tool = createGatedTool('hold-file');
    const registration = api.registerTool(tool);
    try {
      const input = { label: 'h', key: fileUri('src/a.ts').toString() };
      const holding = api.runBatch({ calls: [{ id: 'h', name: 'hold-file', input }] });
      await until(() => tool.started.includes('h'));
      const streaming = api.runBatch({
        calls: paced(
          [0, open(0, 'read')],
          [0, text(0, '{"file_path":"src/a.ts"}')],
          [0, close(0)],
          [0, { type: 'message-ended' }],
        ),
      });
      const { id } = await until(() => api.batches().filter(({ source }) => source === 'live')[1]);
      await until(() => eventsOf(api.events(id), 'gate-waiting').length === 1);
      assert.equal(eventsOf(api.events(id), 'call-ended').length, 0);
      tool.release('h');
      await holding;
      assert.equal((await streaming).results[0].isError, false);
    } finally {
      registration.dispose();
    }
  });
});
