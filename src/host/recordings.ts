import * as vscode from 'vscode';
import { parseRecording, writeRecording } from '../core/recording.ts';
import type { Batch, Batches } from './batches.ts';

const SUFFIX = '.waves.jsonl';
const FILTERS = { 'Waves recordings': ['jsonl'] };
/** Above this, a recording is no longer something that a panel can hold. */
const MAX_BYTES = 200_000_000;

/** Opens a recording: this file, the one in the active editor, or one that the user chooses. Undefined: none chosen. */
export async function openRecording(batches: Batches, given?: vscode.Uri): Promise<Batch | undefined> {
  const uri = given ?? activeRecording() ?? (await chooseRecording());
  if (!uri) return undefined;
  const name = uri.path.split('/').at(-1) ?? uri.path;
  const { header, events, notes } = parseNamed(name, await textOf(uri));
  return batches.addRecorded({ title: name, origin: 'file', notes, events, header });
}

/** Writes a batch's recording to this file, or to one that the user chooses. Undefined: none chosen. */
export async function saveRecording(batch: Batch, given?: vscode.Uri): Promise<vscode.Uri | undefined> {
  if (batch.live) {
    throw new Error(
      `The recording of ${batch.title} can be saved when it has ended. Wait for it, or cancel it.`,
    );
  }
  const uri = given ?? (await vscode.window.showSaveDialog({ ...suggested(batch), filters: FILTERS }));
  if (!uri) return undefined;
  const text = batch.header ? writeRecording(batch.events, batch.header) : writeRecording(batch.events);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return uri;
}

function parseNamed(name: string, text: string) {
  try {
    return parseRecording(text);
  } catch (error) {
    throw new Error(`${name} could not be opened. ${error instanceof Error ? error.message : ''}`.trim(), {
      cause: error,
    });
  }
}

/** What the user sees: the editor's text where the file is open, else the file's. */
async function textOf(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open?.isDirty) return open.getText();
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > MAX_BYTES) {
    throw new Error(
      `The recording has ${Math.round(size / 1e6)} MB; Waves opens up to ${MAX_BYTES / 1e6} MB.`,
    );
  }
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

function activeRecording(): vscode.Uri | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri?.path.endsWith(SUFFIX) ? uri : undefined;
}

async function chooseRecording(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({ title: 'Open Recording', filters: FILTERS });
  return chosen?.[0];
}

function suggested({ title }: Batch): { defaultUri?: vscode.Uri } {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = title.endsWith(SUFFIX) ? title : `${title.replaceAll(' ', '-')}${SUFFIX}`;
  return folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {};
}
