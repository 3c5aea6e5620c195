/** How much a tool takes in and tells; every one that cuts something is named in the result (DESIGN section 7). */
export interface Limits {
  /** Bytes of a file that is read or edited as a whole. */
  readonly fileBytes: number;
  /** Bytes of a file that grep looks into. */
  readonly grepFileBytes: number;
  readonly readLines: number;
  readonly lineLength: number;
  /** Characters of one result. */
  readonly resultLength: number;
  readonly listEntries: number;
  readonly globFiles: number;
  readonly grepHits: number;
  /** Names that one search looks at. */
  readonly walkedFiles: number;
}

export const defaultLimits: Limits = {
  fileBytes: 20_000_000,
  grepFileBytes: 10_000_000,
  readLines: 2000,
  lineLength: 2000,
  resultLength: 100_000,
  listEntries: 1000,
  globFiles: 1000,
  grepHits: 200,
  walkedFiles: 50_000,
};
