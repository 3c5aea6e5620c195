/** Names every strategy: a new one is one file beside this and one line here. */
import type { StrategyName } from '../model.ts';
import { batches } from './batches.ts';
import { dataflow } from './dataflow.ts';
import { firstFit } from './firstFit.ts';
import { sequential } from './sequential.ts';
import type { Strategy } from './strategy.ts';

const STRATEGIES: Record<StrategyName, Strategy> = { sequential, batches, 'first-fit': firstFit, dataflow };

export const STRATEGY_NAMES = Object.keys(STRATEGIES).filter(isStrategyName);

export function isStrategyName(name: string): name is StrategyName {
  return Object.hasOwn(STRATEGIES, name);
}

/** @throws {RangeError} with the names that exist, for one that does not. */
export function strategyOf(name: string): Strategy {
  if (isStrategyName(name)) return STRATEGIES[name];
  throw new RangeError(`Unknown strategy "${name}". Use one of: ${STRATEGY_NAMES.join(', ')}.`);
}
