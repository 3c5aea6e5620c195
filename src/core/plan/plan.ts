/** Planning: a pure function of calls and declarations, without I/O or clock (DESIGN section 3). */
import { type Declared, declare } from '../declare.ts';
import type { StrategyName, ToolCall } from '../model.ts';
import type { Registry } from '../tools.ts';
import type { Plan } from './decision.ts';
import { strategyOf } from './strategies.ts';
import type { Placement } from './strategy.ts';

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
  const strategy = options.strategy ?? 'sequential';
  const placement = planDeclared(
    calls.map((call) => declare(call, registry)),
    strategy,
  );
  return {
    strategy,
    waves: placement.waves,
    get decisions() {
      return placement.decisions;
    },
  };
}

/** The placement of calls whose tools have been asked already. */
export function planDeclared(declarations: readonly Declared[], name: StrategyName): Placement {
  const { placement, place } = strategyOf(name).begin(declarations);
  declarations.forEach(place); // iterating over entries() costs half as much again
  return placement;
}
