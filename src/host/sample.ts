import * as vscode from 'vscode';
import { parseBatch } from '../core/batch.ts';
import type { ToolCall } from '../core/model.ts';
import type { StreamEvent } from '../core/stream/streamEvent.ts';

/** The file that marks a copy of the sample workspace, where edits are free. */
const MARKER = '.waves-sample';

/** The sample workspace that comes with the extension. */
function sampleFolder(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'media', 'sample-workspace');
}

/** The calls of the sample batch: the worked example of how waves are formed, on real tools. */
export async function sampleCalls(extensionUri: vscode.Uri): Promise<readonly ToolCall[]> {
  const uri = vscode.Uri.joinPath(sampleFolder(extensionUri), 'six-calls.json');
  const { calls, errors } = parseBatch(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
  if (!calls) throw new Error(`The sample batch cannot be read: ${errors[0]?.message ?? 'it is empty'}`);
  return calls;
}

/** A message with calls that work on the sample workspace, as a model streamed it and at its pace. */
export async function sampleStream(extensionUri: vscode.Uri): Promise<AsyncIterable<StreamEvent>> {
  const uri = vscode.Uri.joinPath(sampleFolder(extensionUri), 'message.stream.jsonl');
  const { parseStreamRecording, replayStream } = await import('../core/stream/replay.ts');
  return replayStream(
    parseStreamRecording(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri))),
  );
}

/** Whether the open workspace is a trusted copy of the sample: then the sample batch may change its files. */
export async function isSampleWorkspace(): Promise<boolean> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder || !vscode.workspace.isTrusted) return false;
  try {
    await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder.uri, MARKER));
    return true;
  } catch {
    return false;
  }
}

/** All files of the sample workspace, by path below it. */
export async function readSample(extensionUri: vscode.Uri): Promise<Record<string, Uint8Array>> {
  const files: Record<string, Uint8Array> = {};
  async function walk(folder: vscode.Uri, path: string): Promise<void> {
    for (const [name, type] of await vscode.workspace.fs.readDirectory(folder)) {
      const uri = vscode.Uri.joinPath(folder, name);
      if (type === vscode.FileType.Directory) await walk(uri, `${path}${name}/`);
      else files[`${path}${name}`] = await vscode.workspace.fs.readFile(uri);
    }
  }
  await walk(sampleFolder(extensionUri), '');
  return files;
}
