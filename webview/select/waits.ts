/** Why a call did not run at once. */
import type { CallRow, ViewState } from '../../src/core/state.ts';
import { rowAt } from '../../src/core/table.ts';
import { duration } from '../format.ts';
import { waitIntervals } from './lanes.ts';
import { perState } from './perState.ts';

/** Milliseconds that each call waited, or has waited, for a permit; calls that found one free are not in it. */
export const permitWaits = perState((state): ReadonlyMap<number, number> => {
  const waits = waitIntervals(state, state.t);
  return new Map(waits.map((wait) => [wait.call, wait.to - wait.from]));
});

/** The reasons in words, empty for a call that waited for nothing. `now`: until when a wait that goes on has lasted. */
export function waitReasons(state: ViewState, call: CallRow, now = state.t): readonly string[] {
  const reasons: string[] = [];
  const wave = call.decision?.wave ?? 0;
  if (wave > 0) {
    const before = rowAt(state.waves, wave - 1);
    const started = rowAt(state.waves, wave)?.startedAt;
    if (started !== undefined) reasons.push(`for wave ${wave} to end`);
    else if (call.status === 'planned' && before?.status !== 'ended') reasons.push(`for wave ${wave} to end`);
  }
  if (waitsForMessage(state, call)) reasons.push('for the end of the message');
  const waited = permitWaits(state).get(call.index);
  if (waited !== undefined) {
    const held = state.permits === 1 ? 'the one permit was held' : `all ${state.permits} permits were held`;
    reasons.push(`${duration(waited)} for a permit, ${held}`);
  }
  if (call.gate) {
    const { resource, behind, since } = call.gate;
    const until = call.startedAt ?? call.endedAt ?? Math.max(now, since);
    reasons.push(`${duration(until - since)} at the gate, for ${behind} of another batch over ${resource}`);
  }
  return reasons;
}

/** A call that may write, and one of a later wave under `first-fit`, starts only when the message has ended. */
function waitsForMessage({ message, strategy }: ViewState, { status, declared, decision }: CallRow): boolean {
  if (message?.state !== 'arriving' || status !== 'planned' || !declared) return false;
  if (!declared.safe || (strategy === 'first-fit' && (decision?.wave ?? 0) > 0)) return true;
  return declared.key === undefined && declared.accesses.some(({ mode }) => mode === 'write');
}
