/** W1: a later read is planned before, or together with, an earlier write that it conflicts with. */
import { type Disorder, type Finding, named, type PlacedCall, placed } from './finding.ts';

export function staleRead(calls: readonly PlacedCall[], disorder: Disorder): Finding | undefined {
  const { earlier, later, first, second } = disorder;
  if (first.mode !== 'write' || second.mode !== 'read') return undefined;
  return {
    id: 'W1',
    certainty: 'possible',
    calls: [earlier, later],
    resource: second.resource,
    text: `${named(calls, later)} is planned ${placed(calls, disorder)} ${named(calls, earlier)}, which was asked for first and writes what it reads.`,
    advice: 'Use the strategy dataflow, or give both calls the key of what they share.',
  };
}
