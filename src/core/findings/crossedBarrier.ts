/** W5: later safe calls are planned before an earlier unsafe call. One finding an unsafe call. */
import { type Finding, named, type PlacedCall } from './finding.ts';

/** An unsafe call, and the later safe ones that are planned before it. */
export interface Barrier {
  readonly unsafe: number;
  /** The first of them. */
  readonly crossing: number[];
  /** How many there are in all. */
  total: number;
}

/** How many calls a sentence names. */
const NAMED = 4;

export function crossedBarrier(calls: readonly PlacedCall[], { unsafe, crossing, total }: Barrier): Finding {
  const names = crossing.slice(0, NAMED).map((index) => `#${index + 1}`);
  const more = total > NAMED ? ` and ${total - NAMED} more` : '';
  return {
    id: 'W5',
    certainty: 'possible',
    calls: [unsafe, ...crossing],
    text: `${names.join(', ')}${more} ${total === 1 ? 'is' : 'are'} planned before ${named(calls, unsafe)}, which is unsafe and was asked for first.`,
    advice:
      'Use the strategy batches, or dataflow where the tools declare their accesses, or send two batches.',
  };
}
