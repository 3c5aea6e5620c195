/** `sequential`: each call its own wave (DESIGN section 3, rule R15). */
import type { Declared } from '../declare.ts';
import type { Explainer } from './decision.ts';
import { Placement, type Strategy } from './strategy.ts';

export const sequential: Strategy = {
  name: 'sequential',
  defaultCap: 1,
  barriers: { isFull: () => true, startsEarly: () => true },
  begin(declarations) {
    const waves: number[][] = [];
    return {
      placement: new Placement(declarations, waves, explain(declarations)),
      place: (_declared, call) => waves.push([call]) - 1,
      waveFor: () => waves.length,
    };
  },
};

/** No wave has room for two here; only that of an unsafe call is closed for what the call is. */
const explain = (declarations: readonly Declared[]): Explainer => ({
  rule: () => 'R15',
  reason: () => 'One call a wave.',
  rejectedCount: () => 0,
  rejected: () => [],
  closed: (wave) => declarations[wave]?.safe === false,
});
