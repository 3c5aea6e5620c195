/** Faults of other products with calls that stream in, cut at every place (shared cases 12, 13, 14, 29 and 50). */
import { describe, expect, test } from 'vitest';
import { BatchAborted } from '../../../src/core/errors.ts';
import { STRATEGY_NAMES } from '../../../src/core/plan/strategies.ts';
import type { StreamEvent } from '../../../src/core/stream/streamEvent.ts';
import { ofType } from './helpers.ts';
import {
  broke,
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

/** The text of one call's input as pieces, cut once at every place. */
const cuts = (input: string): string[][] =>
  Array.from({ length: input.length + 1 }, (_, at) => [input.slice(0, at), input.slice(at)]);

async function run(events: readonly StreamEvent[], options: Parameters<typeof streamed>[2] = {}) {
  const ran: Ran[] = [];
  // A millisecond apart, so that whatever may start early has the time to.
  const timed: Timed = events.map((event, at) => [at, event] as const);
  const outcome = await streamed(timed, (clock) => [reader(clock, ran), writer(clock, ran)], {
    onHardError: 'answer-all',
    ...options,
  });
  return { ...outcome, ran };
}

describe.each(STRATEGY_NAMES)('%s', (strategy) => {
  test('case 12: an input cut off anywhere is never run, whatever the stop reason', async () => {
    const input = '{"path":"a.md","content":"abc"}';
    for (let length = 1; length < input.length; length++) {
      for (const last of [cut(), end(), cut('length'), end('stop')]) {
        for (const closes of [[], [close(0)]]) {
          const { results, ran } = await run(
            [open(0, 'Write'), text(0, input.slice(0, length)), ...closes, last],
            { strategy },
          );
          expect(ran).toEqual([]);
          expect(results).toMatchObject([{ toolCallId: 't1', isError: true }]);
          expect(results[0]!.content).toMatch(/cut off/);
        }
      }
    }
  });

  test('case 13: no arguments at all, as one empty piece, none, or blanks: run once with {}', async () => {
    for (const pieces of [[], [''], ['  '], [' ', '\n'], ['{}'], ['{', '}']]) {
      const { results, ran } = await run(
        [open(0, 'Read'), ...pieces.map((piece) => text(0, piece)), close(0), end()],
        { strategy },
      );
      expect(ran.map(({ input }) => input)).toEqual([{}]);
      expect(results).toMatchObject([{ isError: false }]);
    }
  });

  test('case 13: a stream that dies before the first argument runs nothing and hands nothing out', async () => {
    for (const before of [[], [text(0, '')], [text(0, ' ')], [close(0)], [text(0, ''), close(0)]]) {
      const { results, error, ran } = await run([open(0, 'Write'), ...before, broke()], { strategy });
      expect(ran).toEqual([]);
      expect(results).toEqual([]);
      expect(error).toBeInstanceOf(BatchAborted);
      expect((error as Error).message).toMatch(/connection reset/);
    }
  });

  test('case 13: cut off by the token limit before the first argument: not run, though the block was closed', async () => {
    const { results, ran } = await run(
      [...whole(0, 'Read', { path: 'a' }), open(1, 'Write'), close(1), cut()],
      { strategy },
    );
    expect(ran.map(({ name }) => name)).toEqual(['Read']);
    expect(results.map(({ isError }) => isError)).toEqual([false, true]);
    expect(results[1]!.content).toMatch(/cut off/);
  });

  test.each(['null', '[]', '12', '"x"', 'true'])('case 13: %s is no object', async (input) => {
    for (const pieces of cuts(input)) {
      const { results, ran } = await run(
        [open(0, 'Read'), ...pieces.map((piece) => text(0, piece)), close(0), end()],
        { strategy },
      );
      expect(ran).toEqual([]);
      expect(results[0]!.content).toMatch(/input must be an object/);
    }
  });

  test('case 14: nothing runs, and no key is asked, with a value that is still growing', async () => {
    const asked: unknown[] = [];
    for (const [input, needs] of [
      ['{"path":"src/app.ts","content":"x"}', 'path'],
      ['{"limit":1234}', 'limit'],
    ] as const) {
      for (const pieces of cuts(input)) {
        const ran: Ran[] = [];
        const events = [open(0, 'Read'), ...pieces.map((piece) => text(0, piece)), close(0), end()];
        await streamed(
          events.map((event, at) => [at, event] as const),
          (clock) => [
            reader(clock, ran, {
              startsWhen: [needs],
              accesses(own) {
                asked.push(own[needs]);
                return [];
              },
            }),
          ],
          { strategy },
        );
        const whole = JSON.parse(input);
        for (const { input: own } of ran) expect(own[needs]).toBe(whole[needs]);
        for (const value of asked.splice(0)) expect(value).toBe(whole[needs]);
      }
    }
  });

  test('case 14: of a key that comes twice the last counts, and what began with the first is dropped', async () => {
    for (const pieces of cuts('{"path":"a","path":"b"}')) {
      const { results, ran, events } = await run(
        [open(0, 'Read'), ...pieces.map((piece) => text(0, piece)), close(0), end()],
        { strategy },
      );
      expect(results.map(({ content }) => content)).toEqual(['Read {"path":"b"}']);
      for (const { input, aborted } of ran) expect(aborted).toBe(input.path === 'a');
      expect(ofType(events, 'call-ended')).toHaveLength(1);
    }
  });

  test.each(['{"a":[.5,7],"b":1}', '{"a":1} junk', '{"a":1}{"b":2}'])(
    'case 29: %s is not run',
    async (input) => {
      for (const pieces of cuts(input)) {
        const { results, ran } = await run(
          [
            open(0, 'Read'),
            ...pieces.map((piece) => text(0, piece)),
            close(0),
            ...whole(1, 'Read', { path: 'b' }),
            end(),
          ],
          { strategy },
        );
        expect(ran.map(({ input: own }) => own.path)).toEqual(['b']);
        expect(results[0]!.content).toMatch(/not valid JSON/);
        expect(results[1]).toMatchObject({ isError: false });
      }
    },
  );

  test('case 50: what began before the stream broke is aborted, and the next attempt runs each call once', async () => {
    const first = [...whole(0, 'Read', { path: 'a' }), ...whole(1, 'Write', { path: 'b' }), broke()];
    for (let at = 1; at < first.length; at++) {
      const { results, error, ran } = await run([...first.slice(0, at), broke()], { strategy });
      expect(results).toEqual([]);
      expect(error).toMatchObject({ code: 'BATCH_ABORTED', how: 'aborted' });
      for (const one of ran) expect(one).toMatchObject({ name: 'Read', aborted: true });
    }
    const retry = [
      ...whole(0, 'Read', { path: 'a' }, 't2'),
      ...whole(1, 'Write', { path: 'b' }, 't3'),
      end(),
    ];
    const { results, ran } = await run(retry, { strategy });
    expect(results.map(({ toolCallId }) => toolCallId)).toEqual(['t2', 't3']);
    expect(ran.map(({ name, aborted }) => [name, aborted])).toEqual([
      ['Read', false],
      ['Write', false],
    ]);
    expect(ran[1]!.at).toBeGreaterThanOrEqual(retry.length - 1); // not before its message was complete
  });
});
