/** The habits of servers that speak the chat format, mixed at random: the calls come out as the model made them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createOpenAiChatReader } from '../../../../src/core/stream/openAiChat.ts';
import { callsOf, readAll } from './adapterHelpers.ts';

interface Habits {
  readonly index: 'own' | 'zero' | 'none';
  /** `changing`: another id on every piece after the first. */
  readonly ids: 'first' | 'every' | 'empty' | 'changing' | 'none';
  readonly names: 'first' | 'every' | 'late';
  readonly perChunk: number;
  readonly reason: 'tool_calls' | 'stop' | 'length';
}

const habits: fc.Arbitrary<Habits> = fc.record({
  index: fc.constantFrom('own', 'zero', 'none'),
  ids: fc.constantFrom('first', 'every', 'empty', 'changing', 'none'),
  names: fc.constantFrom('first', 'every', 'late'),
  perChunk: fc.integer({ min: 1, max: 3 }),
  reason: fc.constantFrom('tool_calls', 'stop', 'length'),
});

/** Arguments as text, and where that is cut. */
const made = fc.record({
  name: fc.constantFrom('read', 'list'),
  text: fc
    .dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 })
    .chain((value) =>
      fc.constantFrom(JSON.stringify(value), JSON.stringify(value, null, 2), `${JSON.stringify(value)}\n`),
    ),
  cuts: fc.array(fc.nat(40), { maxLength: 4 }),
});

type Made = typeof made extends fc.Arbitrary<infer T> ? T : never;

function piecesOf({ text, cuts }: Made): string[] {
  const at = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
  return at.slice(1).map((end, index) => text.slice(at[index], end));
}

function chunksOf(calls: readonly Made[], { index, ids, names, perChunk, reason }: Habits): unknown[] {
  const items = calls.flatMap((call, number) =>
    piecesOf(call).map((text, piece) => {
      const isFirst = piece === 0;
      const id =
        isFirst || ids === 'every' ? `id${number}` : ids === 'changing' ? `id${number}-${piece}` : '';
      const named = names === 'every' || piece === (names === 'late' ? 1 : 0);
      return {
        ...(index !== 'none' && { index: index === 'own' ? number : 0 }),
        ...(ids === 'empty' ? { id: isFirst ? id : '' } : ids !== 'none' && id !== '' && { id }),
        function: { ...(named && { name: call.name }), arguments: text },
      };
    }),
  );
  const chunks: unknown[] = [];
  for (let from = 0; from < items.length; from += perChunk)
    chunks.push({ choices: [{ index: 0, delta: { tool_calls: items.slice(from, from + perChunk) } }] });
  return [...chunks, { choices: [{ index: 0, delta: {}, finish_reason: reason }] }];
}

/** Nothing tells such pieces apart: an id that changes while the name is repeated, a name that comes late under a shared index. */
function isAmbiguous(calls: readonly Made[], { index, ids, names }: Habits): boolean {
  if (names === 'late' && (index !== 'own' || calls.some((call) => piecesOf(call).length < 2))) return true;
  return ids === 'changing' && names !== 'first';
}

test('case 28: calls, ids and arguments come out whole', () => {
  fc.assert(
    fc.property(fc.array(made, { minLength: 1, maxLength: 4 }), habits, (calls, server) => {
      fc.pre(!isAmbiguous(calls, server));
      const read = callsOf(readAll(createOpenAiChatReader(), chunksOf(calls, server)));
      expect([...read.values()]).toEqual(
        calls.map(({ name, text }, index) => ({
          id: server.ids === 'none' ? `call_${index + 1}` : `id${index}`,
          name,
          text,
          closed: true,
        })),
      );
    }),
    { numRuns: 5_000 },
  );
});

test('case 26: a megabyte in pieces of 40 characters, beside many calls, takes no time to speak of', () => {
  const text = JSON.stringify({ content: '{"[\\'.repeat(200_000) });
  const pieces = text.match(/[\s\S]{1,40}/g)!;
  const many = Array.from({ length: 5_000 }, (_, index) => ({
    index,
    id: `i${index}`,
    function: { name: 'f', arguments: '{' },
  }));
  const chunk = (...tool_calls: unknown[]) => ({ choices: [{ index: 0, delta: { tool_calls } }] });
  const reader = createOpenAiChatReader();
  const start = performance.now();
  for (const item of many) reader.read(chunk(item));
  reader.read(chunk({ index: 5_000, id: 'big', function: { name: 'write', arguments: '' } }));
  for (const piece of pieces) reader.read(chunk({ index: 5_000, function: { arguments: piece } }));
  expect(performance.now() - start).toBeLessThan(2_000);
  expect(reader.read({ choices: [{ index: 0, delta: {}, finish_reason: 'length' }] })).toMatchObject([
    { type: 'call-closed', index: 5_000 },
    { type: 'message-ended' },
  ]);
});
