/** `sequential`: each call its own wave (DESIGN section 3, rule R15). */
import type { Declared } from '../declare.ts';
import { type Explainer, PlannedDecision } from './decision.ts';
import type { Strategy } from './strategy.ts';

const explainer: Explainer = {
  reason: () => 'One call a wave.',
  rejectedCount: () => 0,
  rejected: () => [],
  closed: () => true,
};

export const sequential: Strategy = {
  name: 'sequential',
  defaultCap: 1,
  plan(declarations: readonly Declared[]) {
    return {
      waves: declarations.map((_, call) => [call]),
      decisions: declarations.map(
        (declared, call) => new PlannedDecision(call, call, 'R15', true, declared, explainer),
      ),
    };
  },
};
