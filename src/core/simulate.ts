/** Runs a scenario on a virtual clock with the real dispatcher: the same every time, and in no time. */
import { type Clock, createVirtualClock } from './clock.ts';
import { declarationsOf, fillAccesses } from './declarationLanguage.ts';
import { dispatch } from './dispatch/dispatch.ts';
import { BatchAborted, HardError } from './errors.ts';
import type { WavesEvent } from './events.ts';
import type { Finding } from './findings/finding.ts';
import { findings } from './findings/findings.ts';
import type { HardErrorMode, StrategyName, ToolCall, ToolResult } from './model.ts';
import { reduceAll } from './reduce.ts';
import type { Scenario, ScenarioCall } from './scenario.ts';
import { createRegistry, type Registry } from './tools.ts';

/** Milliseconds of a call for which nobody says how long it takes. */
const DEFAULT_MS = 100;

export interface Simulation {
  /** In request order; empty when a hard error aborted the batch. */
  readonly results: readonly ToolResult[];
  readonly events: readonly WavesEvent[];
  /** From the run's beginning to its end. */
  readonly makespanMs: number;
  /** The calls' durations added up, over the makespan: how much faster than one after the other. */
  readonly speedUp: number;
  readonly findings: readonly Finding[];
}

export interface SimulateOptions {
  readonly strategy?: StrategyName;
  readonly maxConcurrency?: number;
  readonly onHardError?: HardErrorMode;
}

/** The scenario's calls, and tools that declare what it says and sleep as long as it says. */
export function scenarioBatch(
  scenario: Scenario,
  clock: Clock,
): { calls: readonly ToolCall[]; registry: Registry } {
  const byId = new Map<string, ScenarioCall>();
  const calls = scenario.calls.map((call, index): ToolCall => {
    const id = `call-${index + 1}`;
    byId.set(id, call);
    return { id, name: call.tool, input: { ...call.input } }; // a copy: two calls may share one object
  });
  const byInput = new Map(calls.map((call) => [call.input, byId.get(call.id)]));
  const tools = Object.entries(scenario.tools).map(([name, tool]) => ({
    name,
    ...(tool.description !== undefined && { description: tool.description }),
    ...declarationsOf(tool),
    async run(
      input: Record<string, unknown>,
      context: { signal: AbortSignal; report(access: unknown): void },
    ) {
      const call = byInput.get(input);
      const ms = call?.ms ?? tool.ms ?? DEFAULT_MS;
      for (const access of fillAccesses(call?.touches ?? [], input)) context.report(access);
      await sleep(clock, ms, context.signal);
      if (call?.outcome === 'hard') throw new HardError(`${name} ended the batch, as the scenario says.`);
      if (call?.outcome === 'soft')
        return { content: `${name} failed, as the scenario says.`, isError: true };
      return `${name} took ${ms} ms.`;
    },
  }));
  return { calls, registry: createRegistry(tools) };
}

/** @throws {RangeError} for a strategy or cap that does not exist. */
export async function simulate(scenario: Scenario, options: SimulateOptions = {}): Promise<Simulation> {
  const clock = createVirtualClock();
  const { calls, registry } = scenarioBatch(scenario, clock);
  const events: WavesEvent[] = [];
  const maxConcurrency = options.maxConcurrency ?? scenario.maxConcurrency;
  const done = dispatch(calls, registry, {
    strategy: options.strategy ?? scenario.strategy ?? 'sequential',
    ...(maxConcurrency !== undefined && { maxConcurrency }),
    ...(options.onHardError !== undefined && { onHardError: options.onHardError }),
    onEvent: (event) => events.push(event),
    clock,
  }).catch((error: unknown) => {
    if (error instanceof BatchAborted) return [];
    throw error;
  });
  const results = await clock.runUntil(done);
  const makespanMs = events.at(-1)?.t ?? 0;
  const worked = workedMs(events);
  return {
    results,
    events,
    makespanMs,
    speedUp: makespanMs > 0 ? worked / makespanMs : 1,
    findings: findings(reduceAll(events)),
  };
}

/** How long all calls ran, added up. */
function workedMs(events: readonly WavesEvent[]): number {
  const startedAt = new Map<number, number>();
  let total = 0;
  for (const event of events) {
    if (event.type === 'call-started') startedAt.set(event.call, event.t);
    else if (event.type === 'call-ended') total += event.t - (startedAt.get(event.call) ?? event.t);
  }
  return total;
}

function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = () => {
      forget();
      reject(signal.reason);
    };
    const forget = clock.after(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}
