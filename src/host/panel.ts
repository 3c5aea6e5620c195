import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { messageOf } from '../core/errors.ts';
import { type HostAction, isPageMessage, type PageAction, type PageMessage } from '../protocol/messages.ts';
import type { Batch, Batches } from './batches.ts';
import { Feed, type FeedCounts, type Timers } from './feed.ts';
import { panelHtml } from './html.ts';

export const PANEL_TYPE = 'waves.panel';

/** What the panel needs from the rest of the host. */
export interface PanelParts {
  readonly extensionUri: vscode.Uri;
  readonly batches: Batches;
  readonly log: vscode.LogOutputChannel;
  readonly timers: Timers;
  /** Does what the user asked for in the page. */
  act(action: HostAction): Promise<void>;
  openFile(resource: string): Promise<void>;
  /** The panel was opened, closed, or shows another batch. */
  changed(): void;
}

/** What can be known of the panel from outside. */
export interface PanelState extends FeedCounts {
  readonly open: boolean;
  readonly visible: boolean;
  readonly batchId: string | undefined;
  /** How many listeners the panel has registered; the same whenever it is closed. */
  readonly listeners: number;
}

/** Actions that lead to typing or reading in the panel: it gets the focus. All others leave the focus alone. */
const FOCUSING: ReadonlySet<PageAction> = new Set(['find', 'go-to-step', 'help']);

interface Opened {
  readonly panel: vscode.WebviewPanel;
  readonly feed: Feed;
  readonly listeners: readonly vscode.Disposable[];
}

/** The one Waves panel of a window. Closing it stops nothing; what it shows lives in `Batches`. */
export class Panel implements vscode.Disposable {
  readonly #parts: PanelParts;
  readonly #subscription: vscode.Disposable;
  #opened: Opened | undefined;

  constructor(parts: PanelParts) {
    this.#parts = parts;
    this.#subscription = parts.batches.changes.on((change) => {
      const feed = this.#opened?.feed;
      if (!feed) return;
      if (change.type === 'appended' || change.type === 'ended') feed.changed(change.batch);
      // A recording that someone reads stays, and so does a batch that still runs; else the panel follows what runs.
      const stays = feed.batch?.origin === 'file' || feed.batch?.live === true;
      if (change.type === 'added' && change.batch.live && !stays) this.#display(change.batch);
    });
  }

  get isOpen(): boolean {
    return this.#opened !== undefined;
  }

  /** The batch it shows. */
  get batch(): Batch | undefined {
    return this.#opened?.feed.batch;
  }

  get state(): PanelState {
    const opened = this.#opened;
    const counts = opened?.feed.counts ?? { logs: 0, messages: 0, readies: 0, sent: undefined };
    return {
      ...counts,
      open: opened !== undefined,
      visible: opened?.panel.visible === true,
      batchId: opened?.feed.batch?.id,
      listeners: this.#parts.batches.changes.size + (opened?.listeners.length ?? 0),
    };
  }

  /** Opens or reveals the panel; with a batch, shows that one. The editor keeps the focus. */
  show(batch?: Batch): void {
    if (this.#opened) {
      if (!this.#opened.panel.visible) this.#opened.panel.reveal(undefined, true);
      if (batch && batch !== this.batch) this.#display(batch);
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      PANEL_TYPE,
      'Waves',
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableFindWidget: false, retainContextWhenHidden: false },
    );
    this.adopt(panel, batch ?? this.#parts.batches.latest);
  }

  /** Makes a panel that VS Code made ours: a new one, or one from before the window was reloaded. */
  adopt(panel: vscode.WebviewPanel, batch: Batch | undefined): void {
    this.#opened?.panel.dispose();
    const { extensionUri, timers, log } = this.#parts;
    const root = vscode.Uri.joinPath(extensionUri, 'dist', 'panel');
    const { webview } = panel;
    webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [root] };
    panel.iconPath = {
      light: vscode.Uri.joinPath(extensionUri, 'media', 'waves-light.svg'),
      dark: vscode.Uri.joinPath(extensionUri, 'media', 'waves-dark.svg'),
    };
    const feed = new Feed((message) => {
      // Never awaited: the promise of a hidden page may stay open for ever.
      webview.postMessage(message).then(undefined, (error: unknown) => log.warn(messageOf(error)));
    }, timers);
    feed.setVisible(panel.visible);
    const listeners = [
      webview.onDidReceiveMessage((message: unknown) => void this.#receive(feed, message)),
      panel.onDidChangeViewState(() => feed.setVisible(panel.visible)),
    ];
    const opened = { panel, feed, listeners };
    this.#opened = opened;
    panel.onDidDispose(() => {
      feed.dispose();
      for (const listener of listeners) listener.dispose();
      if (this.#opened !== opened) return;
      this.#opened = undefined;
      this.#parts.changed();
    });
    this.#display(batch);
    webview.html = panelHtml({
      nonce: randomBytes(16).toString('hex'),
      cspSource: webview.cspSource,
      script: webview.asWebviewUri(vscode.Uri.joinPath(root, 'main.js')).toString(),
      style: webview.asWebviewUri(vscode.Uri.joinPath(root, 'panel.css')).toString(),
    });
  }

  /** Asks the page to do something, as its keys would. Reveals the panel where it is hidden. */
  page(action: PageAction): void {
    const opened = this.#opened;
    if (!opened) return;
    const focus = FOCUSING.has(action);
    if (focus || !opened.panel.visible) opened.panel.reveal(undefined, !focus);
    opened.feed.action(action);
  }

  /** Stops listening. The panel itself stays: VS Code restores it when the window was only reloaded. */
  dispose(): void {
    this.#subscription.dispose();
    this.#opened?.feed.dispose();
  }

  #display(batch: Batch | undefined): void {
    if (!this.#opened) return;
    this.#opened.panel.title = batch ? `Waves: ${batch.title}` : 'Waves';
    this.#opened.feed.show(batch);
    this.#parts.changed();
  }

  async #receive(feed: Feed, message: unknown): Promise<void> {
    const { log } = this.#parts;
    if (!isPageMessage(message)) {
      log.warn(`The panel sent something that is no message: ${JSON.stringify(message)?.slice(0, 200)}`);
      return;
    }
    try {
      await this.#handle(feed, message);
    } catch (error) {
      log.error(`The panel's message "${message.type}" failed: ${messageOf(error)}`);
      feed.problem(messageOf(error));
    }
  }

  async #handle(feed: Feed, message: PageMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        return feed.ready();
      case 'resync':
        return feed.resync();
      case 'action':
        return this.#parts.act(message.action);
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        return;
      case 'open-file':
        return this.#parts.openFile(message.resource);
      case 'page-error':
        this.#parts.log.error(`The panel's page: ${message.message}`);
        return;
    }
  }
}
