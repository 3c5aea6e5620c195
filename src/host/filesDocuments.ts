import * as vscode from 'vscode';
import type { Documents, OpenDocument, TextEdit } from '../tools/ports.ts';
import { canonicalUri } from '../tools/uri.ts';

/** The editor's open documents (DESIGN section 7; cases 18, X6). */
export function createDocuments(): Documents {
  /** The document behind each answer, and its version then. */
  const origins = new WeakMap<OpenDocument, { document: vscode.TextDocument; version: number }>();

  function describe(document: vscode.TextDocument): OpenDocument {
    let text: string | undefined;
    const described: OpenDocument = {
      uri: keyOf(document.uri),
      get text() {
        text ??= document.getText();
        return text;
      },
      unsaved: document.isDirty || document.isUntitled,
      encoding: document.encoding,
      untitled: document.isUntitled,
      lineEnd: document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n',
    };
    origins.set(described, { document, version: document.version });
    return described;
  }

  return {
    list: () => vscode.workspace.textDocuments.filter((one) => !one.isClosed).map(describe),
    unsavedElsewhere: () => {
      const texts = new Set(vscode.workspace.textDocuments.map((one) => keyOf(one.uri)));
      return vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .filter((tab) => tab.isDirty)
        .flatMap(({ input }) => (isOtherEditor(input) ? [keyOf(input.uri)] : []))
        .filter((uri) => !texts.has(uri));
    },
    async apply(described, edits, lineEnd) {
      const origin = origins.get(described);
      if (origin === undefined) return false;
      const { document, version } = origin;
      if (document.isClosed || document.version !== version) return false;
      const edit = new vscode.WorkspaceEdit();
      const changes = edits.map((one) => vscode.TextEdit.replace(rangeOf(document, one), one.text));
      if (lineEnd !== described.lineEnd) {
        changes.push(
          vscode.TextEdit.setEndOfLine(lineEnd === '\r\n' ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF),
        );
      }
      if (changes.length === 0) return true;
      edit.set(document.uri, changes);
      return vscode.workspace.applyEdit(edit);
    },
    async save(described) {
      const document = origins.get(described)?.document;
      if (document === undefined || !document.isDirty) return true;
      return (await document.save()) || !document.isDirty;
    },
    textOf: (uri) =>
      vscode.workspace.textDocuments.find((one) => !one.isClosed && keyOf(one.uri) === uri)?.getText(),
  };
}

function isOtherEditor(input: unknown): input is vscode.TabInputNotebook | vscode.TabInputCustom {
  return input instanceof vscode.TabInputNotebook || input instanceof vscode.TabInputCustom;
}

function rangeOf(document: vscode.TextDocument, { start, end }: TextEdit): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

function keyOf(uri: vscode.Uri): string {
  return canonicalUri(uri.toString());
}
