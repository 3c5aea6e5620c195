/**
 * `first-fit`, greedy wave packing (DESIGN section 3), implemented as published. Exactly linear: open waves never
 * close, and each earlier call with key K took the next open wave, so the j-th call with K lands in the j-th open
 * wave. Every wave before a safe call's own was rejected: closed, or holding its key.
 */
import type { Declared } from '../declare.ts';
import type { Rejection } from '../events.ts';
import { type Explainer, type PlannedDecision, shown } from './decision.ts';
import { Placement, type Strategy } from './strategy.ts';

export const firstFit: Strategy = {
  name: 'first-fit',
  defaultCap: 8,
  plan(declarations) {
    const waves: number[][] = [];
    const open: number[][] = [];
    const uses = new Map<string, number>();

    /** Which of the open waves takes a safe call: the first, or the one after the last that holds its key. */
    const place = (key: string | undefined) => {
      if (key === undefined) return 0;
      const earlier = uses.get(key) ?? 0;
      uses.set(key, earlier + 1);
      return earlier;
    };

    // forEach, as iterating over entries() costs half as much again.
    declarations.forEach(({ safe, key }, call) => {
      const fits = safe ? open[place(key)] : undefined;
      if (fits) fits.push(call);
      else {
        const members = [call];
        waves.push(members);
        if (safe) open.push(members);
      }
    });
    return new Placement(declarations, waves, explain(declarations, waves));
  },
};

function explain(declarations: readonly Declared[], waves: readonly (readonly number[])[]): Explainer {
  let known: { openOrdinal: Int32Array; holders: Map<string, number[]> } | undefined;
  const closed = (wave: number) => declarations[waves[wave]?.[0] ?? 0]?.safe === false;
  const rejectedCount = ({ safe, wave }: PlannedDecision) => (safe ? wave : 0);

  /** The call that holds the key in an open wave: the j-th with that key holds it in the j-th open wave. */
  function holder(key: string | undefined, wave: number): number {
    known ??= { openOrdinal: openOrdinals(waves, closed), holders: callsByKey(declarations) };
    return known.holders.get(key ?? '')?.[known.openOrdinal[wave] ?? 0] ?? 0;
  }

  return {
    rule({ safe, key, opened }) {
      if (!safe) return 'R4';
      if (opened) return 'R5';
      return key === undefined ? 'R1' : 'R2';
    },
    reason({ rule, wave, key }) {
      switch (rule) {
        case 'R1':
          return `Keyless: joins wave ${shown(wave)}, the earliest open wave.`;
        case 'R2':
          return `Wave ${shown(wave)} is the earliest open wave that does not hold key ${key}: joins it.`;
        case 'R4':
          return `Unsafe: runs alone in wave ${shown(wave)}, which is born closed.`;
        default:
          if (wave === 0) return 'Nothing exists yet: opens wave 1.';
          return key === undefined
            ? `No wave is open: opens wave ${shown(wave)}.`
            : `No open wave is without key ${key}: opens wave ${shown(wave)}.`;
      }
    },
    rejectedCount,
    rejected(decision, limit) {
      const count = Math.min(rejectedCount(decision), limit);
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
          rejections.push({
            wave,
            rule: 'R2',
            reason: `Wave ${shown(wave)} holds key ${decision.key}: #${shown(holder(decision.key, wave))} has it.`,
          });
        }
      }
      return rejections;
    },
    closed,
  };
}

/** Each open wave's place among the open ones. */
function openOrdinals(waves: readonly unknown[], closed: (wave: number) => boolean): Int32Array {
  const ordinals = new Int32Array(waves.length);
  let open = 0;
  for (const wave of waves.keys()) if (!closed(wave)) ordinals[wave] = open++;
  return ordinals;
}

/** The safe calls of each key, in the model's order. */
function callsByKey(declarations: readonly Declared[]): Map<string, number[]> {
  const calls = new Map<string, number[]>();
  for (const [call, { safe, key }] of declarations.entries()) {
    if (!safe || key === undefined) continue;
    const same = calls.get(key);
    if (same) same.push(call);
    else calls.set(key, [call]);
  }
  return calls;
}
