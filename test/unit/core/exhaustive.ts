/**
 * Every batch of one to five calls over two files and the three kinds of calls that there are, 3,905 in all, and a
 * reference for their order that knows nothing of declarations, resources or waves.
 */
import type { ToolCall } from '../../../src/core/model.ts';
import type { Plan } from '../../../src/core/plan/decision.ts';
import { createRegistry, type Registry } from '../../../src/core/tools.ts';
import { tool } from './helpers.ts';

const KINDS = ['read a', 'read b', 'edit a', 'edit b', 'shell'] as const;
export type Kind = (typeof KINDS)[number];
export type Batch = readonly Kind[];

const LENGTHS = [1, 2, 3, 4, 5];
export const BATCHES: readonly Batch[] = LENGTHS.flatMap(batchesOf);

function batchesOf(length: number): Batch[] {
  if (length === 0) return [[]];
  return batchesOf(length - 1).flatMap((batch) => KINDS.map((kind) => [...batch, kind]));
}

/** The reference: whether two calls, run in the other order or together, could give another outcome. */
export function mustKeepOrder(earlier: Kind, later: Kind): boolean {
  if (earlier === 'shell' || later === 'shell') return true;
  const sameFile = earlier.endsWith('a') === later.endsWith('a');
  return sameFile && (earlier.startsWith('edit') || later.startsWith('edit'));
}

/** The pairs (earlier, later) of a batch that must keep their order but, as `inOrder` says, do not. */
export function violations(
  batch: Batch,
  inOrder: (earlier: number, later: number) => boolean,
): [number, number][] {
  const found: [number, number][] = [];
  for (let later = 1; later < batch.length; later++) {
    for (let earlier = 0; earlier < later; earlier++) {
      if (mustKeepOrder(batch[earlier]!, batch[later]!) && !inOrder(earlier, later))
        found.push([earlier, later]);
    }
  }
  return found;
}

/** In a plan the later call is in order when it stands in a later wave: neither before nor together. */
export function violationsOfPlan(batch: Batch, { waves }: Plan): [number, number][] {
  const wave = batch.map((_, call) => waves.findIndex((members) => members.includes(call)));
  return violations(batch, (earlier, later) => wave[earlier]! < wave[later]!);
}

/** The declarations of DESIGN section 7, with reads keyed or not and edits as published or fine-grained. */
export const DECLARATIONS = ['unkeyed', 'keyed'].flatMap((reads) =>
  ['published', 'fine-grained'].map((edits) => ({
    name: `${reads} reads, ${edits} edits`,
    isSafe: (kind: Kind) => kind.startsWith('read') || (kind.startsWith('edit') && edits === 'fine-grained'),
    keyOf: (kind: Kind) =>
      (kind.startsWith('read') && reads === 'keyed') || (kind.startsWith('edit') && edits === 'fine-grained')
        ? kind.at(-1)
        : undefined,
  })),
);
type Declarations = (typeof DECLARATIONS)[number];

export function registryOf({ isSafe, keyOf }: Declarations, more: Parameters<typeof tool>[1] = {}): Registry {
  return createRegistry(
    (['read', 'edit', 'shell'] as const).map((name) => {
      const kindOf = ({ path }: Record<string, unknown>) =>
        (name === 'shell' ? name : `${name} ${path}`) as Kind;
      return tool(name, {
        ...more,
        isSafeForConcurrentExecution: (input) => isSafe(kindOf(input)),
        resourceKey: (input) => keyOf(kindOf(input)),
        ...(name !== 'shell' && {
          accesses: ({ path }) => [
            { resource: `file:///w/${path}`, mode: name === 'read' ? ('read' as const) : ('write' as const) },
          ],
        }),
      });
    }),
  );
}

export function callsOf(batch: Batch, ms: (call: number) => number = () => 0): ToolCall[] {
  return batch.map((kind, call) => {
    const [name = '', path = 'everything'] = kind.split(' ');
    return { id: `t${call}`, name, input: { path, call, ms: ms(call) } };
  });
}

/** Whatever a check finds, with the batch in which; assertions one by one would take longer than all the planning. */
export function inEveryBatch(check: (batch: Batch) => readonly (string | false)[]): string[] {
  return BATCHES.flatMap((batch) =>
    check(batch).flatMap((fault) => (fault === false ? [] : [`${batch.join(', ')}: ${fault}`])),
  ).slice(0, 10);
}

/** How many batches of each length `has` holds for. */
export function countByLength(has: (batch: Batch) => boolean): number[] {
  return LENGTHS.map((length) => BATCHES.filter((batch) => batch.length === length && has(batch)).length);
}

export const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

/** For `test.each`, whose `%s` shows the name without quotes. */
export function named<T extends { readonly name: string }>(items: readonly T[]): (readonly [string, T])[] {
  return items.map((item) => [item.name, item] as const);
}
