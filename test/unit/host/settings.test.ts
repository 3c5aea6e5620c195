import { describe, expect, it } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { readSettings } from '../../../src/host/settings.ts';

const defaults = {
  strategy: 'first-fit',
  maxConcurrency: 0,
  onHardError: 'abort',
  profile: 'published',
  openOnBatch: 'never',
};

const properties: Record<string, { readonly default: unknown; readonly enum?: readonly string[] }> =
  manifest.contributes.configuration.properties;

describe('settings', () => {
  it('are the manifest’s defaults where nothing is set', () => {
    const fromManifest = readSettings((key) => properties[`waves.${key}`]?.default);
    expect(fromManifest).toEqual({ settings: defaults, problems: [] });
    expect(readSettings(() => undefined)).toEqual({ settings: defaults, problems: [] });
  });

  it('take every value that the manifest allows', () => {
    for (const [name, { enum: values }] of Object.entries(properties))
      for (const value of values ?? [])
        expect(readSettings((key) => (`waves.${key}` === name ? value : undefined)).problems).toEqual([]);
  });

  it.each([
    ['strategy', 'data-flow', 'one of "first-fit", "sequential", "batches", "dataflow"'],
    ['strategy', null, 'one of "first-fit", "sequential", "batches", "dataflow"'],
    ['maxConcurrency', '4', 'a whole number from 0 on'],
    ['maxConcurrency', 1.5, 'a whole number from 0 on'],
    ['onHardError', ['abort'], 'one of "abort", "answer-all"'],
  ])('say what is wrong with %s = %j, and use the default', (key, value, wanted) => {
    const { settings, problems } = readSettings((asked) => (asked === key ? value : undefined));
    expect(settings).toEqual(defaults);
    expect(problems).toEqual([
      expect.stringContaining(`waves.${key} is ${JSON.stringify(value)}, but must be ${wanted}`),
    ]);
  });
});
