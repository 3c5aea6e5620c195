import type { HostMessage, PageAction } from '../protocol/messages.ts';
import { type Batch, infoOf } from './batches.ts';

/** At most this often a page gets news: about 30 times a second. */
const INTERVAL_MS = 34;
/** More events than this go in several messages. */
const EVENTS_PER_MESSAGE = 5_000;
/** How long a page that is shown again may take to say that it is ready before it is sent the log unasked. */
const PATIENCE_MS = 1_000;

/** Timers, passed in. */
export interface Timers {
  /** Calls `run` once after `ms`, unless the returned function is called before. */
  after(ms: number, run: () => void): () => void;
}

/** What was sent so far, for tests and the log. */
export interface FeedCounts {
  /** Logs sent whole. */
  readonly logs: number;
  readonly messages: number;
  /** How often the page said that it is ready. */
  readonly readies: number;
  /** Events of the shown batch that the page has been sent; undefined until it was sent any. */
  readonly sent: number | undefined;
}

/**
 * Keeps one page up to date with one batch. A page gets the whole log when it is ready, then what is new in small
 * batches. A hidden page gets nothing, and nobody waits for a page.
 */
export class Feed {
  readonly #post: (message: HostMessage) => void;
  readonly #timers: Timers;
  #batch: Batch | undefined;
  #sent: number | undefined;
  #ready = false;
  #visible = true;
  #cancelTimer: (() => void) | undefined;
  #cancelPatience: (() => void) | undefined;
  #waiting: HostMessage[] = [];
  #counts = { logs: 0, messages: 0, readies: 0 };

  constructor(post: (message: HostMessage) => void, timers: Timers) {
    this.#post = post;
    this.#timers = timers;
  }

  get batch(): Batch | undefined {
    return this.#batch;
  }

  get counts(): FeedCounts {
    return { ...this.#counts, sent: this.#sent };
  }

  /** Makes the page show this batch, or that there is none. */
  show(batch: Batch | undefined): void {
    this.#batch = batch;
    this.#sent = undefined;
    this.#flush();
  }

  /** Something of this batch is new. */
  changed(batch: Batch): void {
    if (batch === this.#batch && this.#open && !this.#cancelTimer) this.#schedule();
  }

  /** The page listens: it gets the whole log, whatever it had. */
  ready(): void {
    this.#counts.readies++;
    this.#begin();
  }

  /** The page has a gap, or another batch than we think. */
  resync(): void {
    this.#sent = undefined;
    this.#flush();
    for (const message of this.#waiting.splice(0)) this.#tell(message);
  }

  /** The page is shown or hidden. A hidden one is gone: it will say `ready` when it is back. */
  setVisible(visible: boolean): void {
    if (visible === this.#visible) return;
    this.#visible = visible;
    this.#stopTimers();
    if (!visible) this.#ready = false;
    else this.#cancelPatience = this.#timers.after(PATIENCE_MS, () => this.#begin());
  }

  /** Asks the page to do something, as soon as it can. */
  action(action: PageAction): void {
    const message: HostMessage = { type: 'action', action };
    if (this.#open) this.#tell(message);
    else this.#waiting = [...this.#waiting.slice(-9), message];
  }

  /** Says that something went wrong, where the user looks. */
  problem(message: string, detail?: string): void {
    if (this.#open) this.#tell({ type: 'problem', message, ...(detail !== undefined && { detail }) });
  }

  dispose(): void {
    this.#stopTimers();
    this.#ready = false;
    this.#visible = false;
    this.#waiting = [];
  }

  get #open(): boolean {
    return this.#ready && this.#visible;
  }

  #begin(): void {
    this.#ready = true;
    this.#cancelPatience?.();
    this.resync();
  }

  #schedule(): void {
    this.#cancelTimer = this.#timers.after(INTERVAL_MS, () => {
      this.#cancelTimer = undefined;
      this.#flush();
    });
  }

  #flush(): void {
    if (!this.#open) return;
    const batch = this.#batch;
    if (!batch) {
      this.#tell({ type: 'empty' });
      return;
    }
    const from = this.#sent;
    if (from === undefined) {
      this.#counts.logs++;
      this.#sent = batch.events.length;
      this.#tell({ type: 'log', batch: infoOf(batch), events: batch.events.slice() });
      return;
    }
    const events = batch.events.slice(from, from + EVENTS_PER_MESSAGE);
    if (events.length === 0) return;
    this.#sent = from + events.length;
    this.#tell({ type: 'append', batchId: batch.id, from, events });
    if (this.#sent < batch.events.length) this.#schedule();
  }

  #tell(message: HostMessage): void {
    this.#counts.messages++;
    this.#post(message);
  }

  #stopTimers(): void {
    this.#cancelTimer?.();
    this.#cancelPatience?.();
    this.#cancelTimer = this.#cancelPatience = undefined;
  }
}
