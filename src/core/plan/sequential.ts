/** `sequential`: each call its own wave (DESIGN section 3, rule R15). */
import type { Declared } from '../declare.ts';
import { type Explainer, PlannedDecision } from './decision.ts';
import type { Strategy } from './strategy.ts';

/** No wave has room for two here; only that of an unsafe call is closed for what the call is. */
const explain = (declarations: readonly Declared[]): Explainer => ({
  reason: () => 'One call a wave.',
  rejectedCount: () => 0,
  rejected: () => [],
  closed: (wave) => declarations[wave]?.safe === false,
});

export const sequential: Strategy = {
  name: 'sequential',
  defaultCap: 1,
  plan(declarations: readonly Declared[]) {
    const explainer = explain(declarations);
    return {
      waves: declarations.map((_, call) => [call]),
      decisions: declarations.map(
        (declared, call) => new PlannedDecision(call, call, 'R15', true, declared, explainer),
      ),
    };
  },
};
