#!/usr/bin/env node
// The VS Code that npm serves, behaving like the program `code`, so that @vscode/test-electron can run it:
//
//   vscodeNpm.mjs [FOLDER] --extensionDevelopmentPath=… --extensionTestsPath=…   runs tests, exits with their result
//   vscodeNpm.mjs --install-extension FILE                                       and the other extension commands
//   vscodeNpm.mjs --install-only                                                 only fetches what is needed
//
// A suite marks the lines it wants shown with `[test] ` and ends with one that reads `N passed, N failed`.
// Everything else goes to a log file, or with --verbose to stderr too.

import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findBrowser } from './browser.mjs';
import { ensureVSCode } from './install.mjs';
import { openWorkbench } from './openWorkbench.mjs';
import { reason, runMain } from './process.mjs';
import { serverEnvironment, startServer } from './server.mjs';

const MARK = '[test] ';
const CLOSING_LINE = /^\D*\d+ passed, 0 failed/m;
const LOGS = fileURLToPath(new URL('../../.vscode-test/logs', import.meta.url));
/** These arguments of `code` mean the same to the server. */
const PASSED_ON = /^--(enable-proposed-api|disable-extension|disable-extensions|locale|log)\b/;

async function main(argv = process.argv.slice(2)) {
  if (argv.includes('--install-only')) {
    await ensureVSCode();
    await findBrowser();
    return 0;
  }
  if (argv.some((arg) => /^--((un)?install-extension|list-extensions|version)\b/.test(arg)))
    return runCommand(argv);
  return runTests(argv);
}

/** Commands that need no window go to the server's own command line. */
async function runCommand(argv) {
  const { root, node } = await ensureVSCode();
  const args = [join(root, 'out', 'server-main.js'), '--accept-server-license-terms', ...argv];
  return spawnSync(node, args, { stdio: 'inherit', env: serverEnvironment() }).status ?? 1;
}

async function runTests(argv) {
  const all = (name) =>
    argv.filter((arg) => arg.startsWith(`--${name}=`)).map((arg) => arg.slice(name.length + 3));
  const limit = Number(process.env.VSCODE_TEST_TIMEOUT ?? 600);
  const log = openLog(argv.includes('--verbose'));
  const [developmentPath, ...extensions] = all('extensionDevelopmentPath');
  const report = { shown: '', errors: [] };
  let server;
  let workbench;
  let outcome;
  try {
    server = await startServer({
      extensions,
      userDataDir: all('user-data-dir')[0],
      extensionsDir: all('extensions-dir')[0],
      args: argv.filter((arg) => PASSED_ON.test(arg)),
      onOutput: log.write,
    });
    workbench = await openWorkbench(server, {
      folder: argv.find((arg) => !arg.startsWith('-')),
      developmentPath,
      testsPath: all('extensionTestsPath')[0],
      onLog: (type, text) => {
        log.write(`${type}: ${text}\n`);
        if (type === 'error') report.errors.push(text);
        if (!text.startsWith(MARK)) return;
        report.shown += `${text.slice(MARK.length)}\n`;
        process.stdout.write(`${text.slice(MARK.length)}\n`);
      },
    });
    const timeout = new AbortController();
    const tooLong = sleep(limit * 1000, `no end after ${limit} s`, { signal: timeout.signal }).catch(
      () => {},
    );
    outcome = await Promise.race([workbench.testsExit, tooLong]);
    timeout.abort();
    outcome = await verify(outcome, server, report.shown);
    if (outcome !== 0)
      await workbench.page.screenshot({ path: `${log.file}.png`, timeout: 5000 }).catch(() => {});
  } catch (error) {
    outcome = reason(error);
  } finally {
    await workbench?.browser.close().catch(() => {});
    await server?.stop();
  }
  if (outcome === 0) return 0;
  if (!report.shown) console.error(report.errors.slice(-5).join('\n')); // the suite did not start: say why
  const what =
    typeof outcome === 'number' ? `The tests failed (${outcome})` : `The tests did not end well: ${outcome}`;
  console.error(`${what}. Log: ${log.file}; screenshot, if a page was open: ${log.file}.png`);
  return typeof outcome === 'number' ? outcome : 1;
}

/** The page says 0 as well when the host died: ask the server, and look for the suite's closing line. */
async function verify(outcome, server, shown) {
  if (outcome !== 0) return outcome;
  const host = await Promise.race([server.hostExited, sleep(5000, 0, { ref: false })]);
  if (host !== 0) return host;
  return CLOSING_LINE.test(shown) ? 0 : 'the suite ended without its closing line "N passed, 0 failed"';
}

function openLog(verbose) {
  mkdirSync(LOGS, { recursive: true });
  const file = join(LOGS, `${new Date().toISOString().replace(/[:.]/g, '-')}-${process.pid}.log`);
  return {
    file,
    write(text) {
      appendFileSync(file, text);
      if (verbose) process.stderr.write(text);
    },
  };
}

await runMain(main);
