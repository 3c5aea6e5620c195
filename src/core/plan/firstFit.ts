/**
 * `first-fit`, greedy wave packing (DESIGN section 3), implemented as published. Exactly linear: open waves never
 * close, and each earlier call with key K took the next open wave, so the j-th call with K lands in the j-th open
 * wave. Every wave before a safe call's own was rejected: closed, or holding its key.
 */
import type { Declared } from '../declare.ts';
import type { Rejection } from '../events.ts';
import { type Explainer, PlannedDecision, shown } from './decision.ts';
import type { RuleId } from './rules.ts';
import type { Strategy } from './strategy.ts';

export const firstFit: Strategy = {
  name: 'first-fit',
  defaultCap: 8,
  plan(declarations: readonly Declared[]) {
    const waves: number[][] = [];
    const openWaves: number[] = [];
    /** A wave's place among the open waves; -1 for a closed one. */
    const openOrdinal: number[] = [];
    const lastWithKey = new Map<string, number>();
    /** For each keyed call: how many earlier calls had its key, and the last of them. */
    const ordinal = new Int32Array(declarations.length);
    const previous = new Int32Array(declarations.length);
    const explainer = explain(waves, openOrdinal, previous);

    const decisions = declarations.map((declared, call) => {
      const fits = declared.safe ? openWaves[place(declared.key, call)] : undefined;
      if (fits !== undefined) {
        waves[fits]?.push(call);
        return new PlannedDecision(
          call,
          fits,
          declared.key === undefined ? 'R1' : 'R2',
          false,
          declared,
          explainer,
        );
      }
      const wave = waves.push([call]) - 1;
      openOrdinal.push(declared.safe ? openWaves.push(wave) - 1 : -1);
      const rule: RuleId = declared.safe ? 'R5' : 'R4';
      return new PlannedDecision(call, wave, rule, true, declared, explainer);
    });
    return { waves, decisions };

    /** Which of the open waves takes a safe call: the first, or the one after the last that holds its key. */
    function place(key: string | undefined, call: number): number {
      if (key === undefined) return 0;
      const last = lastWithKey.get(key);
      lastWithKey.set(key, call);
      previous[call] = last ?? -1;
      const nth = last === undefined ? 0 : (ordinal[last] ?? 0) + 1;
      ordinal[call] = nth;
      return nth;
    }
  },
};

function explain(
  waves: readonly (readonly number[])[],
  openOrdinal: readonly number[],
  previous: Int32Array,
): Explainer {
  const closed = (wave: number) => openOrdinal[wave] === -1;
  const rejectedCount = ({ rule, wave }: PlannedDecision) => (rule === 'R4' ? 0 : wave);

  /** Earlier calls with the decision's key, the earliest first: the j-th holds the key in the j-th open wave. */
  function holdersBefore(decision: PlannedDecision): number[] {
    const holders: number[] = [];
    if (decision.key === undefined) return holders;
    for (let at = previous[decision.call] ?? -1; at >= 0; at = previous[at] ?? -1) holders.push(at);
    return holders.reverse();
  }

  return {
    reason(decision) {
      const { rule, wave, key } = decision;
      switch (rule) {
        case 'R1':
          return `Keyless: joins wave ${shown(wave)}, the earliest open wave.`;
        case 'R2':
          return `Wave ${shown(wave)} is the earliest open wave that does not hold key ${key}: joins it.`;
        case 'R4':
          return `Unsafe: runs alone in wave ${shown(wave)}, which is born closed.`;
        default:
          if (waves.length === 0 || wave === 0) return 'Nothing exists yet: opens wave 1.';
          return key === undefined
            ? `No wave is open: opens wave ${shown(wave)}.`
            : `No open wave is without key ${key}: opens wave ${shown(wave)}.`;
      }
    },
    rejectedCount,
    rejected(decision, limit) {
      const count = Math.min(rejectedCount(decision), limit);
      const holders = count > 0 ? holdersBefore(decision) : [];
      const rejections: Rejection[] = [];
      for (let wave = 0; wave < count; wave++) {
        if (closed(wave)) {
          const alone = shown(waves[wave]?.[0] ?? 0);
          rejections.push({
            wave,
            rule: 'R3',
            reason: `Wave ${shown(wave)} is closed: #${alone} is unsafe and runs alone.`,
          });
        } else {
          const holder = shown(holders[openOrdinal[wave] ?? 0] ?? 0);
          rejections.push({
            wave,
            rule: 'R2',
            reason: `Wave ${shown(wave)} holds key ${decision.key}: #${holder} has it.`,
          });
        }
      }
      return rejections;
    },
    closed,
  };
}
