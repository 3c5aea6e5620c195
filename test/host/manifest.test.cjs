const assert = require('node:assert/strict');
const vscode = require('vscode');
const { waves } = require('./helpers.cjs');

const manifest = () => vscode.extensions.getExtension('waves.waves').packageJSON;

describe('the manifest', () => {
  it('names exactly the commands that exist', async () => {
    await waves();
    const known = new Set(await vscode.commands.getCommands(true));
    const named = manifest().contributes.commands.map(({ command }) => command);
    assert.deepEqual(
      named.filter((command) => !known.has(command)),
      [],
    );
    // Stop Waiting is offered by the panel, while a cancelled batch does not end.
    const hidden = [...known].filter((command) => /^waves\./.test(command) && !named.includes(command));
    assert.deepEqual(hidden, ['waves.stopWaiting']);
  });

  it('has the palette titles that the documentation names', () => {
    const titles = manifest().contributes.commands.map(({ category, title }) => `${category}: ${title}`);
    for (const title of [
      'Waves: Run Sample Batch',
      'Waves: Run Sample Stream',
      'Waves: Run Batch…',
      'Waves: Cancel Batch',
      'Waves: Show Panel',
      'Waves: Open Recording…',
      'Waves: Save Recording…',
      'Waves: Next Step',
    ])
      assert.ok(titles.includes(title), title);
    assert.equal(new Set(titles).size, titles.length);
  });

  it('describes every setting and each of its values', () => {
    for (const [name, setting] of Object.entries(manifest().contributes.configuration.properties)) {
      assert.match(setting.description, /\.$/, name);
      assert.equal(setting.enumDescriptions?.length, setting.enum?.length, name);
      assert.notEqual(vscode.workspace.getConfiguration().get(name), undefined, name);
    }
  });

  it('asks for no proposed API and starts with nothing but its own commands and panel', () => {
    assert.equal(manifest().enabledApiProposals, undefined);
    assert.deepEqual(
      manifest().activationEvents.filter((event) => !event.startsWith('onCommand:')),
      ['onWebviewPanel:waves.panel'],
    );
  });
});
