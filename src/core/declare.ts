/**
 * Asks a tool about one call (DESIGN section 2). Fail safe: an unknown tool, an input that its schema refuses, a
 * declaration that throws or returns anything but the declared type all mean "unsafe", with the reason kept.
 */

import { messageOf } from './errors.ts';
import { kindOf } from './kind.ts';
import { type Access, type Declaration, EVERYTHING, type ToolCall } from './model.ts';
import { isRecord } from './record.ts';
import { type Registry, type Tool, unknownTool } from './tools.ts';

/** A declaration, and why the call cannot run at all where that is so. */
export interface Declared extends Declaration {
  /** The soft error that the call will get instead of running. */
  readonly refusal?: string;
  /** Its tool lists a write among the accesses. */
  readonly writes?: true;
}

/** Whether a call may change something: it is unsafe, or says so. A key alone says nothing: reads have keys too. */
export function mayWrite({ safe, writes }: Declared): boolean {
  return !safe || writes === true;
}

const ALL_WRITTEN: readonly Access[] = [{ resource: EVERYTHING, mode: 'write' }];
const NO_ACCESS: readonly Access[] = [];

/** What the tool declares about this call. Never throws; the same call and registry give the same answer. */
export function declare(call: ToolCall, registry: Registry): Declared {
  if (call.inputError !== undefined) return refused(call.inputError);
  const tool = registry.get(call.name);
  if (!tool) return refused(unknownTool(call, registry));
  const { input } = call;
  if (!isRecord(input)) return refused(`The input must be an object, not ${kindOf(input)}.`);
  const wrong = registry.inputError(tool, input);
  if (wrong !== undefined) return refused(wrong);
  return ask(tool, input);
}

function ask(tool: Tool, input: Record<string, unknown>): Declared {
  let question = 'isSafeForConcurrentExecution';
  try {
    const safe = answer(tool.isSafeForConcurrentExecution?.(input) ?? false);
    if (typeof safe !== 'boolean') return unsafe(wrongType(question, 'a boolean', safe));
    question = 'resourceKey';
    const key = safe ? answer(tool.resourceKey?.(input)) : undefined;
    if (key !== undefined && (typeof key !== 'string' || key === '')) {
      return unsafe(wrongType(question, 'a string that is not empty, or undefined', key));
    }
    question = 'accesses';
    const accesses = answer(tool.accesses?.(input));
    if (accesses !== undefined && !isAccessList(accesses)) {
      return unsafe(wrongType(question, 'a list of { resource, mode: "read" | "write" }', accesses));
    }
    return {
      safe,
      ...(key !== undefined && { key }),
      accesses: accesses ?? implied(safe, key),
      ...(accesses?.some(({ mode }) => mode === 'write') && { writes: true }),
    };
  } catch (error) {
    return unsafe(`${question} threw: ${messageOf(error)}`);
  }
}

/** Accesses that follow from the two flags where a tool lists none. */
function implied(safe: boolean, key: string | undefined): readonly Access[] {
  if (!safe) return ALL_WRITTEN;
  return key === undefined ? NO_ACCESS : [{ resource: key, mode: 'write' }];
}

/** A declaration must answer at once. A promise is of the wrong type; its rejection must not go unhandled. */
function answer(value: unknown): unknown {
  if (value instanceof Promise) value.catch(() => {});
  return value;
}

/** What stands for a declaration that failed: unsafe, with the reason. */
export function unsafe(failure: string): Declared {
  return { safe: false, accesses: ALL_WRITTEN, failure };
}

function refused(refusal: string): Declared {
  return { ...unsafe(refusal), refusal };
}

function isAccessList(value: unknown): value is readonly Access[] {
  return Array.isArray(value) && value.every(isAccess);
}

function isAccess(value: unknown): value is Access {
  if (!isRecord(value)) return false;
  return (
    typeof value.resource === 'string' &&
    value.resource !== '' &&
    (value.mode === 'read' || value.mode === 'write')
  );
}

function wrongType(question: string, wanted: string, got: unknown): string {
  return `${question} must return ${wanted}, but returned ${got === '' ? '""' : kindOf(got)}.`;
}
