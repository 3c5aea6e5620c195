/** Planning: a pure function of calls and declarations, without I/O or clock (DESIGN section 3). */
import { type Declared, declare } from '../declare.ts';
import type { StrategyName, ToolCall } from '../model.ts';
import type { Registry } from '../tools.ts';
import type { Plan } from './decision.ts';
import { strategyOf } from './strategies.ts';

/**
 * Asks every call's tool and places the calls by the strategy (default `sequential`: only the tools' declarations
 * make anything else safe). Linear in the calls.
 * @throws {RangeError} for a strategy that does not exist.
 */
export function plan(
  calls: readonly ToolCall[],
  registry: Registry,
  options: { strategy?: StrategyName } = {},
): Plan {
  return planDeclared(
    calls.map((call) => declare(call, registry)),
    options.strategy ?? 'sequential',
  );
}

/** The plan for calls whose tools have been asked already. */
export function planDeclared(declarations: readonly Declared[], name: StrategyName): Plan {
  const strategy = strategyOf(name);
  return { strategy: strategy.name, ...strategy.plan(declarations) };
}
