import * as vscode from 'vscode';
import { showWarning } from './report.ts';
import { readSettings, type Settings } from './settings.ts';

/** Reads the settings anew for each batch, and warns once about each value that cannot be used. */
export class SettingsSource {
  readonly #log: vscode.LogOutputChannel;
  readonly #warned = new Set<string>();

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
  }

  read(): Settings {
    const configuration = vscode.workspace.getConfiguration('waves');
    const { settings, problems } = readSettings((key) => configuration.get(key));
    for (const problem of problems) if (!this.#warned.has(problem)) this.#warn(problem);
    return settings;
  }

  #warn(problem: string): void {
    this.#warned.add(problem);
    this.#log.warn(problem);
    const [key] = /waves\.[\w.]*\w/.exec(problem) ?? ['waves'];
    void showWarning(problem, {
      title: 'Open Settings',
      run: () => vscode.commands.executeCommand('workbench.action.openSettings', key),
    });
  }
}
