import * as vscode from 'vscode';
import { type ParsedBatch, parseBatch } from '../core/batch.ts';

/** A text that may hold a batch, and where it was found. */
export interface BatchText {
  readonly text: string;
  /** Absent: the clipboard. */
  readonly document?: vscode.TextDocument;
  readonly parsed: ParsedBatch;
}

/**
 * The batch that the user means: the JSON in the active editor or, where that is none or holds no JSON, the clipboard.
 * While the panel has the focus no editor is active; then the JSON that is visible beside it is meant.
 */
export async function findBatchText(): Promise<BatchText> {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  const editor = activeTextEditor ?? visibleTextEditors.find(({ document }) => holdsJson(document));
  if (editor && holdsJson(editor.document)) {
    const text = editor.document.getText();
    return { text, document: editor.document, parsed: parseBatch(text) };
  }
  const text = await vscode.env.clipboard.readText();
  return { text, parsed: parseBatch(text) };
}

/** By its language, or, for text without one, by how it begins. */
function holdsJson(document: vscode.TextDocument): boolean {
  if (document.languageId === 'json' || document.languageId === 'jsonc') return true;
  return document.languageId === 'plaintext' && /^\s*[[{]/.test(document.getText().slice(0, 1_000));
}

/** Opens the text where it can be mended, with the cursor on the place that is wrong. */
export async function openAsText(found: BatchText): Promise<void> {
  const document =
    found.document ?? (await vscode.workspace.openTextDocument({ language: 'json', content: found.text }));
  const error = found.parsed.errors[0];
  const place = new vscode.Position(
    Math.max(0, (error?.line ?? 1) - 1),
    Math.max(0, (error?.column ?? 1) - 1),
  );
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(place, place) });
}
