import * as vscode from 'vscode';
import { systemClock } from './core/clock.ts';
import { messageOf } from './core/errors.ts';
import { createApi, type WavesApi } from './host/api.ts';
import { Batches } from './host/batches.ts';
import { COMMAND_OF, registerCommands } from './host/commands.ts';
import { Keeper } from './host/keep.ts';
import { Launcher } from './host/launcher.ts';
import { openWorkspaceFile } from './host/openFile.ts';
import { Panel } from './host/panel.ts';
import { registerPanelRestorer } from './host/restore.ts';
import { Runner } from './host/runner.ts';
import { SettingsSource } from './host/settingsSource.ts';
import { StatusBar } from './host/statusBar.ts';
import { Toolset } from './host/toolset.ts';

/** How many batches a window keeps the logs of. */
const KEPT_BATCHES = 50;

/** Composes the extension. What it returns is Waves' API for other extensions. */
export function activate(context: vscode.ExtensionContext): WavesApi {
  try {
    return compose(context);
  } catch (error) {
    void vscode.window.showErrorMessage(`Waves could not start: ${messageOf(error)}`);
    throw error;
  }
}

function compose(context: vscode.ExtensionContext): WavesApi {
  const { extensionUri, subscriptions, storageUri } = context;
  const log = vscode.window.createOutputChannel('Waves', { log: true });
  const setContext = (key: string, value: boolean) =>
    void vscode.commands.executeCommand('setContext', `waves.${key}`, value);

  const batches = new Batches(KEPT_BATCHES, (error) => log.error(messageOf(error)));
  const runner = new Runner(batches, log);
  const keeper = new Keeper({ folder: storageUri, batches, log, timers: systemClock });
  const settings = new SettingsSource(log);
  const readSettings = () => settings.read();
  const toolset = new Toolset({ extensionUri, log });
  const panel = new Panel({
    extensionUri,
    batches,
    log,
    timers: systemClock,
    act: async (action) => void (await vscode.commands.executeCommand(COMMAND_OF[action])),
    openFile: async (resource) => openWorkspaceFile(await toolset.uriOf(resource)),
    changed: () => {
      setContext('panelOpen', panel.isOpen);
      if (panel.batch && !panel.batch.live) void keeper.keep(panel.batch);
    },
  });
  const launcher = new Launcher({ runner, panel, toolset, log, readSettings });

  subscriptions.push(
    log,
    panel,
    keeper,
    toolset,
    new StatusBar(batches, systemClock),
    registerPanelRestorer(panel, keeper),
    registerCommands({ extensionUri, batches, runner, launcher, panel, toolset, log, readSettings }),
    runner.changes.on((running) => setContext('running', running > 0)),
    batches.changes.on(({ type, batch }) => {
      if (type === 'added') setContext('hasBatch', true);
      if (batch === panel.batch && type === 'appended') keeper.keepSoon(batch);
      if (batch === panel.batch && type === 'ended') void keeper.keep(batch);
      if (type === 'forgotten')
        log.info(
          `${batch.title} was forgotten: a window keeps the last ${KEPT_BATCHES} batches. Save what you need.`,
        );
    }),
    { dispose: () => runner.cancelAll('VS Code is closing') },
  );
  return createApi({ batches, runner, launcher, panel, toolset });
}
