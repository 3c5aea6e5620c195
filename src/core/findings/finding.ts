/** What Waves has to say about a plan or a run (DESIGN section 10). */
import type { Access } from '../model.ts';

/** W1 stale read, W4 lost update, W5 crossed a barrier, W8 declaration failed. */
export type FindingId = 'W1' | 'W4' | 'W5' | 'W8';

export interface Finding {
  readonly id: FindingId;
  /** `possible` follows from the plan, `observed` was seen in the run. */
  readonly certainty: 'possible' | 'observed';
  /** The calls it is about, by index, ascending. */
  readonly calls: readonly number[];
  readonly resource?: string;
  /** What is the matter, in one sentence. */
  readonly text: string;
  /** One thing to do. */
  readonly advice: string;
}

/** What is known of a call when it has been placed. */
export interface PlacedCall {
  readonly name: string;
  readonly wave: number;
  readonly safe: boolean;
  readonly accesses: readonly Access[];
  readonly failure?: string | undefined;
  /** Why the call cannot run at all, so that it touches nothing. */
  readonly refused?: boolean;
}

/** A later call that is planned before an earlier one that it conflicts with, or together with it. */
export interface Disorder {
  readonly earlier: number;
  readonly later: number;
  readonly first: Access;
  readonly second: Access;
}

/** "#5 edit". */
export function named(calls: readonly PlacedCall[], index: number): string {
  return `#${index + 1} ${calls[index]?.name ?? ''}`;
}

/** Where the later one is planned, seen from the earlier one. */
export function placed(calls: readonly PlacedCall[], { earlier, later }: Disorder): string {
  return calls[earlier]?.wave === calls[later]?.wave ? 'together with' : 'before';
}
