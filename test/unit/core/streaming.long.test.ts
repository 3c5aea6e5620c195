/** Streams of thousands of calls. */
import { expect, test } from 'vitest';
import { createStreamingDispatch } from '../../../src/core/dispatch/streaming.ts';
import { STRATEGY_NAMES } from '../../../src/core/plan/strategies.ts';
import { createRegistry } from '../../../src/core/tools.ts';
import { tool } from './helpers.ts';
import { end, whole } from './streamed.ts';

const quick = createRegistry([tool('Read', { accesses: () => [], startsWhen: ['path'], run: () => '' })]);

test.each(STRATEGY_NAMES)('%s: the time of a stream grows with its calls', async (strategy) => {
  const timeOf = async (count: number) => {
    const began = performance.now();
    const stream = createStreamingDispatch(quick, { strategy });
    for (let index = 0; index < count; index++)
      for (const event of whole(index, 'Read', { path: `${index}` })) stream.push(event);
    stream.push(end());
    expect(await stream.results).toHaveLength(count);
    return performance.now() - began;
  };
  await timeOf(2_000);
  const ratios: number[] = [];
  for (let round = 0; round < 3; round++) ratios.push((await timeOf(16_000)) / (await timeOf(4_000)));
  expect(ratios.sort((a, b) => a - b)[1]).toBeLessThan(9); // 4 for linear, 16 for quadratic
});
