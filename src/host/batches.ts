import { randomUUID } from 'node:crypto';
import type { RecordingHeader } from '../core/recording.ts';
import type { AnyEvent } from '../core/reduce.ts';
import type { BatchInfo } from '../protocol/messages.ts';
import { Emitter } from './emitter.ts';

/** One batch with its log: a run of this window, or a recording that was opened. */
export interface Batch {
  readonly id: string;
  readonly title: string;
  /** `run` was made here and gets a number; `file` was opened. */
  readonly origin: 'run' | 'file';
  readonly notes: readonly string[];
  readonly events: readonly AnyEvent[];
  /** More events may come. */
  readonly live: boolean;
  /** Of an opened recording, so that saving it again changes nothing. */
  readonly header?: RecordingHeader;
}

interface OwnBatch extends Batch {
  readonly events: AnyEvent[];
  live: boolean;
}

export type BatchChange =
  | { readonly type: 'added' | 'ended' | 'forgotten'; readonly batch: Batch }
  | { readonly type: 'appended'; readonly batch: Batch; readonly event: AnyEvent };

/** What the page is told of a batch. */
export function infoOf(batch: Batch): BatchInfo {
  const { id, title, notes, live } = batch;
  return { id, title, notes, source: live ? 'live' : 'recorded' };
}

/** The batches of this window and their logs: the only truth about them. Keeps the last `limit`. */
export class Batches {
  readonly changes: Emitter<BatchChange>;
  readonly #limit: number;
  #kept: OwnBatch[] = [];
  #number = 0;

  constructor(limit: number, onFault: (error: unknown) => void) {
    this.#limit = limit;
    this.changes = new Emitter(onFault);
  }

  /** Oldest first. */
  get all(): readonly Batch[] {
    return this.#kept;
  }

  get latest(): Batch | undefined {
    return this.#kept.at(-1);
  }

  get(id: string): Batch | undefined {
    return this.#kept.find((batch) => batch.id === id);
  }

  /** A batch that starts to run: gets the next number, and events until `end`. */
  begin(notes: readonly string[]): Batch {
    const title = `batch ${++this.#number}`;
    const id = `batch-${this.#number}-${randomUUID().slice(0, 8)}`;
    return this.#add({ id, title, origin: 'run', notes, events: [], live: true });
  }

  /** A batch whose log is complete: an opened recording, or one kept from before the window was reloaded. */
  addRecorded(batch: Omit<Batch, 'live' | 'id'> & { readonly id?: string }): Batch {
    const known = batch.id === undefined ? undefined : this.get(batch.id);
    if (known) return known;
    const number = batch.origin === 'run' ? Number(/^batch (\d+)$/.exec(batch.title)?.[1] ?? 0) : 0;
    this.#number = Math.max(this.#number, number);
    return this.#add({
      ...batch,
      id: batch.id ?? `${batch.origin}-${randomUUID().slice(0, 8)}`,
      events: [...batch.events],
      live: false,
    });
  }

  append(batch: Batch, event: AnyEvent): void {
    const own = this.#own(batch);
    if (!own?.live) return;
    own.events.push(event);
    this.changes.fire({ type: 'appended', batch: own, event });
  }

  /** No more events come. */
  end(batch: Batch): void {
    const own = this.#own(batch);
    if (!own?.live) return;
    own.live = false;
    this.changes.fire({ type: 'ended', batch: own });
  }

  #add(batch: OwnBatch): Batch {
    this.#kept.push(batch);
    this.changes.fire({ type: 'added', batch });
    const forgotten = this.#kept.length > this.#limit ? this.#kept.find(({ live }) => !live) : undefined;
    if (forgotten && forgotten !== batch) {
      this.#kept = this.#kept.filter((kept) => kept !== forgotten);
      this.changes.fire({ type: 'forgotten', batch: forgotten });
    }
    return batch;
  }

  #own(batch: Batch): OwnBatch | undefined {
    return this.#kept.find((kept) => kept === batch);
  }
}
