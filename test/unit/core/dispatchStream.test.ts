/** A whole message from its source. */
import { expect, test } from 'vitest';
import { createVirtualClock, type VirtualClock } from '../../../src/core/clock.ts';
import { dispatchStream } from '../../../src/core/dispatch/dispatchStream.ts';
import { BatchAborted } from '../../../src/core/errors.ts';
import type { WavesEvent } from '../../../src/core/events.ts';
import type { StreamEvent } from '../../../src/core/stream/streamEvent.ts';
import { createRegistry } from '../../../src/core/tools.ts';
import { nap, ofType } from './helpers.ts';
import { close, end, open, type Ran, reader, text, writer } from './streamed.ts';

const CALL: readonly (readonly [number, StreamEvent])[] = [
  [0, open(0, 'Read')],
  [100, text(0, '{"path":"a"}')],
  [200, close(0)],
  [400, end()],
];

interface Source {
  readonly events: AsyncIterable<StreamEvent>;
  closed: number;
}

/** Events at their times; `thrown` at the end. */
function source(clock: VirtualClock, timed: typeof CALL, thrown?: Error): Source {
  const own: Source = {
    closed: 0,
    events: {
      [Symbol.asyncIterator]() {
        let at = 0;
        return {
          async next() {
            const next = timed[at++];
            if (!next && thrown) throw thrown;
            if (!next) return { done: true, value: undefined };
            await nap(clock, next[0] - clock.now());
            return { done: false, value: next[1] };
          },
          async return() {
            own.closed++;
            throw new Error('cannot be closed');
          },
        };
      },
    },
  };
  return own;
}

async function dispatched(timed: typeof CALL, { stopAt, thrown }: { stopAt?: number; thrown?: Error } = {}) {
  const clock = createVirtualClock();
  const ran: Ran[] = [];
  const events: WavesEvent[] = [];
  const abort = new AbortController();
  if (stopAt !== undefined) clock.after(stopAt, () => abort.abort());
  const from = source(clock, timed, thrown);
  const results = dispatchStream(from.events, createRegistry([reader(clock, ran), writer(clock, ran)]), {
    clock,
    onEvent: (event) => void events.push(event),
    signal: abort.signal,
  }).then(
    (all) => all,
    (error: unknown) => error,
  );
  const outcome = await clock.runUntil(results);
  const endedAt = clock.now();
  await clock.runUntil(nap(clock, 5_000));
  return { outcome, ran, events, endedAt, closed: from.closed };
}

test('runs as it streams in, and closes its source', async () => {
  const { outcome, ran, endedAt, closed } = await dispatched(CALL);
  expect(ran.map(({ at }) => at)).toEqual([100]);
  expect(outcome).toMatchObject([{ toolCallId: 't1', content: 'Read {"path":"a"}' }]);
  expect([endedAt, closed]).toEqual([400, 1]);
});

test('one that ends before its message breaks', async () => {
  const { outcome } = await dispatched(CALL.slice(0, 3));
  expect(outcome).toBeInstanceOf(BatchAborted);
  expect((outcome as Error).message).toBe(
    'The stream broke (it ended before its message did), so nothing of its message counts.',
  );
});

test('one that throws breaks with its sentence', async () => {
  const { outcome } = await dispatched(CALL.slice(0, 2), { thrown: new Error('connection reset') });
  expect((outcome as Error).message).toMatch(/\(connection reset\)/);
});

test('one that is cancelled is closed, and not waited for', async () => {
  const { outcome, events, endedAt, closed } = await dispatched(CALL, { stopAt: 150 });
  expect(outcome).toMatchObject({ code: 'BATCH_ABORTED', how: 'cancelled' });
  expect(ofType(events, 'call-ended')).toHaveLength(1);
  expect([endedAt, closed]).toEqual([150, 1]);
});

test('a source is not opened for a batch that is cancelled already, and closed as soon as one is', async () => {
  let opened = 0;
  const counted = {
    [Symbol.asyncIterator]() {
      opened++;
      return { next: () => new Promise<never>(() => {}) };
    },
  };
  await expect(dispatchStream(counted, createRegistry([]), { signal: AbortSignal.abort() })).rejects.toThrow(
    /cancelled/,
  );
  expect(opened).toBe(0);
  const clock = createVirtualClock();
  const from = source(clock, CALL);
  const abort = new AbortController();
  const deaf = { ...reader(clock, []), run: () => nap(clock, 900).then(() => '') };
  const done = dispatchStream(from.events, createRegistry([deaf]), {
    clock,
    signal: abort.signal,
    graceMs: 500,
  });
  clock.after(150, () => abort.abort());
  let closedAt = -1;
  clock.after(151, () => {
    closedAt = from.closed;
  });
  await clock.runUntil(done.catch(() => {}));
  expect([closedAt, clock.now()]).toEqual([1, 650]);
});

test('a source that throws at once, or is no stream, breaks and does not throw', async () => {
  const registry = createRegistry([]);
  const broken = {
    [Symbol.asyncIterator]() {
      throw new Error('no connection');
    },
  };
  await expect(dispatchStream(broken, registry)).rejects.toThrow(/no connection/);
  await expect(dispatchStream({} as never, registry)).rejects.toThrow(/stream broke/);
  await expect(dispatchStream(broken, registry, { strategy: 'x' as never })).rejects.toThrow(RangeError);
});

test('a source that cannot be closed is left as it is', async () => {
  const events: AsyncIterable<StreamEvent> = {
    async *[Symbol.asyncIterator]() {
      yield end();
    },
  };
  const plain = {
    [Symbol.asyncIterator]: () => {
      const own = events[Symbol.asyncIterator]();
      return { next: () => own.next() };
    },
  };
  expect(await dispatchStream(plain, createRegistry([]))).toEqual([]);
});
