/**
 * `batches`, consecutive batching (DESIGN section 3): consecutive safe calls share a wave; an unsafe call ends it and
 * stands alone. Keys are ignored.
 */
import type { Declared } from '../declare.ts';
import type { Rejection } from '../events.ts';
import { type Explainer, PlannedDecision, shown } from './decision.ts';
import type { Strategy } from './strategy.ts';

export const batches: Strategy = {
  name: 'batches',
  defaultCap: 10,
  plan(declarations: readonly Declared[]) {
    const waves: number[][] = [];
    const unsafeWaves: boolean[] = [];
    const explainer = explain(waves, unsafeWaves);
    let open: number[] | undefined;
    const decisions = declarations.map((declared, call) => {
      if (declared.safe && open) {
        open.push(call);
        return new PlannedDecision(call, waves.length - 1, 'R12', false, declared, explainer);
      }
      const members = [call];
      waves.push(members);
      unsafeWaves.push(!declared.safe);
      open = declared.safe ? members : undefined;
      return new PlannedDecision(
        call,
        waves.length - 1,
        declared.safe ? 'R5' : 'R13',
        true,
        declared,
        explainer,
      );
    });
    return { waves, decisions };
  },
};

function explain(waves: readonly (readonly number[])[], unsafeWaves: readonly boolean[]): Explainer {
  const rejectedCount = (decision: PlannedDecision) => (decision.rule === 'R5' && decision.wave > 0 ? 1 : 0);
  return {
    reason({ rule, wave }) {
      if (rule === 'R12') return `Safe, like the calls before it: continues wave ${shown(wave)}.`;
      if (rule === 'R13') return `Unsafe: ends the batch before it and runs alone in wave ${shown(wave)}.`;
      return wave === 0
        ? 'Nothing exists yet: opens wave 1.'
        : `Safe after an unsafe call, which runs alone: opens wave ${shown(wave)}.`;
    },
    rejectedCount,
    rejected(decision, limit): Rejection[] {
      if (rejectedCount(decision) === 0 || limit < 1) return [];
      const wave = decision.wave - 1;
      const alone = waves[wave]?.[0] ?? 0;
      return [{ wave, rule: 'R13', reason: `Wave ${shown(wave)} is #${shown(alone)} alone: it is unsafe.` }];
    },
    closed: (wave) => unsafeWaves[wave] ?? false,
  };
}
