/** Tools and the registry that finds them by name. */
import type { NestedOptions } from './dispatch/options.ts';
import { messageOf } from './errors.ts';
import type { Access, ToolCall, ToolContent, ToolResult } from './model.ts';
import { createSchemaCheck, inputSentence, type SchemaCheck } from './schema.ts';

/** What a running call may use. */
export interface ToolContext {
  /** Aborted when the batch is cancelled or the call is over its time limit. */
  readonly signal: AbortSignal;
  /**
   * Run a batch of calls and wait for it. This call lends its permit meanwhile, so no cap can deadlock. A call that
   * needs what this one, or a call above it, holds is a soft error at once.
   * @throws {BatchRefused | BatchAborted} as `dispatch` does; also once this call has ended.
   */
  dispatch(calls: readonly ToolCall[], options?: NestedOptions): Promise<ToolResult[]>;
  /** Tell what the call really touched, as it touches it. */
  report(access: Access): void;
  /** Tell a person how far the call is, in a few words. */
  progress(message: string): void;
  /**
   * Calls `then` when this call's answer is handed out to whoever asked for the batch. Never for a run that was thrown
   * away, and not after an abort: then the model does not know what this run has seen.
   */
  whenHandedOut(then: () => void): void;
}

export type ToolOutput = string | { readonly content: ToolContent; readonly isError?: boolean };

/** A tool: what it does, what it says about a call, and how a call is run (DESIGN sections 2 and 11). */
export interface Tool {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema (draft 2020-12) of the input. */
  readonly inputSchema?: object;
  /** Synchronous, without I/O. Default false. */
  isSafeForConcurrentExecution?(input: Record<string, unknown>): boolean;
  /** Asked only of safe calls. Synchronous, without I/O. Default undefined. */
  resourceKey?(input: Record<string, unknown>): string | undefined;
  /** Default: follows from the two answers above. */
  accesses?(input: Record<string, unknown>): readonly Access[] | undefined;
  /**
   * The arguments that a call needs before it may start while the model still writes the rest of its input (DESIGN
   * section 5). Such a run may be thrown away and made again, so only for tools that change nothing. Default: a call
   * starts when its input is complete.
   */
  readonly startsWhen?: readonly string[];
  /** Limit of one call in milliseconds. */
  readonly timeoutMs?: number;
  /** A throw is a soft error; a thrown HardError ends the batch. */
  run(input: Record<string, unknown>, context: ToolContext): Promise<ToolOutput> | ToolOutput;
}

/** Finds a tool by its exact name. */
export interface Registry {
  readonly names: readonly string[];
  get(name: string): Tool | undefined;
  /** Why this input does not fit the tool's schema; undefined when it does. */
  inputError(tool: Tool, input: unknown): string | undefined;
}

/**
 * Makes a registry. Names are looked up in a Map, so `constructor` and `__proto__` are unknown unless registered.
 * @throws {Error} when two tools share a name or a name is empty.
 */
export function createRegistry(tools: Iterable<Tool>): Registry {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    if (typeof tool.name !== 'string' || tool.name === '')
      throw new Error('A tool needs a name that is not empty.');
    if (byName.has(tool.name)) throw new Error(`Two tools are named "${tool.name}"; names must be unique.`);
    byName.set(tool.name, tool);
  }
  const checks = new Map<Tool, SchemaCheck>();
  return {
    names: [...byName.keys()],
    get: (name) => byName.get(name),
    inputError(tool, input) {
      if (!tool.inputSchema) return undefined;
      try {
        const check = checks.get(tool) ?? createSchemaCheck(tool.inputSchema);
        checks.set(tool, check);
        return inputSentence(check(input));
      } catch (error) {
        return `The input schema of "${tool.name}" cannot be used: ${messageOf(error)}`;
      }
    },
  };
}

/** The sentence for a call whose tool does not exist: what exists and, where one is close, a guess (DESIGN section 4). */
export function unknownTool(call: ToolCall, registry: Registry): string {
  const known =
    registry.names.length > 0 ? `Known tools: ${registry.names.join(', ')}.` : 'No tools are registered.';
  const close = closest(call.name, registry.names);
  return `Unknown tool "${call.name}". ${close === undefined ? '' : `Did you mean "${close}"? `}${known}`;
}

/** The nearest name within a third of its length (at least one edit, at most three), transpositions counted once. */
function closest(name: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of names) {
    const limit = Math.min(3, Math.max(1, Math.floor(candidate.length / 3)));
    if (Math.abs(candidate.length - name.length) > limit) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance <= limit && distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Optimal string alignment distance: insert, delete, replace, swap neighbours. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1);
      }
      row[j] = least;
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
