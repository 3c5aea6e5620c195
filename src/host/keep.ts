import * as vscode from 'vscode';
import { messageOf } from '../core/errors.ts';
import { parseRecording, writeRecording } from '../core/recording.ts';
import type { Batch, Batches } from './batches.ts';
import type { Timers } from './feed.ts';

/** A running batch is kept at most this often. */
const INTERVAL_MS = 1_000;
const MAX_CHARACTERS = 8_000_000;

/** What stands beside the log of the kept batch. */
interface Kept {
  readonly id: string;
  readonly title: string;
  readonly origin: Batch['origin'];
  readonly notes: readonly string[];
}

interface KeeperParts {
  /** Absent in a window without a workspace: then nothing is kept. */
  readonly folder: vscode.Uri | undefined;
  readonly batches: Batches;
  readonly log: vscode.LogOutputChannel;
  readonly timers: Timers;
}

/**
 * Keeps the batch that the panel shows in the workspace's storage, so that a reloaded window can show it again.
 * Only one is kept, and none that is very large.
 */
export class Keeper implements vscode.Disposable {
  readonly #folder: vscode.Uri | undefined;
  readonly #batches: Batches;
  readonly #log: vscode.LogOutputChannel;
  readonly #timers: Timers;
  #last: { readonly id: string; readonly count: number } | undefined;
  #writing: Promise<void> = Promise.resolve();
  #cancelTimer: (() => void) | undefined;

  constructor(parts: KeeperParts) {
    this.#folder = parts.folder;
    this.#batches = parts.batches;
    this.#log = parts.log;
    this.#timers = parts.timers;
  }

  /** Keeps a batch that still runs, in a moment: what it did so far is not lost when the window is closed. */
  keepSoon(batch: Batch): void {
    this.#cancelTimer ??= this.#timers.after(INTERVAL_MS, () => {
      this.#cancelTimer = undefined;
      void this.keep(batch);
    });
  }

  dispose(): void {
    this.#cancelTimer?.();
  }

  /** Keeps this batch as it is now, unless it is kept already. */
  keep(batch: Batch | undefined): Promise<void> {
    const folder = this.#folder;
    if (!folder || !batch || (this.#last?.id === batch.id && this.#last.count === batch.events.length))
      return this.#writing;
    this.#last = { id: batch.id, count: batch.events.length };
    this.#writing = this.#writing.then(() => this.#write(folder, batch));
    return this.#writing;
  }

  /**
   * The batch that the panel showed: the one it names, if this window still knows it, else the one that was kept. The
   * editor saves a page's own state with a delay, so after a reload it may name an older batch, or none.
   */
  async restore(named: string | undefined): Promise<Batch | undefined> {
    const known = named === undefined ? undefined : this.#batches.get(named);
    if (known || !this.#folder) return known;
    try {
      const kept = readKept(await read(vscode.Uri.joinPath(this.#folder, 'shown.json')));
      if (!kept) return undefined;
      const { header, events, notes } = parseRecording(await read(this.#logOf(this.#folder)));
      this.#last = { id: kept.id, count: events.length };
      return this.#batches.addRecorded({
        ...kept,
        header,
        events,
        notes: [...new Set([...kept.notes, ...notes])],
      });
    } catch (error) {
      this.#log.info(`No batch from before the reload can be shown: ${messageOf(error)}`);
      return undefined;
    }
  }

  #logOf(folder: vscode.Uri): vscode.Uri {
    return vscode.Uri.joinPath(folder, 'shown.waves.jsonl');
  }

  async #write(folder: vscode.Uri, { id, title, origin, notes, header, events }: Batch): Promise<void> {
    try {
      const text = header ? writeRecording(events, header) : writeRecording(events);
      if (text.length > MAX_CHARACTERS) return;
      const kept: Kept = { id, title, origin, notes };
      await vscode.workspace.fs.createDirectory(folder);
      await write(this.#logOf(folder), text);
      await write(vscode.Uri.joinPath(folder, 'shown.json'), JSON.stringify(kept));
    } catch (error) {
      this.#log.warn(`The batch could not be kept for a reload of the window: ${messageOf(error)}`);
    }
  }
}

function readKept(text: string): Kept | undefined {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, title, origin, notes }: Partial<Record<string, unknown>> = { ...value };
  if (typeof id !== 'string' || typeof title !== 'string') return undefined;
  return {
    id,
    title,
    origin: origin === 'file' ? 'file' : 'run',
    notes: Array.isArray(notes) ? notes.filter((note) => typeof note === 'string') : [],
  };
}

async function read(uri: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

async function write(uri: vscode.Uri, text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}
