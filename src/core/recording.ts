/** A recording: a run's events as JSON Lines, the first line a header with the format's version (DESIGN section 8). */

import { messageOf } from './errors.ts';
import { isKnownType, RECORDING_VERSION } from './events.ts';
import { isRecord } from './record.ts';
import type { AnyEvent } from './reduce.ts';

const FORMAT = 'waves-recording';

export interface RecordingHeader {
  readonly format: string;
  readonly version: number;
}

export interface Recording {
  readonly header: RecordingHeader;
  /** In order, those of unknown types among them, exactly as they were written. */
  readonly events: readonly AnyEvent[];
  /** What a person should know: a cut-off line, a newer version, unknown types. Empty when all is well. */
  readonly notes: readonly string[];
}

/** The text of a recording of these events. Parsing it and writing what was parsed gives the same bytes. */
export function writeRecording(
  events: Iterable<AnyEvent>,
  header: RecordingHeader = { format: FORMAT, version: RECORDING_VERSION },
): string {
  const lines = [JSON.stringify(header)];
  for (const event of events) lines.push(JSON.stringify(event));
  return `${lines.join('\n')}\n`;
}

/**
 * Opens what can be opened: lines that are no event are left out, and `notes` says what and why.
 * @throws {Error} when the text is no recording at all: no header in its first line.
 */
export function parseRecording(text: string): Recording {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const header = parseHeader(lines[0] ?? '');
  const notes: string[] = [];
  if (header.version !== RECORDING_VERSION) {
    notes.push(
      `This recording has version ${header.version}; this Waves knows version ${RECORDING_VERSION}, so parts may be missing.`,
    );
  }
  const events: AnyEvent[] = [];
  const unreadable: number[] = [];
  const unknown = new Map<string, number>();
  const last = lines.length - 1;
  for (let at = 1; at <= last; at++) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    const event = parseEvent(line);
    if (event) {
      events.push(event);
      if (!isKnownType(event.type)) unknown.set(event.type, (unknown.get(event.type) ?? 0) + 1);
    } else if (at === last) notes.push(`The last line (${at + 1}) is cut off and was left out.`);
    else unreadable.push(at + 1);
  }
  if (unreadable.length > 0) {
    notes.push(
      `${unreadable.length} unreadable line${unreadable.length === 1 ? ' was' : 's were'} left out, the first is line ${unreadable[0]}.`,
    );
  }
  for (const [type, count] of unknown)
    notes.push(`${count} event${count === 1 ? '' : 's'} of the unknown type "${type}".`);
  const gap = events.findIndex((event, index) => event.seq !== index);
  if (gap >= 0) notes.push(`Events are missing or out of order from number ${gap} on.`);
  return { header, events, notes };
}

function parseHeader(line: string): RecordingHeader {
  let header: unknown;
  try {
    header = JSON.parse(line);
  } catch (error) {
    throw new Error(`This is no recording of Waves: its first line is no JSON (${messageOf(error)}).`);
  }
  if (!isRecord(header) || header.format !== FORMAT || typeof header.version !== 'number') {
    throw new Error(
      `This is no recording of Waves: its first line must be {"format":"${FORMAT}","version":${RECORDING_VERSION}}.`,
    );
  }
  return { ...header, format: header.format, version: header.version };
}

function parseEvent(line: string): AnyEvent | undefined {
  try {
    const event: unknown = JSON.parse(line);
    return isEvent(event) ? event : undefined;
  } catch {
    return undefined;
  }
}

function isEvent(value: unknown): value is AnyEvent {
  return (
    isRecord(value) &&
    typeof value.type === 'string' &&
    Number.isInteger(value.seq) &&
    typeof value.t === 'number'
  );
}
