// Entry point of the suite inside the extension host: runs every test/host/*.test.cjs with mocha.

const fs = require('node:fs');
const path = require('node:path');
const { format } = require('node:util');
const Mocha = require('mocha');

/** The launcher shows only lines with this mark; the host's console holds those of VS Code too. */
const print = (...values) => {
  for (const line of format(...values).split('\n')) console.log(`[test] ${line}`);
};

/** Resolves when all tests passed. `GREP` chooses tests by their title. */
exports.run = async () => {
  Mocha.reporters.Base.consoleLog = print;
  Mocha.reporters.Base.useColors = false; // the lines end in log files too
  const mocha = new Mocha({
    ui: 'bdd',
    reporter: 'spec',
    color: false,
    timeout: 30_000,
    grep: process.env.GREP,
  });
  for (const file of fs.readdirSync(__dirname).sort())
    if (file.endsWith('.test.cjs')) mocha.addFile(path.join(__dirname, file));
  const runner = await new Promise((resolve) => {
    const started = mocha.run(() => resolve(started));
  });
  const { passes, failures, pending } = runner.stats;
  print(`host: ${passes} passed, ${failures} failed, ${pending} skipped`);
  if (failures > 0) throw new Error(`${failures} failed`);
  if (passes === 0) throw new Error('no test ran');
};
