/** W4: two writes of one resource are planned together, or against the model's order. */
import { type Disorder, type Finding, named, type PlacedCall, placed } from './finding.ts';

export function lostUpdate(calls: readonly PlacedCall[], disorder: Disorder): Finding | undefined {
  const { earlier, later, first, second } = disorder;
  if (first.mode !== 'write' || second.mode !== 'write') return undefined;
  return {
    id: 'W4',
    certainty: 'possible',
    calls: [earlier, later],
    resource: second.resource,
    text: `${named(calls, later)} is planned ${placed(calls, disorder)} ${named(calls, earlier)}, which was asked for first and writes the same.`,
    advice: 'Give both calls the same key, or use the strategy dataflow.',
  };
}
