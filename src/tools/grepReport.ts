import type { ToolErrorCode } from './errors.ts';
import { count, withNotes } from './notes.ts';
import type { Found } from './ports.ts';
import type { LeftOut, WalkedFile } from './walk.ts';

/** Gathers what a search found and what it passed over, within its limits, and says all of it (cases 34, 41, 42). */
export class GrepReport {
  readonly #rows: string[] = [];
  readonly #maxHits: number;
  readonly #maxLength: number;
  #length = 0;
  #hits = 0;
  #files = 0;
  #cut = false;
  #binary = 0;
  #large: string[] = [];
  #links = 0;
  #warnings: string[] = [];

  constructor(maxHits: number, maxLength: number) {
    this.#maxHits = maxHits;
    this.#maxLength = maxLength;
  }

  /** How many more hits can be told. */
  get room(): number {
    return Math.max(0, this.#maxHits - this.#hits);
  }

  /** Nothing more can be told, and something was left untold. */
  get full(): boolean {
    return this.#cut;
  }

  add(path: string, found: Found): void {
    if (found.hits === 0) return;
    if (found.hits > this.room) this.#cut = true;
    let before: number | undefined;
    for (const { line, hit, text } of found.lines) {
      const gap = before !== undefined && line > before + 1 && found.lines.some((one) => !one.hit);
      const sign = hit ? ':' : '-';
      const row = `${gap ? '--\n' : ''}${path}${sign}${line}${sign}${text}`;
      if (this.#length + row.length > this.#maxLength) {
        this.#cut = true;
        break;
      }
      this.#length += row.length + 1;
      this.#rows.push(row);
      if (hit) this.#hits++;
      before = line;
    }
    if (before !== undefined) this.#files++;
  }

  /** Links are not followed: what they lead to is found at its own place, or is outside. */
  skippedLink(file: WalkedFile): boolean {
    if (file.link) this.#links++;
    return file.link;
  }

  skipped(code: ToolErrorCode, path: string, message: string): void {
    if (code === 'binary') this.#binary++;
    else if (code === 'too-large') this.#large.push(path);
    else this.#warnings.push(message.includes(path) ? message : `${path}: ${message}`);
  }

  text(left: LeftOut): string {
    const summary = `${count(this.#hits, 'match', 'matches')} in ${count(this.#files, 'file')}`;
    return withNotes(this.#rows.length > 0 ? this.#rows.join('\n') : 'No matches.', [
      this.#rows.length > 0 && (this.#cut ? `${summary}; there are more: search a smaller folder` : summary),
      this.#warnings.length > 0 && `Could not be searched: ${this.#warnings.slice(0, 5).join(' ')}`,
      this.#warnings.length > 5 && `and ${this.#warnings.length - 5} more`,
      this.#large.length > 0 && `Too large to search: ${this.#large.slice(0, 5).join(', ')}`,
      this.#binary > 0 && `${count(this.#binary, 'binary file')} left out`,
      this.#links > 0 && `${count(this.#links, 'link')} not followed`,
      ...left.notes(),
    ]);
  }
}
