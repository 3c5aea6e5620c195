/** The diagrams of a message that streams in: runs that began early stand where they ran. */
import { expect, test } from 'vitest';
import { toMermaid } from '../../../src/core/diagram/mermaid.ts';
import { reduceAll } from '../../../src/core/reduce.ts';
import { close, end, open, type Ran, reader, streamed, text, whole, writer } from '../core/streamed.ts';

const ran: Ran[] = [];
const { events } = await streamed(
  [
    [0, open(0, 'Read'), text(0, '{"path":"a"')],
    [300, text(0, '}'), close(0)],
    [310, open(1, 'Read'), text(1, '{"path":"b"')],
    [350, text(1, ',"more":1}'), close(1)],
    [360, whole(2, 'Write', { path: 'a' })],
    [500, open(3, 'Read'), text(3, '{"path":"c"')],
    [700, text(3, '}'), close(3), end()],
  ],
  (clock) => [reader(clock, ran), writer(clock, ran)],
  { strategy: 'dataflow' },
);
const runAt = (t: number) => toMermaid(reduceAll(events.filter((event) => event.t <= t)), 'run');

test('the run: a call that was held gives its permit back first, one that was discarded says so', () => {
  expect(runAt(10_000)).toMatchInlineSnapshot(`
    "sequenceDiagram
      accTitle: Waves run, dataflow
      accDescr: 4 of 4 calls ended, in 2 waves.
      participant S as Scheduler
      participant P1 as Permit 1
      participant R as Slots
      S->>+P1: #35;1 Read a
      P1-->>-S: #35;1 ran early, 100 ms
      Note over S,R: Wave 1 opens at 300 ms
      S-->>R: slot 1 ok
      S->>+P1: #35;2 Read b
      P1--x-S: #35;2 discarded, 40 ms
      S->>+P1: #35;2 Read b
      P1-->>-R: slot 2 ok, 100 ms
      S->>+P1: #35;4 Read c
      P1-->>-S: #35;4 ran early, 100 ms
      S-->>R: slot 4 ok
      Note over S,R: Wave 2 opens at 700 ms
      S->>+P1: #35;3 Write a
      P1-->>-R: slot 3 ok, 100 ms
      Note over S,R: done at 800 ms
    "
  `);
});

test('the run while the message arrives: what is known, and nothing of what is not', () => {
  expect(runAt(200)).toContain('P1-->>-S: #35;1 ran early, 100 ms');
  expect(runAt(200)).not.toContain('slot 1');
  expect(runAt(330)).toContain('S->>P1: #35;2 Read b');
});

test('the plan: only calls that have their place', () => {
  const plan = toMermaid(reduceAll(events.filter((event) => event.t <= 650)), 'plan');
  expect(plan).toContain('c3[["#35;3 Write a');
  expect(plan).not.toContain('#35;4');
});
