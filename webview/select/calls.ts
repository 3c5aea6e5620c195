/** How a call is named wherever it is drawn. */
import type { CallRow, CallStatus } from '../../src/core/state.ts';
import { shortened } from '../format.ts';

/** The word for a status (PANEL section 12). */
export const STATUS_WORDS: Readonly<Record<CallStatus, string>> = {
  received: 'received',
  planned: 'planned',
  queued: 'waiting for a permit',
  holding: 'starting',
  running: 'running',
  ok: 'ok',
  soft: 'soft error',
  hard: 'hard error',
  cancelled: 'cancelled',
  'never-started': 'never started',
};

/** Every status, in the order in which counts are shown: what went wrong last. */
export const STATUSES: readonly CallStatus[] = [
  'ok',
  'running',
  'holding',
  'queued',
  'planned',
  'received',
  'soft',
  'hard',
  'cancelled',
  'never-started',
];

/** The inputs that say best what a call is about, the first that is there. */
const TELLING = [
  'path',
  'file_path',
  'filePath',
  'file',
  'uri',
  'pattern',
  'query',
  'command',
  'url',
  'name',
];

/** "#7": calls are shown 1-based. */
export function callNumber(index: number): string {
  return `#${index + 1}`;
}

/** What a call is about, in one line: its path, pattern or command, or its input's first text. */
export function callTarget(call: Pick<CallRow, 'input'>): string {
  const { input } = call;
  if (typeof input === 'string') return oneLine(input);
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return '';
  const entries = new Map(Object.entries(input));
  const value =
    TELLING.map((name) => entries.get(name)).find(isText) ?? [...entries.values()].find(isText) ?? '';
  return oneLine(value);
}

/** "#7 read src/a.ts": how sentences name a call. */
export function callTitle(call: Pick<CallRow, 'index' | 'name' | 'input'>): string {
  const target = callTarget(call);
  return `${callNumber(call.index)} ${call.name}${target === '' ? '' : ` ${target}`}`;
}

/** A resource as people write it: a file's path without its scheme. */
export function resourceLabel(resource: string): string {
  if (resource === '*') return 'everything';
  return resource.replace(/^file:(\/\/)?/, '') || resource;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function oneLine(text: string): string {
  return shortened(text.replace(/\s+/g, ' ').trim(), 160);
}
