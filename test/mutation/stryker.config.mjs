// `npm run mutate`: changes src/core/plan and src/core/dispatch in thousands of small ways; a test must notice each.

const OUT = '.vscode-test/mutation'; // which git ignores

export default {
  mutate: ['src/core/plan/**/*.ts', 'src/core/dispatch/**/*.ts'],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/vitest.config.mts', related: false },
  coverageAnalysis: 'perTest',
  // What only runs when a module is loaded would need a fresh process and all tests a mutant: see the README.
  ignoreStatic: true,
  // Vitest strips types and checks none. A tsconfig that is found would be rewritten, which TypeScript 7 cannot do.
  disableTypeChecks: false,
  tsconfigFile: 'none',
  concurrency: 2,
  // A loop without end shows only by its time; a busy machine must not look like one.
  timeoutMS: 5_000,
  timeoutFactor: 1,
  incremental: true,
  incrementalFile: `${OUT}/incremental.json`,
  tempDirName: '.vscode-test/mutation-sandbox',
  ignorePatterns: ['/dist', '/.vscode-test', '/media', '/webview', '/test/{ui,host,package,bench}'],
  reporters: ['progress', 'clear-text', 'html', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, allowEmojis: false },
  htmlReporter: { fileName: `${OUT}/report.html` },
  jsonReporter: { fileName: `${OUT}/report.json` },
  thresholds: { high: 95, low: 92, break: 90 },
  allowEmpty: false,
};
