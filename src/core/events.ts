/**
 * Every event of a run (DESIGN section 8). Planner and dispatcher emit them; everything else reads them.
 * An event is plain JSON: a type, a sequence number, milliseconds since the run began, and ids.
 */

import type { Finding } from './findings/finding.ts';
import type { Access, HardErrorMode, Outcome, StrategyName } from './model.ts';
import type { RuleId } from './plan/rules.ts';

/** The recording format's version; raise it when a reader of the old one would be misled. */
export const RECORDING_VERSION = 1;

/** A candidate wave that did not take the call. */
export interface Rejection {
  readonly wave: number;
  readonly rule: RuleId;
  readonly reason: string;
}

export interface RecordedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** What each type carries beside `type`, `seq` and `t`. Calls and waves are 0-based. */
export interface EventBodies {
  'batch-received': {
    readonly strategy: StrategyName;
    /** Permits: the cap after clamping. Of a stream the cap itself, as nobody knows yet how many calls come. */
    readonly permits: number;
    readonly onHardError: HardErrorMode;
    /** None of a stream: they are opened one by one. */
    readonly calls: readonly RecordedCall[];
    /** The calls come while the model still writes its message (DESIGN section 5). */
    readonly streaming?: true;
  };
  /** The model has begun a call; its input follows. */
  'call-opened': { readonly call: number; readonly id: string; readonly name: string };
  /** An argument that an early start needs is known: its closing token has arrived. */
  'argument-closed': { readonly call: number; readonly name: string };
  /** The call is complete. Its input is the strict parse of the whole text. */
  'call-closed': { readonly call: number; readonly input: unknown };
  /** No more calls come. */
  'message-ended': {
    /** In the provider's words. */
    readonly stopReason?: string;
    /** By the token limit, say: what was not complete does not run. */
    readonly cutOff?: true;
  };
  /** A call starts before it is closed, with the arguments known by then. */
  'speculation-started': { readonly call: number; readonly input: unknown };
  /** At its close its input is the one that it started with: the run stands, and so many milliseconds were won. */
  'speculation-confirmed': { readonly call: number; readonly wonMs: number };
  /** The run does not count; so many milliseconds of it were wasted. The call runs again where it can. */
  'speculation-discarded': { readonly call: number; readonly wastedMs: number; readonly reason: string };
  'call-declared': {
    readonly call: number;
    readonly safe: boolean;
    readonly key?: string;
    readonly accesses: readonly Access[];
    readonly failure?: string;
    /** The call cannot run at all: its tool is unknown, or its input is refused. */
    readonly refused?: true;
  };
  'decision-made': {
    readonly call: number;
    readonly wave: number;
    /** The wave was made for this call. */
    readonly opened: boolean;
    /** The wave takes nobody else. */
    readonly closed: boolean;
    readonly rule: RuleId;
    readonly reason: string;
    /** At most 100 of the rejected waves, the earliest first. */
    readonly rejected: readonly Rejection[];
    /** How many were rejected in all, where that is more than are listed. */
    readonly rejectedTotal?: number;
    readonly waitsFor: readonly number[];
  };
  'finding-made': Finding;
  'run-started': { readonly waves: number };
  'wave-started': { readonly wave: number };
  'call-queued': { readonly call: number; readonly wave: number };
  'permit-taken': { readonly call: number; readonly permit: number };
  /** A call of another batch holds what this one needs, or came before it (DESIGN section 4, the gate). */
  'gate-waiting': {
    readonly call: number;
    readonly resource: string;
    /** The call in the way, as a sentence names it. */
    readonly behind: string;
  };
  'call-started': { readonly call: number };
  'call-progress': { readonly call: number; readonly message: string };
  'access-observed': { readonly call: number; readonly resource: string; readonly mode: Access['mode'] };
  'call-ended': {
    readonly call: number;
    readonly outcome: Outcome;
    /** 1 for the first call that ended; absent for calls that never started. */
    readonly completion?: number;
    readonly error?: string;
  };
  'permit-returned': { readonly call: number; readonly permit: number };
  'slot-filled': { readonly call: number; readonly isError: boolean };
  'wave-ended': { readonly wave: number };
  'cancel-requested': { readonly reason: string; readonly by?: number };
  'run-ended': { readonly how: 'done' | 'cancelled'; readonly softErrors: number };
  'run-aborted': { readonly how: 'aborted' | 'cancelled'; readonly reason: string; readonly by?: number };
}

export type EventType = keyof EventBodies;

export type WavesEventOf<T extends EventType> = {
  readonly type: T;
  /** Position in the recording, from 0 without gaps. */
  readonly seq: number;
  /** Milliseconds since the run began, monotonic. */
  readonly t: number;
} & EventBodies[T];

/** Any event, as a union told apart by `type`. */
export type WavesEvent = { [T in EventType]: WavesEventOf<T> }[EventType];

const TYPES: Record<EventType, true> = {
  'batch-received': true,
  'call-opened': true,
  'argument-closed': true,
  'call-closed': true,
  'message-ended': true,
  'speculation-started': true,
  'speculation-confirmed': true,
  'speculation-discarded': true,
  'call-declared': true,
  'decision-made': true,
  'finding-made': true,
  'run-started': true,
  'wave-started': true,
  'call-queued': true,
  'permit-taken': true,
  'gate-waiting': true,
  'call-started': true,
  'call-progress': true,
  'access-observed': true,
  'call-ended': true,
  'permit-returned': true,
  'slot-filled': true,
  'wave-ended': true,
  'cancel-requested': true,
  'run-ended': true,
  'run-aborted': true,
};

/** Whether this version of Waves knows an event type; others are kept and counted. */
export function isKnownType(type: string): type is EventType {
  return Object.hasOwn(TYPES, type);
}
