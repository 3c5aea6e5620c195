import * as vscode from 'vscode';
import { messageOf } from '../core/errors.ts';

/** A button under a message, and what it does. */
export interface NextStep {
  readonly title: string;
  run(): unknown;
}

/** Shows a sentence as an error, with buttons for what to do next. Resolves when the chosen one is done. */
export async function showError(sentence: string, ...steps: readonly NextStep[]): Promise<void> {
  await offer(vscode.window.showErrorMessage(sentence, ...steps.map(({ title }) => title)), steps);
}

/** The same, as a warning. */
export async function showWarning(sentence: string, ...steps: readonly NextStep[]): Promise<void> {
  await offer(vscode.window.showWarningMessage(sentence, ...steps.map(({ title }) => title)), steps);
}

/** The same, as information. */
export async function showInformation(sentence: string, ...steps: readonly NextStep[]): Promise<void> {
  await offer(vscode.window.showInformationMessage(sentence, ...steps.map(({ title }) => title)), steps);
}

async function offer(answer: Thenable<string | undefined>, steps: readonly NextStep[]): Promise<void> {
  const chosen = await answer;
  await steps.find(({ title }) => title === chosen)?.run();
}

/**
 * What a command does, with its failure logged and shown. The message is not waited for, so that a command ends when
 * its work has.
 */
export async function guarded<T>(
  log: vscode.LogOutputChannel,
  what: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    log.error(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : messageOf(error)}`);
    void showError(messageOf(error), { title: 'Show Log', run: () => log.show() });
    return undefined;
  }
}
