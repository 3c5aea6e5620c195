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
  // The members of the first wave start at once, a later wave when the message has ended: it may still grow.
  barriers: {
    isFull: (wave, { explainer }) => explainer.closed(wave),
    startsEarly: (wave) => wave === 0,
  },
  begin(declarations) {
    const waves: number[][] = [];
    /** The open waves, and their places among all. */
    const open: number[][] = [];
    const places: number[] = [];
    const uses = new Map<string, number>();

    /** Which of the open waves takes a safe call: the first, or the one after the last that holds its key. */
    const ordinal = (key: string | undefined) => (key === undefined ? 0 : (uses.get(key) ?? 0));

    return {
      placement: new Placement(declarations, waves, explain(declarations, waves)),
      place({ safe, key }, call) {
        if (!safe) return waves.push([call]) - 1;
        const at = ordinal(key);
        if (key !== undefined) uses.set(key, at + 1);
        const fits = open[at];
        if (fits) {
          fits.push(call);
          return places[at] ?? 0;
        }
        const members = [call];
        open.push(members);
        places.push(waves.length);
        return waves.push(members) - 1;
      },
      waveFor: ({ safe, key }) => (safe ? places[ordinal(key)] : undefined) ?? waves.length,
    };
  },
};

function explain(declarations: readonly Declared[], waves: readonly (readonly number[])[]): Explainer {
  const closed = (wave: number) => declarations[waves[wave]?.[0] ?? 0]?.safe === false;
  const rejectedCount = ({ safe, wave }: PlannedDecision) => (safe ? wave : 0);

  /** Each open wave's place among the open ones, and the safe calls of each key; they grow with the plan. */
  const ordinals: number[] = [];
  const holders = new Map<string, number[]>();
  let open = 0;
  let seen = 0;
  function catchUp(): void {
    while (ordinals.length < waves.length) ordinals.push(closed(ordinals.length) ? open : open++);
    for (; seen < declarations.length; seen++) {
      const { safe, key } = declarations[seen] ?? {};
      if (!safe || key === undefined) continue;
      const same = holders.get(key);
      if (same) same.push(seen);
      else holders.set(key, [seen]);
    }
  }

  /** The call that holds the key in an open wave: the j-th with that key holds it in the j-th open wave. */
  function holder(key: string | undefined, wave: number): number {
    catchUp();
    return holders.get(key ?? '')?.[ordinals[wave] ?? 0] ?? 0;
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
