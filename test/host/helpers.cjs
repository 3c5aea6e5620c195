// What the host tests share: the extension's API, waiting, the core, and slow tools.

const path = require('node:path');
const { pathToFileURL } = require('node:url');
const vscode = require('vscode');

const ROOT = path.resolve(__dirname, '../..');

/** Waves' API; activates the extension. */
exports.waves = () => vscode.extensions.getExtension('waves.waves').activate();

/** The core as other programs get it. */
exports.core = () => import(pathToFileURL(path.join(ROOT, 'dist', 'core.mjs')).href);

/** The workspace folder, a copy of the sample workspace. */
exports.folder = () => vscode.workspace.workspaceFolders[0].uri;

exports.fileUri = (name) => vscode.Uri.joinPath(exports.folder(), name);

exports.readFile = async (name) =>
  new TextDecoder().decode(await vscode.workspace.fs.readFile(exports.fileUri(name)));

/** The sample batch, as it stands in the workspace. */
exports.sixCalls = async () => JSON.parse(await exports.readFile('six-calls.json')).calls;

/** Resolves to what `ask` gives as soon as that is truthy. */
exports.until = async (ask, ms = 15_000) => {
  for (const end = Date.now() + ms; ; ) {
    const value = await ask();
    if (value) return value;
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${ask}`);
    await exports.sleep(20);
  }
};

exports.sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The most permits that were held at once, while `select` says so. */
exports.mostHeld = (events, select = () => true) => {
  let held = 0;
  let most = 0;
  for (const event of events) {
    if (event.type === 'permit-taken' && select(event)) most = Math.max(most, ++held);
    if (event.type === 'permit-returned' && select(event)) held--;
  }
  return most;
};

exports.eventsOf = (events, type) => events.filter((event) => event.type === type);

/**
 * A tool that runs until released, or until its signal is aborted. Calls of it are counted; `safe` and `key` come
 * from the input.
 */
exports.createGatedTool = (name = 'wait') => {
  const started = [];
  const waiting = new Map();
  return {
    started,
    /** Lets the call with this label end. */
    release: (label) => waiting.get(label)?.(`released ${label}`),
    name,
    inputSchema: {
      type: 'object',
      properties: { label: { type: 'string' }, safe: { type: 'boolean' }, key: { type: 'string' } },
    },
    isSafeForConcurrentExecution: (input) => input.safe !== false,
    resourceKey: (input) => input.key,
    run: ({ label }, { signal }) =>
      new Promise((resolve, reject) => {
        started.push(label);
        waiting.set(label, resolve);
        signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
      }),
  };
};

/** Replaces a function of the editor's API and says what it was called with; `restore` puts the real one back. */
exports.replace = (object, name, stand) => {
  const real = object[name];
  const calls = [];
  object[name] = (...values) => {
    calls.push(values);
    return stand(...values);
  };
  return { calls, restore: () => (object[name] = real) };
};
