/** What a command reads: the file, its scenario and the options, with errors that name file, line and column. */
import { readFileSync } from 'node:fs';
import { messageOf } from '../core/errors.ts';
import type { StrategyName } from '../core/model.ts';
import { isStrategyName, STRATEGY_NAMES } from '../core/plan/strategies.ts';
import { parseScenario, type Scenario } from '../core/scenario.ts';

/** Bad input: its message is for the person at the terminal, and the exit code is 2. */
export class UsageError extends Error {
  readonly code = 'USAGE';
}

export interface CommandOptions {
  readonly strategy: string | undefined;
  readonly cap: string | undefined;
  readonly json: boolean;
}

/** @throws {UsageError} when the file cannot be read or is no scenario. */
export function readScenario(file: string): Scenario {
  const name = file === '-' ? '<standard input>' : file;
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new UsageError(`${name}: cannot be read (${messageOf(error)}).`);
  }
  const { scenario, errors } = parseScenario(text);
  if (scenario) return scenario;
  throw new UsageError(
    errors.map(({ line, column, message }) => `${name}:${line}:${column}: ${message}`).join('\n'),
  );
}

/** @throws {UsageError} for a strategy that does not exist. */
export function strategyFrom(options: CommandOptions, scenario: Scenario): StrategyName {
  const name = options.strategy ?? scenario.strategy ?? 'sequential';
  if (isStrategyName(name)) return name;
  throw new UsageError(`Unknown strategy "${name}". Use one of: ${STRATEGY_NAMES.join(', ')}.`);
}

/** @throws {UsageError} for what is no whole number from 1. */
export function capFrom(options: CommandOptions): number | undefined {
  if (options.cap === undefined) return undefined;
  const cap = Number(options.cap);
  if (Number.isInteger(cap) && cap >= 1) return cap;
  throw new UsageError(`--max-concurrency must be a whole number from 1, not "${options.cap}".`);
}
