/** `dataflow` by examples: what is announced of a run without barriers, in which order calls go, and by which chain. */
import { expect, test } from 'vitest';
import type { WavesEvent } from '../../../src/core/events.ts';
import type { Access, ToolCall } from '../../../src/core/model.ts';
import { dispatched, nap, ofType, tool } from './helpers.ts';

/** A call that takes so many milliseconds and touches these: `r:/a` reads, `w:/a` writes. */
const call = (id: number, ms: number, ...touches: string[]): ToolCall => ({
  id: `t${id}`,
  name: 'It',
  input: { ms, touches },
});

async function eventsOf(
  batch: readonly ToolCall[],
  maxConcurrency = batch.length,
): Promise<readonly WavesEvent[]> {
  const { events } = await dispatched(
    batch,
    (clock) => [
      tool('It', {
        accesses: ({ touches }) =>
          (touches as string[]).map((text): Access => {
            const [mode, resource = ''] = text.split(':');
            return { resource, mode: mode === 'w' ? 'write' : 'read' };
          }),
        run: ({ ms }) => nap(clock, Number(ms)).then(() => ''),
      }),
    ],
    { strategy: 'dataflow', maxConcurrency },
  );
  return events;
}

/** What is told of waves and of the calls that line up and start, as it comes. */
function told(events: readonly WavesEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'wave-started' || event.type === 'wave-ended') return [`${event.type} ${event.wave}`];
    if (event.type === 'call-queued') return [`queued ${event.call} of ${event.wave}`];
    return event.type === 'call-ended' ? [`ended ${event.call}`] : [];
  });
}

test('a level starts with its first call and ends with its last, though the next may have begun', async () => {
  const batch = [call(1, 10, 'w:/a'), call(2, 30, 'w:/b'), call(3, 30, 'w:/a'), call(4, 5)];
  expect(told(await eventsOf(batch))).toEqual([
    'wave-started 0',
    'queued 0 of 0',
    'queued 1 of 0',
    'queued 3 of 0',
    'ended 3',
    'ended 0',
    'wave-started 1',
    'queued 2 of 1',
    'ended 1',
    'wave-ended 0',
    'ended 2',
    'wave-ended 1',
  ]);
});

test('calls that become ready together are announced and started in request order', async () => {
  // Two read /a: who write below it wait for both, through one point; the last waits for the second reader only.
  const batch = [
    call(1, 10, 'r:/a'),
    call(2, 20, 'r:/a', 'r:/b'),
    call(3, 5, 'w:/a/x'),
    call(4, 5, 'w:/a/y'),
    call(5, 5, 'w:/b'),
  ];
  const events = await eventsOf(batch);
  expect(ofType(events, 'call-queued').map((event) => event.call)).toEqual([0, 1, 2, 3, 4]);
  expect(ofType(events, 'call-started').map((event) => [event.call, event.t])).toEqual([
    [0, 0],
    [1, 0],
    [2, 20],
    [3, 20],
    [4, 20],
  ]);
});

test('of several chains behind a call the longest counts, whichever comes first', async () => {
  const batch = [
    call(1, 10, 'w:/x'),
    call(2, 10, 'w:/a', 'w:/b'),
    call(3, 10, 'w:/x'),
    call(4, 10, 'w:/a'), // behind 2, the end of its chain
    call(5, 10, 'w:/b'), // behind 2 too, with two more behind it
    call(6, 10, 'w:/b'),
    call(7, 10, 'w:/b'),
    call(8, 10, 'w:/x'),
  ];
  const starts = ofType(await eventsOf(batch, 1), 'call-started').map((event) => event.call + 1);
  expect(starts[0]).toBe(2);
  expect(starts).toEqual([2, 1, 5, 3, 6, 4, 7, 8]);
});

test('of calls that wait for a permit with equal chains behind them the lower index goes first', async () => {
  const batch = [4, 3, 2, 1].map((ms, index) => call(index + 1, ms));
  expect(ofType(await eventsOf(batch, 1), 'call-started').map((event) => event.call)).toEqual([0, 1, 2, 3]);
});
