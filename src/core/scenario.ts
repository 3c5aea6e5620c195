/** Scenario files, `*.waves.json` (DESIGN section 11): tools by declaration, calls with durations and outcomes. */
import type { StrategyName } from './model.ts';
import { parseLocated, type TextError } from './positions.ts';
import { SCENARIO_SCHEMA } from './scenarioSchema.ts';
import { createSchemaCheck } from './schema.ts';
import { createRegistry, unknownTool } from './tools.ts';

/** When a call of this tool is safe: always, never, or when arguments have certain values. */
export type SafeRule = boolean | { readonly when: Readonly<Record<string, unknown>> };

export interface AccessTemplate {
  readonly resource: string;
  readonly mode: 'read' | 'write';
}

/** The declaration language: also that of the setting for tools that others wrote. */
export interface ToolDeclaration {
  readonly safe?: SafeRule;
  /** A template over the input: `file:{path}`. */
  readonly key?: string;
  readonly accesses?: readonly AccessTemplate[];
}

export interface ScenarioTool extends ToolDeclaration {
  readonly description?: string;
  /** The arguments that a call needs before it may start while the rest of its input still arrives. */
  readonly startsWhen?: readonly string[];
  /** Duration of a call in milliseconds. */
  readonly ms?: number;
}

export interface ScenarioCall {
  readonly tool: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly ms?: number;
  readonly outcome?: 'ok' | 'soft' | 'hard';
  /** What the call really touches, for lessons about wrong declarations. */
  readonly touches?: readonly AccessTemplate[];
  /** When the call has been streamed, in milliseconds since the message began. */
  readonly arrivesMs?: number;
}

export interface Scenario {
  readonly title?: string;
  readonly description?: string;
  readonly strategy?: StrategyName;
  readonly maxConcurrency?: number;
  readonly tools: Readonly<Record<string, ScenarioTool>>;
  readonly calls: readonly ScenarioCall[];
}

/** Reads a scenario. Never throws: what is wrong comes back with its line and column, and no scenario. */
export function parseScenario(text: string): { scenario?: Scenario; errors: readonly TextError[] } {
  const located = parseLocated(text);
  if (located.errors.length > 0) return { errors: located.errors };
  const faults = createSchemaCheck(SCENARIO_SCHEMA)(located.value);
  if (faults.length > 0) {
    const errors = faults.map(({ pointer, message }) => {
      const name = pointer === '' ? 'The scenario' : `"${pointer.slice(1).replaceAll('/', '.')}"`;
      return { ...located.at(pointer), message: `${name} ${message}.` };
    });
    return { errors };
  }
  const scenario = located.value as Scenario; // what the schema has just established
  const known = createRegistry(Object.keys(scenario.tools).map((name) => ({ name, run: () => '' })));
  const errors = scenario.calls.flatMap((call, index) =>
    known.get(call.tool)
      ? []
      : [
          {
            ...located.at(`/calls/${index}/tool`),
            message: unknownTool({ id: '', name: call.tool, input: {} }, known),
          },
        ],
  );
  errors.push(
    ...earlyArrivals(scenario).map((at) => ({ ...located.at(`/calls/${at}/arrivesMs`), message: BACKWARDS })),
  );
  return errors.length > 0 ? { errors } : { scenario, errors };
}

const BACKWARDS =
  '"arrivesMs" is less than that of a call before it. A model writes one call after the other: give this one a later time, or move it up.';

/** The calls that would arrive before one that stands before them. */
function earlyArrivals({ calls }: Scenario): number[] {
  let latest = 0;
  return calls.flatMap(({ arrivesMs = latest }, index) => {
    if (arrivesMs < latest) return [index];
    latest = arrivesMs;
    return [];
  });
}
