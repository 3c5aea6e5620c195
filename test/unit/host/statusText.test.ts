import { expect, test } from 'vitest';
import type { WavesEvent } from '../../../src/core/events.ts';
import { reduceAll } from '../../../src/core/reduce.ts';
import { initialState } from '../../../src/core/state.ts';
import { statusText, statusTooltip } from '../../../src/host/statusText.ts';
import { end, reader, streamed, whole, writer } from '../core/streamed.ts';

/** What the status bar says after each event of a kind. */
function said(events: readonly WavesEvent[], type: WavesEvent['type']): string[] {
  return events.flatMap((event, index) =>
    event.type === type ? [statusText(reduceAll(events.slice(0, index + 1), initialState))] : [],
  );
}

test('while calls still arrive, the status bar says how many so far; then, which wave of how many', async () => {
  const { events } = await streamed(
    [
      [0, ...whole(0, 'Read', { path: 'a' })],
      [50, ...whole(1, 'Write', { path: 'b' })],
      [500, end()],
    ],
    (clock) => [reader(clock, []), writer(clock, [])],
    { strategy: 'first-fit' },
  );
  expect(said(events, 'run-started')).toEqual(['$(layers) Message arriving · 0 calls · 0 running']);
  expect(said(events, 'call-opened')).toEqual([
    '$(layers) Message arriving · 1 call · 0 running',
    '$(layers) Message arriving · 2 calls · 1 running',
  ]);
  expect(said(events, 'call-started').at(-1)).toBe('$(layers) Wave 2/2 · permits 1/2 · 0 waiting');
  expect(said(events, 'run-ended')).toEqual(['$(check) Done · 2 waves · 0.600 s']);
  expect(statusTooltip('batch 1', reduceAll(events, initialState))).toBe(
    'Waves, batch 1: 2 calls. Click to show the panel.',
  );
});
