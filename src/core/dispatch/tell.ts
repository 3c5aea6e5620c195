/** Tells who listens what was declared and decided, and what there is to say about it. */
import type { Declared } from '../declare.ts';
import type { PlacedCall } from '../findings/finding.ts';
import { findingsOfPlan } from '../findings/fromPlan.ts';
import type { PlannedDecision } from '../plan/decision.ts';
import type { Placement } from '../plan/strategy.ts';
import { NOT_DECLARED } from './pipeline.ts';
import type { Run } from './run.ts';

/** How many rejected waves, or calls waited for, a decision's event lists: recordings stay linear in the calls. */
const LISTED = 100;

/** What one call's tool declared, and where the call went. */
export function tellDecision(run: Run, decision: PlannedDecision, declarations: readonly Declared[]): void {
  const { call, wave, safe, key, accesses, rule, reason, rejectedCount } = decision;
  const { failure, refusal } = declarations[call] ?? NOT_DECLARED;
  run.emit('call-declared', {
    call,
    safe,
    ...(key !== undefined && { key }),
    accesses,
    ...(failure !== undefined && { failure }),
    ...(refusal !== undefined && { refused: true }),
  });
  run.emit('decision-made', {
    call,
    wave,
    opened: decision.opened,
    closed: decision.waveClosed,
    rule,
    reason,
    rejected: decision.rejectedUpTo(LISTED),
    ...(rejectedCount > LISTED && { rejectedTotal: rejectedCount }),
    waitsFor: decision.waitsForUpTo(LISTED),
  });
}

/** What the whole plan shows. */
export function tellFindings(run: Run, placement: Placement): void {
  for (const finding of findingsOfPlan(placedCalls(run, placement))) run.emit('finding-made', finding);
}

function placedCalls(run: Run, { decisions, declarations }: Placement): PlacedCall[] {
  return decisions.map(({ call, wave, safe, accesses }) => {
    const { failure, refusal } = declarations[call] ?? NOT_DECLARED;
    return {
      name: run.calls[call]?.name ?? '',
      wave,
      safe,
      accesses,
      failure,
      refused: refusal !== undefined,
    };
  });
}
