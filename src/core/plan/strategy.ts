/** What a strategy is: a rule that turns the declarations of a batch into waves and decisions, purely. */
import type { Declared } from '../declare.ts';
import type { StrategyName } from '../model.ts';
import { type Explainer, PlannedDecision } from './decision.ts';

/** Where the calls go. */
export class Placement {
  readonly declarations: readonly Declared[];
  readonly waves: readonly (readonly number[])[];
  readonly explainer: Explainer;
  #decisions: readonly PlannedDecision[] = [];

  constructor(
    declarations: readonly Declared[],
    waves: readonly (readonly number[])[],
    explainer: Explainer,
  ) {
    this.declarations = declarations;
    this.waves = waves;
    this.explainer = explainer;
  }

  /** One decision a call, made when somebody first reads them: a run that nobody watches needs none. */
  get decisions(): readonly PlannedDecision[] {
    if (this.#decisions.length !== this.declarations.length) this.#decisions = this.#decide();
    return this.#decisions;
  }

  #decide(): readonly PlannedDecision[] {
    const decisions = new Array<PlannedDecision>(this.declarations.length);
    this.waves.forEach((members, wave) => {
      for (const call of members) decisions[call] = new PlannedDecision(call, wave, this);
    });
    return decisions;
  }
}

/**
 * A plan that grows call by call, in the model's order. Where a call goes depends on those before it only, so a call
 * that is placed while the message is streamed goes where it would have gone in the whole batch.
 */
export interface Planner {
  readonly placement: Placement;
  /** Places the next call, whose declaration has just been added to the list. Its wave. */
  place(declared: Declared, call: number): number;
  /** The wave that a call with this declaration would go to if it came next. */
  waveFor(declared: Declared): number;
}

/** How waves run while calls still come (DESIGN section 5). */
export interface WaveRules {
  /** Whether no later call can join the wave. */
  isFull(wave: number, placement: Placement): boolean;
  /** Whether the wave may start before the message has ended. */
  startsEarly(wave: number): boolean;
}

export interface Strategy {
  readonly name: StrategyName;
  /** Permits when nobody says how many. */
  readonly defaultCap: number;
  /** One wave after the other by these rules; absent where a call waits only for those that it conflicts with. */
  readonly barriers?: WaveRules;
  /** An empty plan of the calls that this list will hold. */
  begin(declarations: readonly Declared[]): Planner;
}
