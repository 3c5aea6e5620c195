/** What a strategy is: a rule that turns the declarations of a batch into waves and decisions, purely. */
import type { Declared } from '../declare.ts';
import type { StrategyName } from '../model.ts';
import { type Explainer, PlannedDecision } from './decision.ts';
import type { Graph } from './graph.ts';

/** Where the calls go. With a graph the waves are only its levels: a call starts as soon as those it waits for ended. */
export class Placement {
  readonly declarations: readonly Declared[];
  readonly waves: readonly (readonly number[])[];
  readonly explainer: Explainer;
  readonly #makeGraph: (() => Graph) | undefined;
  #graph: Graph | undefined;
  #decisions: readonly PlannedDecision[] | undefined;

  constructor(
    declarations: readonly Declared[],
    waves: readonly (readonly number[])[],
    explainer: Explainer,
    makeGraph?: () => Graph,
  ) {
    this.declarations = declarations;
    this.waves = waves;
    this.explainer = explainer;
    this.#makeGraph = makeGraph;
  }

  /** Who waits for whom, where a strategy knows that; made when somebody first reads it, as only a run needs it. */
  get graph(): Graph | undefined {
    this.#graph ??= this.#makeGraph?.();
    return this.#graph;
  }

  /** One decision a call, made when somebody first reads them: a run that nobody watches needs none. */
  get decisions(): readonly PlannedDecision[] {
    this.#decisions ??= this.#decide();
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

export interface Strategy {
  readonly name: StrategyName;
  /** Permits when nobody says how many. */
  readonly defaultCap: number;
  plan(declarations: readonly Declared[]): Placement;
}
