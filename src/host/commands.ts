import * as vscode from 'vscode';
import { BATCH_FORMS } from '../core/batch.ts';
import { type HostAction, PAGE_ACTIONS } from '../protocol/messages.ts';
import type { Batch, Batches } from './batches.ts';
import { type BatchText, findBatchText, openAsText } from './batchText.ts';
import { confirmWrites } from './confirm.ts';
import type { Launcher } from './launcher.ts';
import type { Panel } from './panel.ts';
import { openRecording, saveRecording } from './recordings.ts';
import { guarded, showError, showInformation } from './report.ts';
import type { Runner } from './runner.ts';
import { isSampleWorkspace, sampleCalls, sampleStream } from './sample.ts';
import type { Settings } from './settings.ts';
import type { Toolset } from './toolset.ts';
import { writesOf } from './writes.ts';

export interface CommandParts {
  readonly extensionUri: vscode.Uri;
  readonly batches: Batches;
  readonly runner: Runner;
  readonly launcher: Launcher;
  readonly panel: Panel;
  readonly toolset: Toolset;
  readonly log: vscode.LogOutputChannel;
  readSettings(): Settings;
}

/** The command of each thing that the panel can ask of the host. */
export const COMMAND_OF: Readonly<Record<HostAction, string>> = {
  cancel: 'waves.cancelBatch',
  'stop-waiting': 'waves.stopWaiting',
  'run-sample': 'waves.runSampleBatch',
  'run-batch': 'waves.runBatch',
  'open-recording': 'waves.openRecording',
  'save-recording': 'waves.saveRecording',
  'read-how-waves-work': 'waves.howWavesWork',
};

/** Registers every command of the manifest. Each logs and shows its own failure. */
export function registerCommands(parts: CommandParts): vscode.Disposable {
  const { runner, panel, log } = parts;
  const commands: Record<string, (argument: unknown) => Promise<unknown>> = {
    'waves.runSampleBatch': () => runSample(parts),
    'waves.runSampleStream': () => runSampleStream(parts),
    'waves.runBatch': () => runText(parts),
    'waves.cancelBatch': async () => {
      if (!runner.cancel(shownLive(panel)))
        void showInformation('No batch is running, so there is nothing to cancel.');
    },
    'waves.stopWaiting': async () => runner.stopWaiting(shownLive(panel)),
    'waves.showPanel': async () => panel.show(),
    'waves.openRecording': async (given) => {
      const batch = await openRecording(parts.batches, uriOf(given));
      if (batch) panel.show(batch);
      return batch?.id;
    },
    'waves.saveRecording': (given) => save(parts, uriOf(given)),
    'waves.howWavesWork': () => showHowWavesWork(parts.extensionUri),
  };
  for (const action of PAGE_ACTIONS) commands[`waves.panel.${action}`] = async () => panel.page(action);
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([id, run]) =>
      vscode.commands.registerCommand(id, (argument: unknown) => guarded(log, id, () => run(argument))),
    ),
  );
}

/** Of several batches that run, the one that the user looks at is meant. */
function shownLive({ batch }: Panel): Batch | undefined {
  return batch?.live ? batch : undefined;
}

async function runSample({ extensionUri, launcher }: CommandParts): Promise<string> {
  const calls = await sampleCalls(extensionUri);
  const files = (await isSampleWorkspace()) ? 'workspace' : 'sample';
  const { batch } = await launcher.launch({ calls, files, showPanel: true });
  return batch.id;
}

async function runSampleStream({ extensionUri, launcher }: CommandParts): Promise<string> {
  const calls = await sampleStream(extensionUri);
  const files = (await isSampleWorkspace()) ? 'workspace' : 'sample';
  const { batch } = await launcher.launch({ calls, files, showPanel: true });
  return batch.id;
}

async function runText({ launcher, toolset, readSettings }: CommandParts): Promise<string | undefined> {
  const found = await findBatchText();
  const { calls } = found.parsed;
  if (!calls) {
    tellUnreadable(found);
    return undefined;
  }
  if (!vscode.workspace.workspaceFolders?.length) {
    void showError(
      'A batch runs on the files of a workspace, and no folder is open. Open one, then run it again.',
      {
        title: 'Open Folder…',
        run: () => vscode.commands.executeCommand('workbench.action.files.openFolder'),
      },
    );
    return undefined;
  }
  const { registry, nameOf } = await toolset.prepare('workspace', readSettings().profile);
  // An untrusted workspace refuses every write, so there is nothing to ask.
  const writes = vscode.workspace.isTrusted ? writesOf(calls, registry, nameOf) : [];
  if (!(await confirmWrites(writes, calls.length))) return undefined;
  const { batch } = await launcher.launch({ calls, files: 'workspace', showPanel: true });
  return batch.id;
}

function tellUnreadable(found: BatchText): void {
  const { document, text, parsed } = found;
  if (!document && !/^\s*[[{]/.test(text)) {
    void showError(
      `Neither the active editor nor the clipboard holds a batch as JSON. Waves reads ${BATCH_FORMS}.`,
    );
    return;
  }
  const { line = 1, column = 1, message = '' } = parsed.errors[0] ?? {};
  const where = document ? vscode.workspace.asRelativePath(document.uri) : 'the clipboard';
  const forms = message.includes(BATCH_FORMS) ? '' : ` Waves reads ${BATCH_FORMS}.`;
  void showError(`Line ${line}, column ${column} of ${where}: ${message}${forms}`, {
    title: document ? `Go to Line ${line}` : 'Open as Text',
    run: () => openAsText(found),
  });
}

async function save({ batches, panel }: CommandParts, given?: vscode.Uri): Promise<vscode.Uri | undefined> {
  const batch = panel.batch ?? batches.latest;
  if (!batch) throw new Error('There is no batch to save yet. Run one, then save its recording.');
  const uri = await saveRecording(batch, given);
  if (uri && !given) {
    void showInformation(
      `The recording of ${batch.title} was saved as ${vscode.workspace.asRelativePath(uri)}.`,
    );
  }
  return uri;
}

async function showHowWavesWork(extensionUri: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand(
    'markdown.showPreview',
    vscode.Uri.joinPath(extensionUri, 'media', 'how-waves-work.md'),
  );
}

function uriOf(argument: unknown): vscode.Uri | undefined {
  return argument instanceof vscode.Uri ? argument : undefined;
}
