/** W8: a declaration threw, or returned the wrong type. */
import { type Finding, named, type PlacedCall } from './finding.ts';

export function declarationFailed(calls: readonly PlacedCall[], index: number): Finding | undefined {
  const call = calls[index];
  if (call?.failure === undefined || call.refused) return undefined;
  return {
    id: 'W8',
    certainty: 'observed',
    calls: [index],
    text: `${named(calls, index)} counts as unsafe, since its declaration failed: ${call.failure}`,
    advice: `Mend the declaration of ${call.name}.`,
  };
}
