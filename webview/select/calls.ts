/** How a call is named wherever it is drawn. */
import { callTarget as targetOf } from '../../src/core/diagram/target.ts';
import type { CallRow, CallStatus } from '../../src/core/state.ts';
import { shortened } from '../format.ts';

/** Every status, in the order in which counts are shown: what went wrong last. */
export const STATUSES: readonly CallStatus[] = [
  'ok',
  'running',
  'holding',
  'queued',
  'planned',
  'received',
  'arriving',
  'soft',
  'hard',
  'cancelled',
  'never-started',
];

/** "#7": calls are shown 1-based. */
export function callNumber(index: number): string {
  return `#${index + 1}`;
}

/**
 * What a call is about, in one line: its path, pattern or command, or its input's first text. Of one that still arrives,
 * as far as an early run knows.
 */
export function callTarget({ input, speculation }: Pick<CallRow, 'input' | 'speculation'>): string {
  return shortened(
    targetOf(input ?? speculation?.input)
      .replace(/\s+/g, ' ')
      .trim(),
    160,
  );
}

/** "#7 read src/a.ts": how sentences name a call. */
export function callTitle(call: Pick<CallRow, 'index' | 'name' | 'input'>): string {
  const target = callTarget(call);
  return `${callNumber(call.index)} ${call.name}${target === '' ? '' : ` ${target}`}`;
}
