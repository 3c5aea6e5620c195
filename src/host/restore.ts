import * as vscode from 'vscode';
import type { Keeper } from './keep.ts';
import { PANEL_TYPE, type Panel } from './panel.ts';

/** Brings the panel back after the window was reloaded: with its batch where that was kept, else empty. */
export function registerPanelRestorer(panel: Panel, keeper: Keeper): vscode.Disposable {
  return vscode.window.registerWebviewPanelSerializer(PANEL_TYPE, {
    async deserializeWebviewPanel(restored: vscode.WebviewPanel, state: unknown) {
      const id = typeof state === 'object' && state !== null && 'batch' in state ? state.batch : undefined;
      panel.adopt(restored, await keeper.restore(typeof id === 'string' ? id : undefined));
    },
  });
}
