const assert = require('node:assert/strict');
const vscode = require('vscode');
const {
  waves,
  core,
  createGatedTool,
  eventsOf,
  fileUri,
  folder,
  mostHeld,
  readFile,
  replace,
  sixCalls,
  until,
} = require('./helpers.cjs');

describe('a batch on the real workspace', () => {
  it('makes the six decisions of the worked example, and runs it on the files', async () => {
    const api = await waves();
    const before = await readFile('src/c.ts');
    const run = await api.runBatch({ calls: await sixCalls(), strategy: 'first-fit' });

    const decisions = eventsOf(run.events, 'decision-made').map(
      ({ call, wave, opened, closed, rule, rejected }) => ({
        call,
        wave,
        opened,
        closed,
        rule,
        rejected: rejected.map(({ wave, rule }) => `${wave} ${rule}`),
      }),
    );
    assert.deepEqual(decisions, [
      { call: 0, wave: 0, opened: true, closed: false, rule: 'R5', rejected: [] },
      { call: 1, wave: 0, opened: false, closed: false, rule: 'R2', rejected: [] },
      { call: 2, wave: 1, opened: true, closed: true, rule: 'R4', rejected: [] },
      { call: 3, wave: 0, opened: false, closed: false, rule: 'R1', rejected: [] },
      { call: 4, wave: 2, opened: true, closed: false, rule: 'R5', rejected: ['0 R2', '1 R3'] },
      { call: 5, wave: 0, opened: false, closed: false, rule: 'R1', rejected: [] },
    ]);
    const a = fileUri('src/a.ts').toString();
    assert.deepEqual(
      eventsOf(run.events, 'call-declared').map(({ safe, key }) => [safe, key]),
      [
        [true, a],
        [true, fileUri('src/b.ts').toString()],
        [false, undefined],
        [true, undefined],
        [true, a],
        [true, undefined],
      ],
    );

    assert.equal(
      mostHeld(run.events, ({ call }) => [0, 1, 3, 5].includes(call)),
      4,
    );
    assert.equal(mostHeld(run.events), 4);
    assert.deepEqual(
      run.results.map(({ toolCallId, name, isError }) => `${toolCallId} ${name} ${isError}`),
      [
        'call-1 read false',
        'call-2 read false',
        'call-3 edit false',
        'call-4 grep false',
        'call-5 read false',
        'call-6 stat false',
      ],
      JSON.stringify(run.results, undefined, 1),
    );
    assert.match(run.results[0].content, /export function welcome/);
    assert.match(run.results[1].content, /export function greet/);
    assert.match(run.results[3].content, /src\/a\.ts/);
    assert.doesNotMatch(run.results[3].content, /build\/log\.txt/);
    assert.equal(run.results[4].content, run.results[0].content);

    const after = await readFile('src/c.ts');
    assert.equal(after.length, before.length + "  'A wave came by.',\n".length);
    assert.match(after, /'A wave came by\.',\n {2}\/\/ new entries go above this line/);
  });

  it('edits again each time it runs', async () => {
    const api = await waves();
    const { results } = await api.runBatch({ calls: await sixCalls() });
    assert.equal(results[2].isError, false, results[2].content);
  });

  it('hands out results in request order, whatever the completion order', async () => {
    const api = await waves();
    const tool = createGatedTool();
    const registration = api.registerTool(tool);
    try {
      const labels = ['a', 'b', 'c'];
      const running = api.runBatch({
        calls: labels.map((label) => ({ id: label, name: 'wait', input: { label } })),
        strategy: 'first-fit',
      });
      await until(() => tool.started.length === 3);
      for (const label of ['c', 'b', 'a']) {
        tool.release(label);
        await until(() =>
          eventsOf(api.events(api.batches().at(-1).id), 'call-ended').some(
            ({ call }) => labels[call] === label,
          ),
        );
      }
      const { results, events } = await running;
      assert.deepEqual(
        results.map(({ toolCallId, content }) => `${toolCallId}: ${content}`),
        ['a: released a', 'b: released b', 'c: released c'],
      );
      assert.deepEqual(
        eventsOf(events, 'call-ended').map(({ call }) => call),
        [2, 1, 0],
      );
    } finally {
      registration.dispose();
    }
  });

  it('answers a soft error, an unknown tool and input that is no JSON, and the others run', async () => {
    const api = await waves();
    const calls = [
      { id: '1', name: 'read', input: { file_path: 'src/missing.ts' } },
      { id: '2', name: 'raed', input: { file_path: 'src/a.ts' } },
      { id: '3', name: 'read', input: '{"file_path": "src', inputError: 'The arguments are not valid JSON.' },
      { id: '4', name: 'read', input: { file_path: 7 } },
      { id: '5', name: 'read', input: { file_path: 'src/a.ts' } },
    ];
    const { results, aborted } = await api.runBatch({ calls, strategy: 'first-fit' });
    assert.equal(aborted, undefined);
    assert.deepEqual(
      results.map(({ isError }) => isError),
      [true, true, true, true, false],
    );
    assert.match(results[1].content, /Unknown tool "raed".*read.*Known tools/s);
    assert.match(results[2].content, /not valid JSON/);
    assert.match(results[3].content, /file_path/);
  });

  it('runs a call alone whose declaration throws', async () => {
    const api = await waves();
    const registration = api.registerTool({
      name: 'hasty',
      isSafeForConcurrentExecution: () => {
        throw new Error('no idea');
      },
      run: () => 'ran',
    });
    try {
      const { results, events } = await api.runBatch({
        calls: [
          { id: '1', name: 'read', input: { file_path: 'src/a.ts' } },
          { id: '2', name: 'hasty', input: {} },
        ],
        strategy: 'first-fit',
      });
      assert.equal(results[1].content, 'ran');
      const [, declared] = eventsOf(events, 'call-declared');
      assert.equal(declared.safe, false);
      assert.match(declared.failure, /isSafeForConcurrentExecution threw: no idea/);
      assert.equal(eventsOf(events, 'decision-made')[1].closed, true);
    } finally {
      registration.dispose();
    }
  });

  it('cancelled in wave 2 with abort, it hands out nothing', async () => {
    const api = await waves();
    const tool = createGatedTool();
    const registration = api.registerTool(tool);
    try {
      const running = api.runBatch({ calls: inTwoWaves(), strategy: 'first-fit', onHardError: 'abort' });
      await until(() => tool.started.includes('alone'));
      assert.equal(api.cancel(), true);
      const { results, aborted, events } = await running;
      assert.equal(results, undefined);
      assert.match(aborted, /cancelled/);
      assert.equal(events.at(-1).type, 'run-aborted');
      assert.equal(events.at(-1).how, 'cancelled');
      assert.deepEqual(
        eventsOf(events, 'call-ended').map(({ call, outcome }) => `${call} ${outcome}`),
        ['0 ok', '1 cancelled', '2 never-started'],
      );
      assert.equal(api.cancel(), false);
    } finally {
      registration.dispose();
    }
  });

  it('cancelled in wave 2 with answer-all, every call has exactly one result', async () => {
    const api = await waves();
    const tool = createGatedTool();
    const registration = api.registerTool(tool);
    const controller = new AbortController();
    try {
      const running = api.runBatch({
        calls: inTwoWaves(),
        strategy: 'first-fit',
        onHardError: 'answer-all',
        signal: controller.signal,
      });
      await until(() => tool.started.includes('alone'));
      controller.abort();
      const { results, aborted } = await running;
      assert.equal(aborted, undefined);
      assert.deepEqual(
        results.map(({ toolCallId, isError }) => `${toolCallId} ${isError}`),
        ['1 false', '2 true', '3 true'],
      );
      assert.match(results[1].content, /interrupted by user/);
      assert.match(results[2].content, /not run: /);
    } finally {
      registration.dispose();
    }
  });

  it('touches nobody’s files when the sample runs in memory', async () => {
    const api = await waves();
    const before = await readFile('src/c.ts');
    const { id, results } = await api.runBatch({ calls: await sixCalls(), files: 'sample' });
    assert.deepEqual(
      results.map(({ isError }) => isError),
      [false, false, false, false, false, false],
    );
    assert.equal(await readFile('src/c.ts'), before);
    const info = api.batches().find((batch) => batch.id === id);
    assert.match(info.notes[0], /in memory: none of your files was touched/);
  });

  it('saves a recording that opens to the same state, and the panel shows it', async () => {
    const api = await waves();
    const { reduce, initialState, parseRecording } = await core();
    const stateOf = (events) => events.reduce(reduce, initialState);
    const { id, events } = await api.runBatch({ calls: await sixCalls() });
    await vscode.commands.executeCommand('waves.showPanel');
    await until(() => api.panel().batchId === id);
    const uri = vscode.Uri.joinPath(folder(), 'saved.waves.jsonl');
    try {
      const saved = await vscode.commands.executeCommand('waves.saveRecording', uri);
      assert.equal(saved.toString(), uri.toString());
      assert.deepEqual(stateOf(parseRecording(await readFile('saved.waves.jsonl')).events), stateOf(events));

      const opened = await vscode.commands.executeCommand('waves.openRecording', uri);
      assert.deepEqual(stateOf(api.events(opened)), stateOf(events));
      assert.equal(api.batches().at(-1).title, 'saved.waves.jsonl');
      await until(() => api.panel().batchId === opened && api.panel().sent === events.length);
    } finally {
      await vscode.workspace.fs.delete(uri);
    }
  });

  it('says what is wrong with a setting once, and uses the default', async () => {
    const api = await waves();
    const configuration = vscode.workspace.getConfiguration('waves');
    const warnings = replace(vscode.window, 'showWarningMessage', async () => undefined);
    const set = async (key, value) => configuration.update(key, value, vscode.ConfigurationTarget.Global);
    try {
      await set('strategy', 'fastest');
      await set('maxConcurrency', -3);
      for (let time = 0; time < 2; time++) {
        const { events } = await api.runBatch({ calls: await sixCalls(), files: 'sample' });
        assert.equal(events[0].strategy, 'first-fit');
        assert.equal(events[0].permits, 6);
      }
      assert.deepEqual(
        warnings.calls.map(([sentence]) => sentence),
        [
          'The setting waves.strategy is "fastest", but must be one of "first-fit", "sequential", "batches", "dataflow". Waves uses "first-fit" instead.',
          'The setting waves.maxConcurrency is -3, but must be a whole number from 0 on. Waves uses 0 instead.',
        ],
      );
    } finally {
      warnings.restore();
      await set('strategy', undefined);
      await set('maxConcurrency', undefined);
    }
  });

  it('follows the settings', async () => {
    const api = await waves();
    const configuration = vscode.workspace.getConfiguration('waves');
    const set = async (key, value) => configuration.update(key, value, vscode.ConfigurationTarget.Global);
    try {
      await set('strategy', 'batches');
      await set('maxConcurrency', 2);
      await set('declarations.profile', 'fine-grained');
      const { events } = await api.runBatch({ calls: await sixCalls(), files: 'sample' });
      assert.equal(events[0].strategy, 'batches');
      assert.equal(events[0].permits, 2);
      assert.deepEqual(
        eventsOf(events, 'decision-made').map(({ wave }) => wave),
        [0, 0, 0, 0, 0, 0],
      );
    } finally {
      for (const key of ['strategy', 'maxConcurrency', 'declarations.profile']) await set(key, undefined);
    }
  });
});

/** Wave 1: a read. Wave 2: an unsafe call that waits. Wave 3: never reached. */
function inTwoWaves() {
  const read = { name: 'read', input: { file_path: 'src/a.ts' } };
  return [
    { id: '1', ...read },
    { id: '2', name: 'wait', input: { label: 'alone', safe: false } },
    { id: '3', ...read },
  ];
}
