import * as vscode from 'vscode';
import { type AnyEvent, reduce, reduceAll } from '../core/reduce.ts';
import { initialState, type ViewState } from '../core/state.ts';
import type { Batch, Batches } from './batches.ts';
import type { Timers } from './feed.ts';
import { statusText, statusTooltip } from './statusText.ts';

const UPDATE_MS = 100;
const HIDE_AFTER_MS = 10_000;

/**
 * One item that tells how far the batch is that began last and still runs, and how many others run; hidden when nothing
 * has run for ten seconds.
 */
export class StatusBar implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;
  readonly #timers: Timers;
  readonly #batches: Batches;
  readonly #subscription: vscode.Disposable;
  #batch: Batch | undefined;
  #state: ViewState = initialState;
  #cancelUpdate: (() => void) | undefined;
  #cancelHide: (() => void) | undefined;

  constructor(batches: Batches, timers: Timers) {
    this.#timers = timers;
    this.#batches = batches;
    this.#item = vscode.window.createStatusBarItem('waves.status', vscode.StatusBarAlignment.Left);
    this.#item.name = 'Waves';
    this.#item.command = 'waves.showPanel';
    this.#subscription = batches.changes.on((change) => {
      if (change.type === 'added' && change.batch.live) this.#begin(change.batch);
      else if (change.type === 'ended') this.#end(change.batch);
      else if (change.type === 'appended' && change.batch === this.#batch) this.#take(change.event);
    });
  }

  /** What it says, or undefined while it is hidden. */
  get text(): string | undefined {
    return this.#batch && this.#item.text;
  }

  dispose(): void {
    this.#stop();
    this.#subscription.dispose();
    this.#item.dispose();
  }

  #begin(batch: Batch): void {
    this.#stop();
    this.#batch = batch;
    this.#state = reduceAll(batch.events);
    this.#draw();
    this.#item.show();
  }

  #take(event: AnyEvent): void {
    this.#state = reduce(this.#state, event);
    this.#cancelUpdate ??= this.#timers.after(UPDATE_MS, () => {
      this.#cancelUpdate = undefined;
      this.#draw();
    });
  }

  #end(batch: Batch): void {
    const other = this.#batches.all.findLast(({ live }) => live);
    if (batch === this.#batch && other) this.#begin(other);
    else this.#draw();
    if (batch !== this.#batch || other) return;
    this.#stop();
    this.#cancelHide = this.#timers.after(HIDE_AFTER_MS, () => {
      this.#batch = undefined;
      this.#item.hide();
    });
  }

  #draw(): void {
    if (!this.#batch) return;
    const others = this.#batches.all.filter((batch) => batch.live && batch !== this.#batch).length;
    this.#item.text = statusText(this.#state, others);
    this.#item.tooltip = statusTooltip(this.#batch.title, this.#state);
    this.#item.accessibilityInformation = { label: this.#item.text.replace(/\$\(.*?\)\s*/g, '') };
  }

  #stop(): void {
    this.#cancelUpdate?.();
    this.#cancelHide?.();
    this.#cancelUpdate = this.#cancelHide = undefined;
  }
}
