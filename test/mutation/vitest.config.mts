import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const FEWER_RUNS = here('fewerRuns.ts');

/** Most mutants die of the first example that meets them: properties come last, and the longest of those. */
class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) =>
      Number(/\.property\.|resourceTree|cases\./.test(moduleId));
    return [...files].sort((a, b) => place(a) - place(b) || a.moduleId.localeCompare(b.moduleId));
  }
}

/** The tests of planning and dispatching that are quick enough to run again and again. */
export default defineConfig({
  root: here('../..'),
  plugins: [
    {
      name: 'fewer runs of property tests',
      enforce: 'pre',
      resolveId: (source, importer) =>
        source === 'fast-check' && importer !== FEWER_RUNS ? FEWER_RUNS : undefined,
    },
  ],
  test: {
    include: ['test/unit/core/**/*.test.ts'],
    testTimeout: 2_000, // for mutants under which a batch never ends
    // The tests keep nothing between files, and one environment for all is three times as quick.
    isolate: false,
    sequence: { sequencer: QuickestFirst },
    exclude: [
      // Nothing of planning or dispatching is in there.
      '**/{abort,cli,clock,declare,equal,pairing,recording,listeners}.test.ts',
      // The input of a call and the providers' forms of it.
      '**/stream/**',
      // Thousands of calls: they show how time and memory grow, and a mutant that gets there has met smaller ones.
      '**/{findings,long,streaming.long}.test.ts',
      // Minutes of proofs, or proofs that count what their many runs hit: `npm test` runs them.
      '**/exhaustive*.test.ts',
      '**/{equivalence,gate,nested}.property.test.ts',
      // Real files: slow, and other tests show the same of the dispatcher.
      '**/cases.files.test.ts',
    ],
  },
});
