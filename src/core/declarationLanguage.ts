/** Declarations as data: `safe`, `key` and `accesses` over a call's input (DESIGN section 11). */
import type { Access } from './model.ts';
import type { AccessTemplate, SafeRule, ToolDeclaration } from './scenario.ts';
import type { Tool } from './tools.ts';

type Input = Readonly<Record<string, unknown>>;

/** The three declarations of a tool that are written as data. A missing argument throws, so the call is unsafe. */
export function declarationsOf(
  declaration: ToolDeclaration,
): Pick<Tool, 'isSafeForConcurrentExecution' | 'resourceKey' | 'accesses'> {
  const { safe = false, key, accesses } = declaration;
  return {
    isSafeForConcurrentExecution: (input) => isSafe(safe, input),
    ...(key !== undefined && { resourceKey: (input) => fill(key, input) }),
    ...(accesses !== undefined && { accesses: (input) => fillAccesses(accesses, input) }),
  };
}

/** The accesses that these templates name for this input. @throws {Error} for an argument that is missing. */
export function fillAccesses(templates: readonly AccessTemplate[], input: Input): Access[] {
  return templates.map(({ resource, mode }) => ({ resource: fill(resource, input), mode }));
}

function isSafe(rule: SafeRule, input: Input): boolean {
  if (typeof rule === 'boolean') return rule;
  return Object.entries(rule.when).every(([name, wanted]) => fits(input[name], wanted));
}

function fits(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) return wanted.some((one) => fits(value, one));
  if (
    typeof wanted === 'object' &&
    wanted !== null &&
    'matches' in wanted &&
    typeof wanted.matches === 'string'
  ) {
    return typeof value === 'string' && new RegExp(wanted.matches, 'u').test(value);
  }
  return value === wanted;
}

function fill(template: string, input: Input): string {
  return template.replace(/\{([^{}]+)\}/g, (_whole, name: string) => {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      return String(value);
    throw new Error(
      `"${template}" needs the argument "${name}", which the input ${value === undefined ? 'lacks' : 'has in another form'}.`,
    );
  });
}
