/**
 * Random batches on a virtual clock: calls that succeed, fail, hang, go deaf, and dispatch batches themselves, with all
 * recordings, the nested ones too, on one time line.
 */
import fc from 'fast-check';
import { createVirtualClock } from '../../../src/core/clock.ts';
import { dispatch } from '../../../src/core/dispatch/dispatch.ts';
import { createGate } from '../../../src/core/dispatch/gate.ts';
import type { DispatchOptions } from '../../../src/core/dispatch/options.ts';
import { HardError } from '../../../src/core/errors.ts';
import type { WavesEvent } from '../../../src/core/events.ts';
import type { Access, HardErrorMode, StrategyName, ToolCall, ToolResult } from '../../../src/core/model.ts';
import { STRATEGY_NAMES } from '../../../src/core/plan/strategies.ts';
import { createRegistry, type ToolContext } from '../../../src/core/tools.ts';
import { nap } from './helpers.ts';

/** `never` hears its abort signal; `deaf` does not, and ends long after everybody has stopped waiting. */
type Ends = 'ok' | 'soft' | 'throw' | 'hard' | 'never' | 'deaf' | 'unknown';

/** What one call does: it works, dispatches its batches all at once, works again, and ends. */
export interface PlannedCall {
  readonly ms: number;
  readonly ends: Ends;
  readonly safe: boolean;
  readonly accesses: readonly Access[] | undefined;
  readonly batches: readonly PlannedBatch[];
}

export interface PlannedBatch {
  readonly calls: readonly PlannedCall[];
  readonly strategy: StrategyName;
  readonly onHardError: HardErrorMode;
}

/** One thing that happened, in the order in which it did: an event of a batch, or a tool that began or ended. */
export interface Moment {
  /** Of the batch: `A` for one dispatched from outside, `A/2.0` for the first that its call 2 dispatched. */
  readonly batch: string;
  readonly at: number;
  readonly event?: WavesEvent;
  readonly tool?: { readonly call: number; readonly does: 'begin' | 'end' };
}

export interface Outcome {
  readonly results?: readonly ToolResult[];
  readonly error?: unknown;
}

export interface World {
  readonly clock: ReturnType<typeof createVirtualClock>;
  readonly gate: ReturnType<typeof createGate>;
  readonly moments: Moment[];
  readonly planned: Map<string, PlannedBatch>;
  readonly outcomes: Map<string, Outcome>;
  /** Dispatches a batch from outside; never rejects. */
  run(batch: string, planned: PlannedBatch, options?: DispatchOptions): Promise<void>;
}

/** @param poke told of each moment at which something may be stopped: an event's type, `tool` */
export function createWorld(poke: (point: string) => void = () => {}): World {
  const clock = createVirtualClock();
  const gate = createGate();
  const moments: Moment[] = [];
  const planned = new Map<string, PlannedBatch>();
  const outcomes = new Map<string, Outcome>();

  const recorder = (batch: string) => (event: WavesEvent) => {
    moments.push({ batch, at: clock.now(), event });
    poke(event.type);
  };

  const registry = createRegistry([
    {
      name: 'it',
      isSafeForConcurrentExecution: (input) => planOf(input).safe,
      accesses: (input) => planOf(input).accesses,
      async run(input, context) {
        const { batch, call } = input as { batch: string; call: number };
        const plan = planOf(input);
        moments.push({ batch, at: clock.now(), tool: { call, does: 'begin' } });
        poke('tool');
        try {
          await work(plan, `${batch}/${call}`, context);
        } finally {
          moments.push({ batch, at: clock.now(), tool: { call, does: 'end' } });
        }
        if (plan.ends === 'throw') throw new Error('a soft error');
        if (plan.ends === 'hard') throw new HardError('a hard error');
        return { content: `answer of ${batch}/${call}`, isError: plan.ends === 'soft' };
      },
    },
  ]);

  async function work(plan: PlannedCall, path: string, context: ToolContext): Promise<void> {
    await nap(clock, plan.ms, plan.ends === 'deaf' ? undefined : context.signal);
    const nested = plan.batches.map((child, nth) => {
      const batch = `${path}.${nth}`;
      planned.set(batch, child);
      const { strategy, onHardError } = child;
      return kept(
        batch,
        context.dispatch(callsOf(batch, child), { strategy, onHardError, onEvent: recorder(batch) }),
      );
    });
    await Promise.all(nested);
    if (plan.ends === 'deaf') return nap(clock, 2_000);
    await nap(clock, plan.ends === 'never' ? 1e9 : plan.ms, context.signal);
  }

  async function kept(batch: string, answers: Promise<ToolResult[]>): Promise<void> {
    try {
      outcomes.set(batch, { results: await answers });
    } catch (error) {
      outcomes.set(batch, { error });
    }
  }

  return {
    clock,
    gate,
    moments,
    planned,
    outcomes,
    run(batch, plan, options) {
      planned.set(batch, plan);
      const { strategy, onHardError } = plan;
      return kept(
        batch,
        dispatch(callsOf(batch, plan), registry, {
          clock,
          gate,
          strategy,
          onHardError,
          log: () => {},
          onEvent: recorder(batch),
          ...options,
        }),
      );
    },
  };
}

/** The calls of a batch, their ids those that they have in a world. */
function callsOf(batch: string, { calls }: PlannedBatch): ToolCall[] {
  return calls.map((plan, call) => ({
    id: `${batch}/${call}`,
    name: plan.ends === 'unknown' ? 'nobody' : 'it',
    input: { batch, call, plan },
  }));
}

function planOf(input: Record<string, unknown>): PlannedCall {
  return input.plan as PlannedCall;
}

/** Each batch's events, nested batches too. */
export function recordingsOf({ moments }: World): Map<string, WavesEvent[]> {
  const recordings = new Map<string, WavesEvent[]>();
  for (const { batch, event } of moments) {
    if (!event) continue;
    const events = recordings.get(batch) ?? [];
    events.push(event);
    recordings.set(batch, events);
  }
  return recordings;
}

const RESOURCES = ['a', 'a/b', 'a/b/c', 'a/d', 'e', 'e/f'];
const accesses = fc.array(
  fc.record({
    resource: fc.constantFrom(...RESOURCES),
    mode: fc.constantFrom('read' as const, 'read' as const, 'write' as const),
  }),
  { maxLength: 3 },
);

/** Random batches of up to `size` calls that nest up to `depth` levels; `ends` is how their calls may end. */
export function plannedBatches(
  depth: number,
  size: number,
  ends: readonly Ends[],
): fc.Arbitrary<PlannedBatch> {
  const children =
    depth === 0
      ? fc.constant([])
      : fc.oneof(
          { weight: 2, arbitrary: fc.constant([]) },
          { weight: 1, arbitrary: fc.array(plannedBatches(depth - 1, 3, ends), { maxLength: 2 }) },
        );
  const call: fc.Arbitrary<PlannedCall> = fc.record({
    ms: fc.nat(30),
    ends: fc.constantFrom(...ends),
    safe: fc.constantFrom(true, true, true, false),
    accesses: fc.oneof({ weight: 1, arbitrary: fc.constant(undefined) }, { weight: 3, arbitrary: accesses }),
    batches: children,
  });
  return fc.record({
    calls: fc.array(call, { minLength: 1, maxLength: size }),
    strategy: fc.constantFrom(...STRATEGY_NAMES),
    onHardError: fc.constantFrom('abort' as const, 'answer-all' as const),
  });
}
