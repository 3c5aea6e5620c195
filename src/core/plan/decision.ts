/**
 * Where a call went, by which rule, and what was rejected on the way. The waves say where; rule, sentence and rejected
 * waves follow from them and are worked out when somebody reads them, so that planning costs no more than its waves.
 */
import type { Declared } from '../declare.ts';
import type { Rejection } from '../events.ts';
import type { Access } from '../model.ts';
import type { RuleId } from './rules.ts';
import type { Placement } from './strategy.ts';

/** DESIGN section 11. Calls and waves are 0-based. */
export interface Decision {
  readonly call: number;
  readonly wave: number;
  readonly safe: boolean;
  readonly key?: string | undefined;
  readonly accesses: readonly Access[];
  readonly rule: RuleId;
  readonly reason: string;
  readonly rejected: readonly Rejection[];
  readonly waitsFor: readonly number[];
}

export interface Plan {
  readonly strategy: string;
  readonly waves: readonly (readonly number[])[];
  readonly decisions: readonly PlannedDecision[];
}

/** How a strategy tells its decisions: asked when somebody reads one. */
export interface Explainer {
  /** By which rule the call came to its wave. */
  rule(decision: PlannedDecision): RuleId;
  reason(decision: PlannedDecision): string;
  /** How many waves were rejected. */
  rejectedCount(decision: PlannedDecision): number;
  /** The first `limit` of them, the earliest first. */
  rejected(decision: PlannedDecision, limit: number): Rejection[];
  /** Whether the wave takes nobody else. */
  closed(wave: number): boolean;
  /** The first `limit` calls that it waits for, ascending; absent where a strategy knows waves only. */
  waitsFor?(decision: PlannedDecision, limit: number): readonly number[];
}

const NOBODY: readonly number[] = [];
const NOT_PLACED: Declared = { safe: false, accesses: [] };

/** Three fields and no more: a plan of a million calls makes a million of these. The rest is read off the placement. */
export class PlannedDecision implements Decision {
  readonly call: number;
  readonly wave: number;
  private readonly placement: Placement;

  constructor(call: number, wave: number, placement: Placement) {
    this.call = call;
    this.wave = wave;
    this.placement = placement;
  }

  /** The wave was made for this call. */
  get opened(): boolean {
    return this.placement.waves[this.wave]?.[0] === this.call;
  }

  get rule(): RuleId {
    return this.explainer.rule(this);
  }

  get safe(): boolean {
    return this.declared.safe;
  }

  get key(): string | undefined {
    return this.declared.key;
  }

  get accesses(): readonly Access[] {
    return this.declared.accesses;
  }

  /** One sentence for a person; the cause of a failed declaration included. */
  get reason(): string {
    const reason = this.explainer.reason(this);
    const { failure } = this.declared;
    return failure === undefined ? reason : `${reason} Counted as unsafe: ${failure}`;
  }

  get rejected(): readonly Rejection[] {
    return this.explainer.rejected(this, Number.POSITIVE_INFINITY);
  }

  get waitsFor(): readonly number[] {
    return this.waitsForUpTo(Number.POSITIVE_INFINITY);
  }

  get rejectedCount(): number {
    return this.explainer.rejectedCount(this);
  }

  get waveClosed(): boolean {
    return this.explainer.closed(this.wave);
  }

  /** The first calls that it waits for, for whoever must not read them all. */
  waitsForUpTo(limit: number): readonly number[] {
    return this.explainer.waitsFor?.(this, limit) ?? NOBODY;
  }

  /** The first rejected waves, for whoever must not read them all. */
  rejectedUpTo(limit: number): Rejection[] {
    return this.explainer.rejected(this, limit);
  }

  toJSON(): Decision {
    const { call, wave, safe, key, accesses, rule, reason, rejected, waitsFor } = this;
    return { call, wave, safe, key, accesses, rule, reason, rejected, waitsFor };
  }

  private get declared(): Declared {
    return this.placement.declarations[this.call] ?? NOT_PLACED;
  }

  private get explainer(): Explainer {
    return this.placement.explainer;
  }
}

/** How people see a call or wave. */
export const shown = (index: number): number => index + 1;
