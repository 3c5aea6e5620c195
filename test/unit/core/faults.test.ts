/** What a tool or a caller does wrong hurts nobody else: every call still ends, and the batch with it. */
import { describe, expect, test, vi } from 'vitest';
import { dispatch } from '../../../src/core/dispatch/dispatch.ts';
import { createRegistry } from '../../../src/core/tools.ts';
import { calls, dispatched, nap, ofType, permitsOf, tool } from './helpers.ts';
import { turn, watchRejections } from './rejections.ts';

const unhandled = watchRejections();

const circle: Record<string, unknown> = {};
circle.self = circle;
const mute = Object.create(null) as object;
class Odd extends Error {
  override get message(): string {
    throw new Error('no message either');
  }
}

describe('an answer that has no text is a soft error of that call alone', () => {
  test.each([
    ['a bigint', 10n],
    ['a circle', circle],
    ['content in a circle', { content: circle }],
    [
      'an answer that throws when it is read',
      {
        get content() {
          throw new Error('gone');
        },
      },
    ],
  ])('%s', async (_name, answer) => {
    const { results, events } = await dispatched(calls('Odd', 'Good'), () => [
      tool('Odd', { run: () => answer as never }),
      tool('Good'),
    ]);
    expect(results.map(({ isError }) => isError)).toEqual([true, false]);
    expect(results[0]!.content).toContain("The tool's answer cannot be read");
    expect(ofType(events, 'call-ended').map(({ outcome }) => outcome)).toEqual(['soft', 'ok']);
    await turn();
    expect(unhandled).toEqual([]);
  });
});

describe('a throw that has no text is a soft error like any other', () => {
  test.each([
    ['an object without a prototype', mute],
    ['an error whose message throws', new Odd()],
    ['nothing', undefined],
  ])('%s', async (_name, thrown) => {
    const { results } = await dispatched(calls('Odd', 'Good'), () => [
      tool('Odd', {
        run() {
          throw thrown;
        },
      }),
      tool('Good'),
    ]);
    expect(results.map(({ isError }) => isError)).toEqual([true, false]);
    expect(results[0]!.content).toContain('Something was thrown');
    await turn();
    expect(unhandled).toEqual([]);
  });

  test('from a before-hook, or from its answer when it is read, it blocks the call', async () => {
    const answers = [
      () => {
        throw mute;
      },
      () => ({
        get block(): string {
          throw mute;
        },
      }),
    ];
    const { results } = await dispatched(calls('A', 'B'), () => [tool('A'), tool('B')], {
      hooks: { before: (_call, { index }) => answers[index]!() },
    });
    expect(results.map(({ content }) => content)).toEqual(
      [1, 2].map(() => 'Something was thrown that has no text.'),
    );
    await turn();
    expect(unhandled).toEqual([]);
  });
});

test('a log that throws, closed say, changes nothing of the run', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  const registry = createRegistry([tool('A')]);
  const results = await dispatch(calls('A(1)', 'A(2)'), registry, {
    onEvent() {
      throw new Error('a subscriber');
    },
    log() {
      throw new Error('channel has been closed');
    },
  });
  expect(results.map(({ content }) => content)).toEqual(['A 1', 'A 2']);
  expect(said.mock.calls[0]![0]).toContain('A subscriber threw'); // the last resort
  said.mockRestore();
});

test('a tool that does not wait for the batch it dispatched leaves no rejection behind', async () => {
  const { results, events } = await dispatched(calls('Parent'), (clock) => [
    tool('Parent', {
      run(_input, { dispatch }) {
        void dispatch(calls('Child'));
        return 'did not wait';
      },
    }),
    tool('Child', { run: (_input, { signal }) => nap(clock, 100, signal).then(() => '') }),
  ]);
  expect(results[0]!.content).toBe('did not wait');
  expect(permitsOf(events).heldAtEnd).toBe(0);
  await turn();
  expect(unhandled).toEqual([]);
});

test('a tool that dispatches what is no list of calls gets a rejection, not a throw', async () => {
  let caught: unknown;
  const { results } = await dispatched(calls('Parent'), () => [
    tool('Parent', {
      async run(_input, { dispatch }) {
        await dispatch(undefined as never).catch((error: unknown) => {
          caught = error;
        });
        return 'carried on';
      },
    }),
  ]);
  expect(caught).toBeInstanceOf(TypeError);
  expect(results[0]!.content).toBe('carried on');
});
