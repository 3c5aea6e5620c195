import { expect, test } from 'vitest';
import { dispatch } from '../../../src/core/dispatch/dispatch.ts';
import { createRegistry } from '../../../src/core/tools.ts';
import { calls, tool } from './helpers.ts';

const strategies = ['sequential', 'batches', 'first-fit', 'dataflow'] as const;

test.each(strategies)(
  '%s: a chain of 20,000 calls that end at once is no deep recursion',
  async (strategy) => {
    const chain = calls(...Array.from({ length: 20_000 }, () => 'Nobody'));
    const results = await dispatch(chain, createRegistry([]), { strategy });
    expect(results).toHaveLength(chain.length);
    expect(results.every(({ isError }) => isError)).toBe(true);
  },
);

test.each(strategies)(
  '%s: 20,000 calls that were to run are each answered when the first stops them',
  async (strategy) => {
    const abort = new AbortController();
    const chain = calls(...Array.from({ length: 20_000 }, (_, index) => `Edit(${index})`));
    let ran = 0;
    const registry = createRegistry([
      tool('Edit', {
        safe: strategy !== 'dataflow',
        async run() {
          ran++;
          abort.abort();
          return '';
        },
      }),
    ]);
    const results = await dispatch(chain, registry, {
      strategy,
      maxConcurrency: 1,
      signal: abort.signal,
      onHardError: 'answer-all',
    });
    expect(ran).toBe(1);
    expect(results.filter(({ content }) => String(content).startsWith('not run'))).toHaveLength(19_999);
  },
);

test.each(['batches', 'first-fit', 'dataflow'] as const)(
  '%s: 20,000 calls that wait for a permit are no deep recursion when whoever sees one come back stops them',
  async (strategy) => {
    const abort = new AbortController();
    const many = calls(...Array.from({ length: 20_000 }, () => 'Read'));
    const results = await dispatch(many, createRegistry([tool('Read')]), {
      strategy,
      maxConcurrency: 1,
      signal: abort.signal,
      onHardError: 'answer-all',
      onEvent: ({ type }) => type === 'permit-returned' && abort.abort(),
    });
    expect(results.filter(({ content }) => String(content).startsWith('not run'))).toHaveLength(19_999);
  },
);
