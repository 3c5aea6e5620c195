/**
 * `batches`, consecutive batching (DESIGN section 3): consecutive safe calls share a wave; an unsafe call ends it and
 * stands alone. Keys are ignored.
 */
import type { Declared } from '../declare.ts';
import { type Explainer, type PlannedDecision, shown } from './decision.ts';
import { Placement, type Strategy } from './strategy.ts';

export const batches: Strategy = {
  name: 'batches',
  defaultCap: 10,
  // A call starts when nothing runs, or it and everything that runs is safe; the queue is never overtaken.
  barriers: {
    isFull: (wave, { waves, explainer }) => wave < waves.length - 1 || explainer.closed(wave),
    startsEarly: () => true,
  },
  begin(declarations) {
    const waves: number[][] = [];
    let open: number[] | undefined;
    return {
      placement: new Placement(declarations, waves, explain(declarations, waves)),
      place({ safe }, call) {
        if (safe && open) open.push(call);
        else {
          const members = [call];
          waves.push(members);
          open = safe ? members : undefined;
        }
        return waves.length - 1;
      },
      waveFor: ({ safe }) => (safe && open ? waves.length - 1 : waves.length),
    };
  },
};

function explain(declarations: readonly Declared[], waves: readonly (readonly number[])[]): Explainer {
  const rejectedCount = ({ safe, opened, wave }: PlannedDecision) => (safe && opened && wave > 0 ? 1 : 0);
  return {
    rule({ safe, opened }) {
      if (!safe) return 'R13';
      return opened ? 'R5' : 'R12';
    },
    reason({ rule, wave }) {
      if (rule === 'R12') return `Safe, like the calls before it: continues wave ${shown(wave)}.`;
      if (rule === 'R13') return `Unsafe: ends the batch before it and runs alone in wave ${shown(wave)}.`;
      return wave === 0
        ? 'Nothing exists yet: opens wave 1.'
        : `Safe after an unsafe call, which runs alone: opens wave ${shown(wave)}.`;
    },
    rejectedCount,
    rejected(decision, limit) {
      if (rejectedCount(decision) === 0 || limit < 1) return [];
      const wave = decision.wave - 1;
      const alone = waves[wave]?.[0] ?? 0;
      return [{ wave, rule: 'R13', reason: `Wave ${shown(wave)} is #${shown(alone)} alone: it is unsafe.` }];
    },
    closed: (wave) => declarations[waves[wave]?.[0] ?? 0]?.safe === false,
  };
}
