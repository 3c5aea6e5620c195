/**
 * Who starts the calls of a run, by its strategy's rule: wave after wave, or along the graph of conflicts. Calls are
 * added in the model's order, all at once or while its message is still streamed (DESIGN sections 3 and 5).
 */
import type { Declared } from '../declare.ts';
import type { Placement, Strategy } from '../plan/strategy.ts';
import { Flow } from './flow.ts';
import type { Run } from './run.ts';
import { Waves } from './waves.ts';

export interface Conductor {
  /** The call has its place, in this wave. It starts when its turn has come. */
  add(call: number, wave: number): void;
  /** Calls may start from now on. Before, what is added only lines up, so that those known together start together. */
  begin(): void;
  /** No more calls come: what waited for that may start. */
  seal(): void;
  /** Resolves when no more calls come and all are over; rejects when the dispatcher itself fails. */
  readonly over: Promise<void>;
  /** Whether a call with this declaration, to be placed next and in this wave, could start now. */
  isFree(declared: Declared, wave: number): boolean;
}

/** What a conductor works with. */
export interface Score {
  readonly run: Run;
  readonly strategy: Strategy;
  /** Grows with the calls. */
  readonly placement: Placement;
  /** Told whenever a call has ended. */
  readonly changed?: () => void;
}

/** The conductor for this strategy, nothing added yet. */
export function createConductor(score: Score): Conductor {
  const { barriers } = score.strategy;
  return barriers ? new Waves(score, barriers) : new Flow(score);
}

/** Runs calls that are all there, and resolves when they are over. */
export function conduct(score: Score): Promise<void> {
  const conductor = createConductor(score);
  const { placement } = score;
  const waveOf = new Int32Array(placement.declarations.length);
  placement.waves.forEach((members, wave) => {
    for (const call of members) waveOf[call] = wave;
  });
  waveOf.forEach((wave, call) => {
    conductor.add(call, wave);
  });
  conductor.seal();
  conductor.begin();
  return conductor.over;
}
