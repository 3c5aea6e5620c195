/** The ship's log. The sample batch adds one entry each time it runs. */
export const log: readonly string[] = [
  'Left the harbour.',
  'The sea is calm.',
  // new entries go above this line
];
