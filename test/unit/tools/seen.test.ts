/** What the model has seen of a file is what it was told of: not what a run saw that was thrown away. */
import { describe, expect, test } from 'vitest';
import { dispatch } from '../../../src/core/dispatch/dispatch.ts';
import { createStreamingDispatch } from '../../../src/core/dispatch/streaming.ts';
import type { StreamEvent } from '../../../src/core/stream/streamEvent.ts';
import { createRegistry, type Registry } from '../../../src/core/tools.ts';
import { createMemoryFiles } from '../../../src/tools/memoryFiles.ts';
import { broke, close, end, open, text, whole } from '../core/streamed.ts';
import { toolsOf } from './workspaces.ts';

const encode = (value: string) => new TextEncoder().encode(value);
const edit = { file_path: 'a.txt', old_string: 'one', new_string: 'ONE' };
const STALE = /has changed since it was read/;

/** A file that the model has read, and that somebody else has changed since. */
async function readThenChanged(): Promise<{ registry: Registry }> {
  const files = createMemoryFiles({ 'a.txt': encode('one\n') });
  const registry = createRegistry(toolsOf(files).tools);
  await dispatch([{ id: 'r', name: 'read', input: { file_path: 'a.txt' } }], registry);
  await files.change(`${files.roots[0]!.uri}/a.txt`, () => ({ content: 'one, and more\n' }));
  return { registry };
}

async function editNow(registry: Registry) {
  const [result] = await dispatch([{ id: 'e', name: 'edit', input: edit }], registry);
  return result!;
}

/** Lets what was begun come to its end. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('an edit that rests on what the model was told', () => {
  test('is refused after a change, and goes through once the model has been told', async () => {
    const { registry } = await readThenChanged();
    expect((await editNow(registry)).content).toMatch(STALE);
    await dispatch([{ id: 'r2', name: 'read', input: { file_path: 'a.txt' } }], registry);
    expect(await editNow(registry)).toMatchObject({ isError: false });
  });

  test('is refused in the very message that reads the file again: that answer is not told yet', async () => {
    const { registry } = await readThenChanged();
    const results = await dispatch(
      [
        { id: 'r2', name: 'read', input: { file_path: 'a.txt' } },
        { id: 'e', name: 'edit', input: edit },
      ],
      registry,
      { strategy: 'dataflow' },
    );
    expect(results.map(({ isError }) => isError)).toEqual([false, true]);
    expect(await editNow(registry)).toMatchObject({ isError: false });
  });

  test.each<[string, StreamEvent[]]>([
    ['a stream that broke', [open(0, 'read'), text(0, '{"file_path":"a.txt"'), broke()]],
    ['a stream that broke behind a whole read', [...whole(0, 'read', { file_path: 'a.txt' }), broke()]],
  ])('is refused after %s had read it', async (_name, events) => {
    const { registry } = await readThenChanged();
    const stream = createStreamingDispatch(registry, { onHardError: 'answer-all' });
    for (const event of events.slice(0, -1)) stream.push(event);
    await settled(); // it has read
    stream.push(events.at(-1)!);
    await expect(stream.results).rejects.toThrow(/stream broke/);
    expect((await editNow(registry)).content).toMatch(STALE);
  });

  test('goes through after an early read that was confirmed', async () => {
    const { registry } = await readThenChanged();
    const stream = createStreamingDispatch(registry);
    stream.push(open(0, 'read'));
    stream.push(text(0, '{"file_path":"a.txt"'));
    await settled();
    stream.push(text(0, '}'));
    stream.push(close(0));
    stream.push(end());
    await stream.results;
    expect(await editNow(registry)).toMatchObject({ isError: false });
  });

  test('a batch that was aborted told nothing; what it wrote itself is known', async () => {
    const { registry } = await readThenChanged();
    const abort = new AbortController();
    const running = dispatch(
      [
        { id: 'r2', name: 'read', input: { file_path: 'a.txt' } },
        { id: 'r3', name: 'grep', input: { pattern: 'x' } },
      ],
      registry,
      {
        signal: abort.signal,
        onEvent: ({ type }) => type === 'slot-filled' && abort.abort(),
      },
    );
    await expect(running).rejects.toThrow(/cancelled/);
    expect((await editNow(registry)).content).toMatch(STALE);
    await dispatch([{ id: 'r2', name: 'read', input: { file_path: 'a.txt' } }], registry);
    const both = await dispatch(
      [
        { id: 'r4', name: 'read', input: { file_path: 'a.txt' } },
        { id: 'e1', name: 'edit', input: edit },
      ],
      registry,
      { strategy: 'dataflow' },
    );
    expect(both.map(({ isError }) => isError)).toEqual([false, false]);
    const more = { file_path: 'a.txt', old_string: 'more', new_string: 'MORE' };
    const [again] = await dispatch([{ id: 'e2', name: 'edit', input: more }], registry);
    expect(again).toMatchObject({ isError: false }); // the read before the edit does not count any more
  });
});
