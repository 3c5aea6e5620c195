/** The nouns of DESIGN section 1: tool calls, results, accesses, declarations. */

/** One request of the model. `input` should be an object; anything else becomes a soft error. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Why the input could not be read (say, arguments that are not JSON); such a call never runs. */
  readonly inputError?: string;
}

/** Text, or content blocks of the caller's provider, handed through as they are. */
export type ToolContent = string | readonly unknown[];

/** The one answer to a call, standing in the slot of the call's index. */
export interface ToolResult {
  readonly toolCallId: string;
  readonly name: string;
  readonly content: ToolContent;
  readonly isError: boolean;
  /** Milliseconds from the call's start to its end; 0 if it never started. */
  readonly durationMs: number;
}

export type AccessMode = 'read' | 'write';

/** What a call declares to touch, or was seen to touch. */
export interface Access {
  readonly resource: string;
  readonly mode: AccessMode;
}

/** The resource that every other lies under: what an unsafe call may write. */
export const EVERYTHING = '*';

/** What a tool says about one call (DESIGN section 2), after every failure has become "unsafe". */
export interface Declaration {
  readonly safe: boolean;
  readonly key?: string;
  readonly accesses: readonly Access[];
  /** Why the call counts as unsafe although its tool did not simply say so. */
  readonly failure?: string;
}

export type StrategyName = 'sequential' | 'batches' | 'first-fit' | 'dataflow';

export type HardErrorMode = 'abort' | 'answer-all';

/** How one call ended. */
export type Outcome = 'ok' | 'soft' | 'hard' | 'cancelled' | 'never-started';
