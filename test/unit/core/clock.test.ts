import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { dispatch } from '../../../src/core/dispatch/dispatch.ts';
import { createRegistry } from '../../../src/core/tools.ts';
import { calls, tool } from './helpers.ts';

test.each([Number.POSITIVE_INFINITY, 2 ** 31, 1e12])(
  'a limit of %d ms is not over at once',
  async (limit) => {
    const [result] = await dispatch(calls('A'), createRegistry([tool('A', { ms: 20 })]), {
      timeoutMs: limit,
      runTimeoutMs: limit,
    });
    expect(result).toMatchObject({ content: 'A', isError: false });
  },
);

test('a timer that is taken back does not fire', async () => {
  const fired: string[] = [];
  systemClock.after(1, () => void fired.push('taken back'))();
  systemClock.after(1, () => void fired.push('kept'));
  await wait(20);
  expect(fired).toEqual(['kept']);
});
