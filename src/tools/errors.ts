/** What went wrong, in one word; the sentence beside it says what to do next. */
export type ToolErrorCode =
  | 'ambiguous-path'
  | 'bad-input'
  | 'bad-path'
  | 'binary'
  | 'changed'
  | 'denied'
  | 'exists'
  | 'interrupted'
  | 'invalid-pattern'
  | 'io'
  | 'no-match'
  | 'no-workspace'
  | 'not-a-file'
  | 'not-a-folder'
  | 'not-found'
  | 'not-saved'
  | 'not-text'
  | 'outside'
  | 'timed-out'
  | 'too-large'
  | 'too-many-matches'
  | 'unchanged'
  | 'unsaved'
  | 'untrusted';

/** A soft error of a workspace tool: a sentence for the model, never a stack (DESIGN section 1, STYLE habits). */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: ToolErrorCode;

  constructor(code: ToolErrorCode, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.code = code;
  }
}

/** The words of a caught error, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Ends a tool that nobody waits for any more. @throws {ToolError} when the signal is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new ToolError('interrupted', 'Interrupted before it was done.');
}
