/** What a tool wants done when its answer is handed out. */
import { expect, test } from 'vitest';
import { calls, dispatched, nap, tool } from './helpers.ts';
import { close, end, open, streamed, text } from './streamed.ts';

const noting = (told: string[], name = 'Note') =>
  tool(name, {
    accesses: () => [],
    startsWhen: ['path'],
    run({ path, more }, { whenHandedOut }) {
      whenHandedOut(() => void told.push(`${path}${more ?? ''}`));
      return 'noted';
    },
  });

test('is done when all results are, in the order in which calls ended; what throws is logged', async () => {
  const told: string[] = [];
  const { logged, events } = await dispatched(calls('Note(a)', 'Bad', 'Note(b)', 'Slow'), (clock) => [
    noting(told),
    tool('Bad', {
      run(_input, { whenHandedOut }) {
        whenHandedOut(() => {
          throw new Error('cannot');
        });
        return '';
      },
    }),
    tool('Slow', {
      async run() {
        await nap(clock, 10);
        expect(told).toEqual([]);
        return '';
      },
    }),
  ]);
  expect(told).toEqual(['a', 'b']);
  expect(logged).toEqual(['A tool threw when its answer was handed out: cannot']);
  expect(events.at(-1)?.type).toBe('run-ended');
});

test('is not done after an abort, for a call that was interrupted, or for a wish that comes late', async () => {
  for (const onHardError of ['abort', 'answer-all'] as const) {
    const told: string[] = [];
    const abort = new AbortController();
    await dispatched(
      calls('Note(a)', 'Late', 'Note(b)'),
      (clock) => {
        clock.after(20, () => abort.abort());
        return [
          noting(told),
          tool('Late', {
            async run(_input, { whenHandedOut, signal }) {
              whenHandedOut(() => void told.push('interrupted'));
              await nap(clock, 100, signal).catch(() => {});
              clock.after(50, () => whenHandedOut(() => void told.push('late')));
              return '';
            },
          }),
        ];
      },
      { signal: abort.signal, onHardError },
    );
    expect(told).toEqual(onHardError === 'abort' ? [] : ['a']);
  }
});

test('is not done for an early run that was thrown away', async () => {
  for (const [rest, expected] of [
    ['}', 'a'],
    [',"more":1}', 'a1'],
  ] as const) {
    const told: string[] = [];
    await streamed(
      [
        [0, open(0, 'Note'), text(0, '{"path":"a"')],
        [50, text(0, rest), close(0), end()],
      ],
      () => [noting(told)],
    );
    expect(told).toEqual([expected]);
  }
});
