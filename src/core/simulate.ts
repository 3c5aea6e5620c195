/** Runs a scenario on a virtual clock with the real dispatcher: the same every time, and in no time. */
import { type Clock, createVirtualClock } from './clock.ts';
import { declarationsOf, fillAccesses } from './declarationLanguage.ts';
import { dispatch } from './dispatch/dispatch.ts';
import type { Hooks } from './dispatch/hooks.ts';
import type { DispatchOptions } from './dispatch/options.ts';
import { createStreamingDispatch } from './dispatch/streaming.ts';
import { BatchAborted, HardError } from './errors.ts';
import type { WavesEvent } from './events.ts';
import type { Finding } from './findings/finding.ts';
import { findings } from './findings/findings.ts';
import type { HardErrorMode, StrategyName, ToolCall, ToolResult } from './model.ts';
import { workedMs } from './ran.ts';
import { isRecord } from './record.ts';
import { reduceAll } from './reduce.ts';
import type { Scenario, ScenarioCall } from './scenario.ts';
import { isStreamed, messageEndMs, scenarioStream } from './scenarioStream.ts';
import { sleep } from './sleep.ts';
import { createRegistry, type Registry } from './tools.ts';

/** Milliseconds of a call for which nobody says how long it takes. */
const DEFAULT_MS = 100;

export interface Simulation {
  /** In request order; empty when a hard error aborted the batch. */
  readonly results: readonly ToolResult[];
  readonly events: readonly WavesEvent[];
  /** From the run's beginning to its end. */
  readonly makespanMs: number;
  /**
   * The calls' durations added up, over the makespan: how much faster than one after the other. Of a stream the time
   * of the message counts too: one after the other begins when it has ended.
   */
  readonly speedUp: number;
  readonly findings: readonly Finding[];
}

export interface SimulateOptions {
  readonly strategy?: StrategyName;
  readonly maxConcurrency?: number;
  readonly onHardError?: HardErrorMode;
}

export interface ScenarioBatch {
  readonly calls: readonly ToolCall[];
  readonly registry: Registry;
  /** For a stream, whose inputs are parsed anew: tells the tools which call it is that they run. */
  readonly hooks: Hooks;
}

/** The scenario's calls, and tools that declare what it says and sleep as long as it says. */
export function scenarioBatch(scenario: Scenario, clock: Clock): ScenarioBatch {
  const byInput = new WeakMap<object, ScenarioCall>();
  const calls = scenario.calls.map((call, index): ToolCall => {
    const input = { ...call.input }; // a copy: two calls may share one object
    byInput.set(input, call);
    return { id: `call-${index + 1}`, name: call.tool, input };
  });
  const hooks: Hooks = {
    before({ input }, { index }) {
      const call = scenario.calls[index];
      if (call && isRecord(input)) byInput.set(input, call);
    },
  };
  const tools = Object.entries(scenario.tools).map(([name, tool]) => ({
    name,
    ...(tool.description !== undefined && { description: tool.description }),
    ...declarationsOf(tool),
    ...(tool.startsWhen && { startsWhen: tool.startsWhen }),
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
  return { calls, registry: createRegistry(tools), hooks };
}

/**
 * Runs the scenario: as a batch that is there at once or, where its calls say when they arrive, as a stream.
 * @throws {RangeError} for a strategy or cap that does not exist.
 */
export async function simulate(scenario: Scenario, options: SimulateOptions = {}): Promise<Simulation> {
  const clock = createVirtualClock();
  const { calls, registry, hooks } = scenarioBatch(scenario, clock);
  const events: WavesEvent[] = [];
  const maxConcurrency = options.maxConcurrency ?? scenario.maxConcurrency;
  const asked: DispatchOptions = {
    strategy: options.strategy ?? scenario.strategy ?? 'sequential',
    ...(maxConcurrency !== undefined && { maxConcurrency }),
    ...(options.onHardError !== undefined && { onHardError: options.onHardError }),
    onEvent: (event) => events.push(event),
    clock,
  };
  const done = isStreamed(scenario)
    ? streamed(scenario, registry, { ...asked, hooks }, clock)
    : dispatch(calls, registry, asked);
  const results = await clock.runUntil(done.catch(noneIfAborted));
  const state = reduceAll(events);
  const makespanMs = events.at(-1)?.t ?? 0;
  const oneByOneMs = messageEndMs(scenario) + workedMs(state);
  return {
    results,
    events,
    makespanMs,
    speedUp: makespanMs > 0 ? oneByOneMs / makespanMs : 1,
    findings: findings(state),
  };
}

function streamed(
  scenario: Scenario,
  registry: Registry,
  options: DispatchOptions,
  clock: Clock,
): Promise<ToolResult[]> {
  const stream = createStreamingDispatch(registry, options);
  for (const { at, event } of scenarioStream(scenario)) clock.after(at, () => stream.push(event));
  return stream.results;
}

function noneIfAborted(error: unknown): ToolResult[] {
  if (error instanceof BatchAborted) return [];
  throw error;
}
