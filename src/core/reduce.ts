/** The only interpretation of a run: state after events (DESIGN section 8). Pure; shares what did not change. */
import { isKnownType, type WavesEvent, type WavesEventOf } from './events.ts';
import { patchCall, patchWave, reached } from './patch.ts';
import { reduceArrival } from './reduceArrival.ts';
import { type CallRow, initialState, type ViewState, type WaveRow } from './state.ts';
import { EMPTY_TABLE, rowAt, tableOf, withRow } from './table.ts';

/** Something that has a type and a place in a log, perhaps from a newer version. */
export interface AnyEvent {
  readonly type: string;
  readonly seq: number;
  readonly t: number;
}

/**
 * The state after one more event. An event of an unknown type is counted and changes nothing else; so does an event
 * that names a call or wave which does not exist. Duplicates (a sequence number already taken in) are ignored.
 */
export function reduce(state: ViewState, event: WavesEvent | AnyEvent): ViewState {
  if (event.seq < state.seq) return state;
  const next = { ...state, seq: event.seq + 1, t: Math.max(state.t, event.t) };
  return isWavesEvent(event) ? apply(next, event) : { ...next, unknown: state.unknown + 1 };
}

/** The state after all of these events. */
export function reduceAll(
  events: Iterable<WavesEvent | AnyEvent>,
  from: ViewState = initialState,
): ViewState {
  let state = from;
  for (const event of events) state = reduce(state, event);
  return state;
}

function isWavesEvent(event: WavesEvent | AnyEvent): event is WavesEvent {
  return isKnownType(event.type);
}

function apply(state: ViewState, event: WavesEvent): ViewState {
  switch (event.type) {
    case 'batch-received':
      return received(state, event);
    case 'call-opened':
    case 'argument-closed':
    case 'call-closed':
    case 'message-ended':
    case 'speculation-started':
    case 'speculation-confirmed':
    case 'speculation-discarded':
      return reduceArrival(state, event);
    case 'call-declared': {
      const { safe, key, accesses, failure, refused } = event;
      const declared = {
        safe,
        accesses,
        ...(key !== undefined && { key }),
        ...(failure !== undefined && { failure }),
        ...(refused && { refused }),
      };
      return patchCall(state, event.call, { declared });
    }
    case 'decision-made':
      return decided(state, event);
    case 'finding-made': {
      const { type: _type, seq: _seq, t: _t, ...finding } = event;
      return { ...state, findings: [...state.findings, finding] };
    }
    case 'run-started':
      return { ...state, phase: state.stop ? state.phase : 'running', startedAt: event.t };
    case 'wave-started':
      return { ...patchWave(state, event.wave, { status: 'running', startedAt: event.t }), wave: event.wave };
    case 'call-queued':
      return patchCall(state, event.call, { ...reached(state, event.call, 'queued'), queuedAt: event.t });
    case 'permit-taken':
      return patchCall({ ...state, holders: replaced(state.holders, event.permit, event.call) }, event.call, {
        status: 'holding',
        permit: event.permit,
        permitTakenAt: event.t,
      });
    case 'gate-waiting': {
      const { call, resource, behind, t } = event;
      return patchCall(state, call, { gate: { resource, behind, since: t } });
    }
    case 'call-started':
      return patchCall(state, event.call, { status: 'running', startedAt: event.t });
    case 'call-progress':
      return patchCall(state, event.call, { progress: event.message });
    case 'access-observed': {
      const touched = rowAt(state.calls, event.call)?.touched ?? [];
      return patchCall(state, event.call, {
        touched: [...touched, { resource: event.resource, mode: event.mode }],
      });
    }
    case 'call-ended':
      return ended(state, event);
    case 'permit-returned':
      return returned({ ...state, holders: replaced(state.holders, event.permit, undefined) }, event);
    case 'slot-filled':
      return patchCall(state, event.call, { slotFilledAt: event.t });
    case 'wave-ended':
      return patchWave(state, event.wave, { status: 'ended', endedAt: event.t });
    case 'cancel-requested': {
      const { reason, by } = event;
      return {
        ...state,
        phase: 'cancelling',
        stop: { reason, requestedAt: event.t, ...(by !== undefined && { by }) },
      };
    }
    case 'run-ended':
      return { ...state, phase: event.how, endedAt: event.t };
    case 'run-aborted': {
      const { reason, by } = event;
      const stop = state.stop ?? { reason, requestedAt: event.t, ...(by !== undefined && { by }) };
      return { ...state, phase: event.how, endedAt: event.t, stop };
    }
  }
}

function received(state: ViewState, event: WavesEventOf<'batch-received'>): ViewState {
  const calls = event.calls.map(
    (call, index): CallRow => ({
      index,
      id: call.id,
      name: call.name,
      input: call.input,
      status: 'received',
      touched: [],
    }),
  );
  return {
    ...state,
    phase: 'planning',
    strategy: event.strategy,
    onHardError: event.onHardError,
    permits: event.permits,
    calls: tableOf(calls),
    waves: EMPTY_TABLE,
    holders: Array.from({ length: event.permits }, () => undefined),
    counts: { ...initialState.counts, received: calls.length },
    decided: 0,
    completions: EMPTY_TABLE,
    findings: [],
    ...(event.streaming && { message: { state: 'arriving' } }),
  };
}

/** What began early, and was not confirmed, gives its permit back for that run alone: the call itself goes on. */
function returned(state: ViewState, { call, t }: WavesEventOf<'permit-returned'>): ViewState {
  const row = rowAt(state.calls, call);
  const { speculation, arrival } = row ?? {};
  if (speculation?.state === 'running') {
    const status = arrival?.closedAt === undefined ? 'arriving' : 'received';
    return patchCall(state, call, {
      status,
      speculation: { ...speculation, state: 'held', endedAt: t },
      permitReturnedAt: t,
    });
  }
  if (speculation?.state === 'discarded' && row?.permit === undefined)
    return patchCall(state, call, { speculation: { ...speculation, endedAt: t } });
  return patchCall(state, call, { permitReturnedAt: t });
}

function decided(state: ViewState, event: WavesEventOf<'decision-made'>): ViewState {
  const { call, wave, opened, closed, rule, reason, rejected, waitsFor } = event;
  const rejectedTotal = event.rejectedTotal ?? rejected.length;
  const decision = { wave, opened, rule, reason, rejected, rejectedTotal, waitsFor, ordinal: state.decided };
  const placed = patchCall(state, call, { ...reached(state, call, 'planned'), decision });
  const row = rowAt(state.waves, wave);
  const grown: WaveRow = row
    ? { ...row, calls: withRow(row.calls, row.calls.size, call) }
    : { index: wave, closed, calls: tableOf([call]), status: 'planned', ended: 0 };
  const count = state.decided + 1;
  return {
    ...placed,
    waves: withRow(state.waves, wave, grown),
    decided: count,
    phase: count === state.calls.size && state.phase === 'planning' ? 'planned' : state.phase,
  };
}

function ended(state: ViewState, event: WavesEventOf<'call-ended'>): ViewState {
  const { completion, error } = event;
  const neverStarted = event.outcome === 'never-started';
  const patched = patchCall(state, event.call, {
    status: event.outcome,
    ...(!neverStarted && { endedAt: event.t }),
    ...(completion !== undefined && { completion }),
    ...(error !== undefined && { error }),
  });
  const wave = rowAt(patched.calls, event.call)?.decision?.wave;
  const row = wave === undefined ? undefined : rowAt(patched.waves, wave);
  return {
    ...(row && !neverStarted ? patchWave(patched, row.index, { ended: row.ended + 1 }) : patched),
    completions:
      completion === undefined ? state.completions : withRow(state.completions, completion - 1, event.call),
  };
}

function replaced<T>(list: readonly T[], index: number, value: T): readonly T[] {
  if (index < 0 || index >= list.length) return list;
  const copy = list.slice();
  copy[index] = value;
  return copy;
}
