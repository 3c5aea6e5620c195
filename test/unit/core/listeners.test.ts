import { expect, onTestFinished, test } from 'vitest';
import { createVirtualClock } from '../../../src/core/clock.ts';
import { dispatch } from '../../../src/core/dispatch/dispatch.ts';
import { createRegistry } from '../../../src/core/tools.ts';
import { calls, nap, tool } from './helpers.ts';

function watchWarnings(): string[] {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error) => void warnings.push(name);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  return warnings;
}

test('case X1: twelve calls at a time that listen for their abort cause no warning', async () => {
  const warnings = watchWarnings();
  const clock = createVirtualClock();
  const twelve = calls(...Array.from({ length: 12 }, (_, index) => `Read(${index})`));
  const registry = createRegistry([
    tool('Read', { run: (_, { signal }) => nap(clock, 5, signal).then(() => '') }),
  ]);
  await clock.runUntil(dispatch(twelve, registry, { strategy: 'batches', maxConcurrency: 12, clock }));
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});

test('case X1: eleven batches at a time on one signal cause no warning', async () => {
  const warnings = watchWarnings();
  const clock = createVirtualClock();
  const { signal } = new AbortController();
  const registry = createRegistry([tool('Read', { run: () => nap(clock, 5).then(() => '') })]);
  const all = Array.from({ length: 11 }, () =>
    dispatch(calls('Read(a)', 'Read(b)'), registry, { signal, clock }),
  );
  await clock.runUntil(Promise.all(all));
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});
