/** W5: later safe calls are planned before an earlier unsafe call. One finding an unsafe call. */
import { type Finding, named, type PlacedCall } from './finding.ts';

/** How many calls a sentence names. */
const NAMED = 4;

export function crossedBarrier(
  calls: readonly PlacedCall[],
  unsafe: number,
  crossing: readonly number[],
): Finding {
  const names = crossing.slice(0, NAMED).map((index) => `#${index + 1}`);
  const more = crossing.length > NAMED ? ` and ${crossing.length - NAMED} more` : '';
  return {
    id: 'W5',
    certainty: 'possible',
    calls: [unsafe, ...crossing],
    text: `${names.join(', ')}${more} ${crossing.length === 1 ? 'is' : 'are'} planned before ${named(calls, unsafe)}, which is unsafe and was asked for first.`,
    advice:
      'Use the strategy batches, or dataflow where the tools declare their accesses, or send two batches.',
  };
}
