import * as vscode from 'vscode';

/**
 * Opens a file that the panel names, where the user edits. Only files of the workspace are opened.
 * @throws {Error} with a sentence for anything else.
 */
export async function openWorkspaceFile(resource: string): Promise<void> {
  const uri = uriOf(resource);
  if (!uri || !vscode.workspace.getWorkspaceFolder(uri)) {
    throw new Error(`"${resource}" is not a file of this workspace, so Waves does not open it.`);
  }
  const viewColumn = vscode.window.visibleTextEditors[0]?.viewColumn ?? vscode.ViewColumn.One;
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn });
  } catch (error) {
    const path = vscode.workspace.asRelativePath(uri);
    throw new Error(`${path} cannot be shown as text, or does not exist any more.`, { cause: error });
  }
}

/**
 * A resource, spelled as the user opened it (`Files.uriOf`), or a path below the first workspace folder. Its segments are resolved, so
 * that `..` cannot lead out of the folder that it begins with.
 */
function uriOf(resource: string): vscode.Uri | undefined {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (/^[a-z][a-z0-9+.-]+:/i.test(resource))
    return vscode.Uri.joinPath(vscode.Uri.parse(resource, true), '.');
  if (!folder) return undefined;
  const base = resource.startsWith('/') ? folder.with({ path: '/' }) : folder;
  return vscode.Uri.joinPath(base, resource);
}
