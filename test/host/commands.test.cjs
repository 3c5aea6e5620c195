const assert = require('node:assert/strict');
const vscode = require('vscode');
const { waves, fileUri, readFile, replace, sixCalls, until } = require('./helpers.cjs');

const run = (command, ...values) => vscode.commands.executeCommand(command, ...values);
const closeAll = () => run('workbench.action.closeAllEditors');

describe('the commands', () => {
  before(closeAll);
  afterEach(closeAll);

  it('Run Batch… takes the clipboard where no JSON is open, and asks once with the list of writes', async () => {
    const api = await waves();
    await vscode.env.clipboard.writeText(await readFile('six-calls.openai.json'));
    const before = await readFile('src/c.ts');
    let answer;
    const dialogs = replace(vscode.window, 'showWarningMessage', async () => answer);
    try {
      assert.equal(await run('waves.runBatch'), undefined);
      assert.equal(await readFile('src/c.ts'), before, 'refused: nothing was written');
      const [question, options, button] = dialogs.calls[0];
      assert.equal(question, 'Run 6 calls on this workspace?');
      assert.equal(options.modal, true);
      assert.equal(options.detail, 'One of them writes:\n\n#3  edit src/c.ts');
      answer = button;
      const id = await run('waves.runBatch');
      assert.equal(api.events(id).at(-1).type, 'run-ended');
      assert.notEqual(await readFile('src/c.ts'), before);
      assert.equal(dialogs.calls.length, 2);
    } finally {
      dialogs.restore();
    }
  });

  it('Run Batch… says where the clipboard is wrong and opens it as text', async () => {
    await waves();
    await vscode.env.clipboard.writeText('[\n  { "name": "read", }\n]');
    const errors = replace(vscode.window, 'showErrorMessage', async (_, ...buttons) => buttons[0]);
    try {
      await run('waves.runBatch');
      const [sentence, button] = errors.calls[0];
      assert.match(sentence, /^Line 2, column \d+ of the clipboard: .*Waves reads plain calls/);
      assert.equal(button, 'Open as Text');
      const editor = await until(() => vscode.window.activeTextEditor);
      assert.equal(editor.document.languageId, 'json');
      assert.equal(editor.selection.active.line, 1);
    } finally {
      errors.restore();
      await run('workbench.action.revertAndCloseActiveEditor');
    }
  });

  for (const [text, sentence] of [
    ['no batch at all', /^Neither the active editor nor the clipboard holds a batch as JSON\. Waves reads/],
    ['[]', /The batch is empty: it holds no tool call\./],
  ])
    it(`Run Batch… has a sentence for ${JSON.stringify(text)}`, async () => {
      await waves();
      await vscode.env.clipboard.writeText(text);
      const errors = replace(vscode.window, 'showErrorMessage', async () => undefined);
      try {
        await run('waves.runBatch');
        assert.match(errors.calls[0][0], sentence);
      } finally {
        errors.restore();
      }
    });

  it('a cancelled batch whose call does not end is waited for until the user stops waiting', async () => {
    const api = await waves();
    const registration = api.registerTool({ name: 'deaf', run: () => new Promise(() => {}) });
    try {
      const running = api.runBatch({
        calls: [{ id: '1', name: 'deaf', input: {} }],
        onHardError: 'answer-all',
      });
      await until(() => api.batches().at(-1)?.source === 'live');
      await until(() => api.events(api.batches().at(-1).id).some(({ type }) => type === 'call-started'));
      const began = Date.now();
      await run('waves.cancelBatch');
      await run('waves.cancelBatch');
      const { results } = await running;
      assert.ok(Date.now() - began < 4_000, 'the grace period is 5 s');
      assert.match(results[0].content, /may still be running/);
    } finally {
      registration.dispose();
    }
  });

  it('Run Sample Batch in any other workspace works on a copy in memory, and says so', async () => {
    const api = await waves();
    const marker = fileUri('.waves-sample');
    const aside = fileUri('.aside');
    await vscode.workspace.fs.rename(marker, aside);
    try {
      const before = await readFile('src/c.ts');
      const id = await run('waves.runSampleBatch');
      assert.equal(await readFile('src/c.ts'), before);
      assert.match(api.batches().at(-1).notes[0], /in memory: none of your files was touched/);
      assert.equal(api.events(id).at(-1).type, 'run-ended');
    } finally {
      await vscode.workspace.fs.rename(aside, marker);
    }
  });

  it('Open Recording… says so when a file is no recording', async () => {
    await waves();
    const errors = replace(vscode.window, 'showErrorMessage', async () => undefined);
    try {
      await run('waves.openRecording', fileUri('six-calls.json'));
      assert.match(
        errors.calls[0][0],
        /^six-calls\.json could not be opened\. This is no recording of Waves/,
      );
    } finally {
      errors.restore();
    }
  });

  it('three forms of one batch are the same calls', async () => {
    const plain = (await sixCalls()).map(({ name, input }) => ({ name, input }));
    const anthropic = JSON.parse(await readFile('six-calls.anthropic.json'))
      .content.filter(({ type }) => type === 'tool_use')
      .map(({ name, input }) => ({ name, input }));
    const openAi = JSON.parse(await readFile('six-calls.openai.json')).tool_calls.map(
      ({ function: { name, arguments: text } }) => ({ name, input: JSON.parse(text) }),
    );
    assert.deepEqual(anthropic, plain);
    assert.deepEqual(openAi, plain);
  });
});
