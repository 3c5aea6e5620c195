/** What is known of a run after some of its events: the only thing that views draw (DESIGN section 8). */
import type { Rejection } from './events.ts';
import type { Finding } from './findings/finding.ts';
import type { Access, HardErrorMode, Outcome, StrategyName } from './model.ts';
import type { RuleId } from './plan/rules.ts';
import { EMPTY_TABLE, type Table } from './table.ts';

/** Where a call is between its first token and its end; an ended call's status is its outcome. */
export type CallStatus = 'arriving' | 'received' | 'planned' | 'queued' | 'holding' | 'running' | Outcome;

/** How a call of a stream came in. Milliseconds since the run began. */
export interface Arrival {
  readonly openedAt: number;
  /** Absent until its input is complete. */
  readonly closedAt?: number;
  /** The arguments that are known although the call is not closed, in the order in which they closed. */
  readonly known: readonly string[];
}

/** A run that began before its call was closed. `held`: it has ended, and its result waits for the close. */
export interface Speculation {
  readonly state: 'running' | 'held' | 'confirmed' | 'discarded';
  readonly input: unknown;
  readonly permit?: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly wonMs?: number;
  readonly wastedMs?: number;
  /** Why it was discarded. */
  readonly reason?: string;
}

export interface CallRow {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly status: CallStatus;
  readonly declared?: {
    readonly safe: boolean;
    readonly key?: string;
    readonly accesses: readonly Access[];
    readonly failure?: string;
    readonly refused?: true;
  };
  readonly decision?: {
    readonly wave: number;
    readonly opened: boolean;
    readonly rule: RuleId;
    readonly reason: string;
    readonly rejected: readonly Rejection[];
    readonly rejectedTotal: number;
    readonly waitsFor: readonly number[];
    /** Its place among the decisions, from 0. */
    readonly ordinal: number;
  };
  /** Times in milliseconds since the run began; absent until they happen. */
  readonly queuedAt?: number;
  readonly permit?: number;
  readonly permitTakenAt?: number;
  /** A call of another batch was in the way at the gate: over what, since when. */
  readonly gate?: { readonly resource: string; readonly behind: string; readonly since: number };
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly permitReturnedAt?: number;
  readonly slotFilledAt?: number;
  /** 1 for the call that ended first. */
  readonly completion?: number;
  readonly error?: string;
  readonly progress?: string;
  readonly touched: readonly Access[];
  /** Only of a call that came while the message was streamed. */
  readonly arrival?: Arrival;
  readonly speculation?: Speculation;
}

/** The model's message, where its calls come one by one. */
export interface Message {
  readonly state: 'arriving' | 'ended';
  readonly endedAt?: number;
  readonly stopReason?: string;
  readonly cutOff?: true;
}

export interface WaveRow {
  readonly index: number;
  /** Unsafe, alone: takes nobody else. */
  readonly closed: boolean;
  readonly calls: Table<number>;
  readonly status: 'planned' | 'running' | 'ended';
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly ended: number;
}

/** `planned` is sealed and not started; the five last are final. */
export type Phase =
  | 'empty'
  | 'planning'
  | 'planned'
  | 'running'
  | 'cancelling'
  | 'done'
  | 'aborted'
  | 'cancelled';

export interface ViewState {
  /** Events taken in: the next one has this sequence number. */
  readonly seq: number;
  /** Time of the last event, milliseconds since the run began. */
  readonly t: number;
  readonly phase: Phase;
  readonly strategy: StrategyName;
  readonly onHardError: HardErrorMode;
  readonly permits: number;
  readonly calls: Table<CallRow>;
  readonly waves: Table<WaveRow>;
  /** The wave that runs or ran last; undefined before the first. */
  readonly wave?: number;
  /** Permits held, by permit number: the call's index, or undefined where it is free. */
  readonly holders: readonly (number | undefined)[];
  readonly counts: Readonly<Record<CallStatus, number>>;
  readonly decided: number;
  /** Calls in the order in which they ended. */
  readonly completions: Table<number>;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Only of a stream. */
  readonly message?: Message;
  /** Why the batch was cancelled or aborted, and the call that caused it. */
  readonly stop?: { readonly reason: string; readonly by?: number; readonly requestedAt: number };
  /** What there is to say about the plan and the run, in the order in which it was found. */
  readonly findings: readonly Finding[];
  /** Events of types that this version does not know. */
  readonly unknown: number;
}

/** Before anything happened. */
export const initialState: ViewState = {
  seq: 0,
  t: 0,
  phase: 'empty',
  strategy: 'sequential',
  onHardError: 'abort',
  permits: 0,
  calls: EMPTY_TABLE,
  waves: EMPTY_TABLE,
  holders: [],
  counts: {
    arriving: 0,
    received: 0,
    planned: 0,
    queued: 0,
    holding: 0,
    running: 0,
    ok: 0,
    soft: 0,
    hard: 0,
    cancelled: 0,
    'never-started': 0,
  },
  decided: 0,
  completions: EMPTY_TABLE,
  findings: [],
  unknown: 0,
};
