const assert = require('node:assert/strict');
const vscode = require('vscode');
const { waves, createGatedTool, sixCalls, until } = require('./helpers.cjs');

const close = async (api) => {
  const tab = await until(() => findTab());
  await vscode.window.tabGroups.close(tab);
  await until(() => !api.panel().open);
};

const findTab = () =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .find(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('waves.panel'));

describe('the panel', () => {
  const closeAll = () => vscode.commands.executeCommand('workbench.action.closeAllEditors');
  before(closeAll);
  afterEach(closeAll);

  it('is opened by the sample command, beside the editor, without the focus', async () => {
    const api = await waves();
    const document = await vscode.workspace.openTextDocument(
      vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, 'README.md'),
    );
    await vscode.window.showTextDocument(document);
    const id = await vscode.commands.executeCommand('waves.runSampleBatch');
    const events = api.events(id);
    assert.equal(events.at(-1).type, 'run-ended');
    assert.deepEqual(api.batches().find((batch) => batch.id === id).notes, []);
    await until(() => api.panel().batchId === id && api.panel().sent === events.length);
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), document.uri.toString());
    assert.match(findTab().label, /^Waves: batch \d+$/);
  });

  it('gets the whole log when its page is ready, and few messages', async () => {
    const api = await waves();
    await vscode.commands.executeCommand('waves.showPanel');
    await until(() => api.panel().readies > 0);
    const before = api.panel().messages;
    const calls = Array.from({ length: 200 }, (_, index) => ({
      id: `${index}`,
      name: 'read',
      input: { file_path: 'src/a.ts' },
    }));
    const began = Date.now();
    const { id, events } = await api.runBatch({ calls, strategy: 'batches' });
    await until(() => api.panel().batchId === id && api.panel().sent === events.length);
    const allowed = 3 + Math.ceil((Date.now() - began) / 30);
    const sent = api.panel().messages - before;
    assert.ok(sent <= allowed, `${sent} messages, ${allowed} allowed, for ${events.length} events`);
  });

  it('closed in mid-run leaves the batch running', async () => {
    const api = await waves();
    const tool = createGatedTool();
    const registration = api.registerTool(tool);
    try {
      await vscode.commands.executeCommand('waves.showPanel');
      const running = api.runBatch({
        calls: [
          { id: '1', name: 'wait', input: { label: 'slow' } },
          { id: '2', name: 'read', input: { file_path: 'src/a.ts' } },
        ],
        strategy: 'first-fit',
      });
      await until(() => tool.started.length === 1);
      await close(api);
      tool.release('slow');
      const { results } = await running;
      assert.deepEqual(
        results.map(({ isError }) => isError),
        [false, false],
      );
    } finally {
      registration.dispose();
    }
  });

  it('opened and closed 50 times during a batch leaves no listener behind', async () => {
    const api = await waves();
    const tool = createGatedTool();
    const registration = api.registerTool(tool);
    try {
      const running = api.runBatch({
        calls: [
          { id: '1', name: 'wait', input: { label: 'slow' } },
          { id: '2', name: 'read', input: { file_path: 'src/a.ts' } },
        ],
        strategy: 'first-fit',
      });
      await until(() => tool.started.length === 1);
      const closed = api.panel().listeners;
      await vscode.commands.executeCommand('waves.showPanel');
      const open = api.panel().listeners;
      await close(api);
      for (let time = 0; time < 50; time++) {
        await vscode.commands.executeCommand('waves.showPanel');
        assert.equal(api.panel().listeners, open);
        await close(api);
        assert.equal(api.panel().listeners, closed);
      }
      tool.release('slow');
      assert.equal((await running).results.length, 2);
    } finally {
      registration.dispose();
    }
  }).timeout(120_000);

  it('is hidden and shown again with everything that happened meanwhile', async () => {
    const api = await waves();
    await vscode.commands.executeCommand('waves.showPanel');
    await until(() => api.panel().readies === 1);
    const column = findTab().group.viewColumn;
    const document = await vscode.workspace.openTextDocument({ content: 'in front of the panel' });
    await vscode.window.showTextDocument(document, { viewColumn: column });
    await until(() => !api.panel().visible);
    const { messages } = api.panel();
    const { id, events } = await api.runBatch({ calls: await sixCalls(), files: 'sample' });
    assert.equal(api.panel().messages, messages, 'a hidden page gets nothing');
    await vscode.commands.executeCommand('waves.showPanel');
    await until(() => api.panel().visible && api.panel().readies === 2 && api.panel().sent === events.length);
    assert.equal(api.panel().batchId, id);
    await vscode.window.showTextDocument(document, { viewColumn: column });
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('opens by itself only where waves.openOnBatch says so', async () => {
    const api = await waves();
    const configuration = vscode.workspace.getConfiguration('waves');
    const set = async (value) =>
      configuration.update('openOnBatch', value, vscode.ConfigurationTarget.Global);
    const calls = await sixCalls();
    try {
      await api.runBatch({ calls, files: 'sample' });
      assert.equal(api.panel().open, false);
      await set('firstInSession');
      await api.runBatch({ calls, files: 'sample' });
      assert.equal(api.panel().open, false, 'it is not the first batch of the session');
      await set('always');
      await api.runBatch({ calls, files: 'sample' });
      assert.equal(api.panel().open, true);
    } finally {
      await set(undefined);
    }
  });
});
