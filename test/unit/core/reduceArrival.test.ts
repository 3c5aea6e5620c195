/** What the view knows of calls that arrive, and of runs that began early, after every event. */
import { describe, expect, test } from 'vitest';
import type { WavesEvent } from '../../../src/core/events.ts';
import { workedMs } from '../../../src/core/ran.ts';
import { reduce, reduceAll } from '../../../src/core/reduce.ts';
import { initialState, type ViewState } from '../../../src/core/state.ts';
import { rowAt, rowsOf } from '../../../src/core/table.ts';
import {
  close,
  cut,
  end,
  open,
  type Ran,
  reader,
  streamed,
  type Timed,
  text,
  whole,
  writer,
} from './streamed.ts';

async function events(timed: Timed, more = {}): Promise<readonly WavesEvent[]> {
  const ran: Ran[] = [];
  const run = await streamed(timed, (clock) => [reader(clock, ran), writer(clock, ran)], {
    strategy: 'dataflow',
    onHardError: 'answer-all',
    ...more,
  });
  return run.events;
}

/** The state after each event, checked against what holds at any moment. */
function states(list: readonly WavesEvent[]): ViewState[] {
  let state = initialState;
  return list.map((event) => {
    state = reduce(state, event);
    const counted = Object.values(state.counts).reduce((sum, count) => sum + count, 0);
    expect(counted).toBe(state.calls.size);
    const statuses = [...rowsOf(state.calls)].map(({ status }) => status);
    for (const [status, count] of Object.entries(state.counts))
      expect(statuses.filter((one) => one === status)).toHaveLength(count);
    expect(state.unknown).toBe(0);
    return state;
  });
}

const statusesOf = (list: readonly ViewState[], call: number) =>
  list.map((state) => rowAt(state.calls, call)?.status).filter((status, at, all) => status !== all[at - 1]);

describe('a call that comes in', () => {
  test('arrives, is complete, and goes the way of all calls', async () => {
    const all = states(
      await events([
        [0, open(0, 'Write'), text(0, '{"path":')],
        [10, text(0, '"a"}'), close(0)],
        [20, end()],
      ]),
    );
    expect(statusesOf(all, 0)).toEqual([
      'arriving',
      'received',
      'planned',
      'queued',
      'holding',
      'running',
      'ok',
    ]);
    const row = rowAt(all.at(-1)!.calls, 0)!;
    expect(row.arrival).toEqual({ openedAt: 0, closedAt: 10, known: [] });
    expect(row.input).toEqual({ path: 'a' });
    expect(all.at(-1)!.message).toEqual({ state: 'ended', endedAt: 20, stopReason: 'tool_use' });
    expect(all.at(-1)!.phase).toBe('done');
  });

  test('held early, and confirmed: it keeps its start, and ended when it was closed', async () => {
    const all = states(
      await events([
        [0, open(0, 'Read'), text(0, '{"path":"a"')],
        [500, text(0, '}'), close(0), end()],
      ]),
    );
    expect(statusesOf(all, 0)).toEqual([
      'arriving',
      'holding',
      'running',
      'arriving',
      'received',
      'planned',
      'queued',
      'ok',
    ]);
    expect(
      all
        .map((state) => rowAt(state.calls, 0)?.speculation?.state)
        .filter((one, at, list) => one !== list[at - 1]),
    ).toEqual(['running', 'held', 'confirmed']);
    const row = rowAt(all.at(-1)!.calls, 0)!;
    expect(row).toMatchObject({
      startedAt: 0,
      permitReturnedAt: 100,
      endedAt: 500,
      arrival: { known: ['path'] },
    });
    expect(row.speculation).toMatchObject({ wonMs: 100 });
    expect(workedMs(all.at(-1)!)).toBe(100);
  });

  test('discarded while it ran: its permit comes back, and of the call only its arrival is left', async () => {
    const all = states(
      await events([
        [0, open(0, 'Read'), text(0, '{"path":"a"')],
        [40, text(0, ',"b":1}'), close(0), end()],
      ]),
    );
    const discarded = all.find((state) => rowAt(state.calls, 0)?.speculation?.state === 'discarded')!;
    expect(rowAt(discarded.calls, 0)).toMatchObject({
      status: 'received',
      touched: [],
      arrival: { closedAt: 40 },
    });
    expect(rowAt(discarded.calls, 0)).not.toHaveProperty('startedAt');
    const last = all.at(-1)!;
    expect(last.holders).toEqual([undefined]);
    expect(rowAt(last.calls, 0)).toMatchObject({
      status: 'ok',
      startedAt: 40,
      endedAt: 140,
      speculation: { state: 'discarded', permit: 0, startedAt: 0, endedAt: 40, wastedMs: 40 },
    });
    expect(workedMs(last)).toBe(100);
  });

  test('cut off: a soft error, and the message says so', async () => {
    const all = states(
      await events([
        [0, whole(0, 'Read', { path: 'a' })],
        [10, open(1, 'Write'), text(1, '{"pa')],
        [200, cut()],
      ]),
    );
    const last = all.at(-1)!;
    expect(last.message).toMatchObject({ state: 'ended', cutOff: true, stopReason: 'max_tokens' });
    expect(rowAt(last.calls, 1)).toMatchObject({ status: 'soft', arrival: { openedAt: 10, known: [] } });
    expect(last.permits).toBe(2);
    expect(last.phase).toBe('done');
  });
});

test('events that name no call are counted, and change nothing else', () => {
  const received = reduceAll([
    {
      type: 'batch-received',
      seq: 0,
      t: 0,
      strategy: 'dataflow',
      permits: 2,
      onHardError: 'abort',
      calls: [],
      streaming: true,
    } satisfies WavesEvent,
  ]);
  for (const event of [
    { type: 'call-opened', call: 3, id: 'x', name: 'x' },
    { type: 'argument-closed', call: 1, name: 'x' },
    { type: 'call-closed', call: 1, input: {} },
    { type: 'speculation-started', call: 1, input: {} },
    { type: 'speculation-confirmed', call: 1, wonMs: 1 },
    { type: 'speculation-discarded', call: 1, wastedMs: 1, reason: '' },
  ]) {
    const after = reduce(received, { ...event, seq: 1, t: 1 });
    expect(after).toEqual({ ...received, seq: 2, t: 1, unknown: 1 });
  }
});
