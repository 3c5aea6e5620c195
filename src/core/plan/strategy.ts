/** What a strategy is: a rule that turns the declarations of a batch into waves and decisions, purely. */
import type { Declared } from '../declare.ts';
import type { StrategyName } from '../model.ts';
import type { PlannedDecision } from './decision.ts';
import type { Graph } from './graph.ts';

/** Where the calls go. With a graph the waves are only its levels: a call starts as soon as those it waits for ended. */
export interface Placement {
  readonly waves: readonly (readonly number[])[];
  readonly decisions: readonly PlannedDecision[];
  readonly graph?: Graph;
}

export interface Strategy {
  readonly name: StrategyName;
  /** Permits when nobody says how many. */
  readonly defaultCap: number;
  plan(declarations: readonly Declared[]): Placement;
}
