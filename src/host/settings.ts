import type { HardErrorMode, StrategyName } from '../core/model.ts';

/** What the user chose under "Waves" in the settings. */
export interface Settings {
  readonly strategy: StrategyName;
  /** 0: the strategy's own default. */
  readonly maxConcurrency: number;
  readonly onHardError: HardErrorMode;
  readonly profile: 'published' | 'fine-grained';
  readonly openOnBatch: 'never' | 'firstInSession' | 'always';
}

const choices = {
  strategy: ['first-fit', 'sequential', 'batches', 'dataflow'],
  onHardError: ['abort', 'answer-all'],
  'declarations.profile': ['published', 'fine-grained'],
  openOnBatch: ['never', 'firstInSession', 'always'],
} as const satisfies Record<string, readonly [string, ...string[]]>;

/**
 * Reads all settings of the section `waves`. A value that cannot be used is replaced by the default, and `problems`
 * holds a sentence about it.
 */
export function readSettings(get: (key: string) => unknown): {
  readonly settings: Settings;
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const instead = (key: string, value: unknown, wanted: string, fallback: unknown) =>
    problems.push(
      `The setting waves.${key} is ${written(value)}, but must be ${wanted}. Waves uses ${written(fallback)} instead.`,
    );

  /** The first of the allowed values is the default. */
  function choose<T extends string>(key: string, allowed: readonly [T, ...T[]]): T {
    const value = get(key);
    const chosen = value === undefined ? allowed[0] : allowed.find((one) => one === value);
    if (chosen === undefined) instead(key, value, `one of ${allowed.map(written).join(', ')}`, allowed[0]);
    return chosen ?? allowed[0];
  }

  function count(key: string): number {
    const value = get(key) ?? 0;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
    instead(key, value, 'a whole number from 0 on', 0);
    return 0;
  }

  const settings: Settings = {
    strategy: choose('strategy', choices.strategy),
    maxConcurrency: count('maxConcurrency'),
    onHardError: choose('onHardError', choices.onHardError),
    profile: choose('declarations.profile', choices['declarations.profile']),
    openOnBatch: choose('openOnBatch', choices.openOnBatch),
  };
  return { settings, problems };
}

function written(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
