/** Errors that end or refuse a batch. Each has a code and a sentence. */

/** Thrown by a tool to end the whole batch (DESIGN section 1, "hard error"). */
export class HardError extends Error {
  readonly code = 'HARD_ERROR';
  override readonly name = 'HardError';
}

/** What `dispatch` rejects with in `abort` mode: no result of the batch is handed out. */
export class BatchAborted extends Error {
  readonly code = 'BATCH_ABORTED';
  override readonly name = 'BatchAborted';
  /** `cancelled` by the caller, or `aborted` by a hard error. */
  readonly how: 'aborted' | 'cancelled';
  /** Index of the call that caused it, if one did. */
  readonly by: number | undefined;

  constructor(message: string, how: 'aborted' | 'cancelled', by?: number, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.how = how;
    this.by = by;
  }
}

/** What `dispatch` rejects with before anything ran: the batch itself is not usable. */
export class BatchRefused extends Error {
  readonly code = 'BATCH_REFUSED';
  override readonly name = 'BatchRefused';
}

/** The sentence of whatever was thrown. Never throws. */
export function messageOf(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return String(thrown.message || thrown.name);
    return typeof thrown === 'string' && thrown !== ''
      ? thrown
      : `Something was thrown that is no Error: ${String(thrown)}`;
  } catch {
    return 'Something was thrown that has no text.';
  }
}
