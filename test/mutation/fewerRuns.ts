/**
 * fast-check, as mutation testing uses it: few runs a property, always the same ones, and no search for the smallest
 * counterexample. So a mutant takes a moment, and dies or survives alike every time.
 */
import fc from 'fast-check';

const RUNS = 40;

const few: typeof fc.assert = ((property: never, parameters: fc.Parameters<never> = {}) =>
  fc.assert(property, {
    ...parameters,
    numRuns: Math.min(parameters.numRuns ?? RUNS, RUNS),
    seed: 1,
    endOnFailure: true,
  })) as typeof fc.assert;

// biome-ignore lint/style/noDefaultExport: it is what tests import
export default { ...fc, assert: few };
