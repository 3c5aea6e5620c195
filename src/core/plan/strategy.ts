/** What a strategy is: a rule that turns the declarations of a batch into waves and decisions, purely. */
import type { Declared } from '../declare.ts';
import type { StrategyName } from '../model.ts';
import type { PlannedDecision } from './decision.ts';

export interface Strategy {
  readonly name: StrategyName;
  /** Permits when nobody says how many. */
  readonly defaultCap: number;
  plan(declarations: readonly Declared[]): {
    readonly waves: readonly (readonly number[])[];
    readonly decisions: readonly PlannedDecision[];
  };
}
