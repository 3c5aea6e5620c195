// Runs the suite in test/host inside a real VS Code, through @vscode/test-electron.
//
//   runHost.mjs WORKSPACE USER_DATA_FOLDER
//
// The VS Code is the one that npm serves, or with WAVES_VSCODE=desktop one that test-electron downloads.

import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { ROOT } from './prepare.mjs';
import { Failure, reason, runMain } from './process.mjs';
import { writeSettings } from './server.mjs';

async function main() {
  const [workspace, userDataDir] = process.argv.slice(2);
  const served = process.env.WAVES_VSCODE !== 'desktop';
  if (served && process.platform === 'win32')
    throw new Failure(
      'Windows cannot run our launcher as a program: set WAVES_VSCODE=desktop to test in a downloaded VS Code.',
    );
  if (!served) writeSettings(userDataDir);
  try {
    return await runTests({
      ...(served
        ? { vscodeExecutablePath: join(ROOT, 'test', 'harness', 'vscodeNpm.mjs') }
        : { version: 'stable' }),
      extensionDevelopmentPath: ROOT,
      extensionTestsPath: join(ROOT, 'test', 'host', 'index.cjs'),
      // A fresh folder for settings, else what one test changes is there in the next run.
      launchArgs: [
        workspace,
        `--user-data-dir=${userDataDir}`,
        `--extensions-dir=${join(userDataDir, 'extensions')}`,
      ],
    });
  } catch (error) {
    throw new Failure(`The suite inside VS Code failed: ${reason(error)}.`);
  }
}

await runMain(main);
