/** What is known of calls that come while the model still writes its message (DESIGN section 5). Pure. */
import type { WavesEventOf } from './events.ts';
import { patchCall } from './patch.ts';
import type { CallRow, ViewState } from './state.ts';
import { rowAt, withRow } from './table.ts';

type ArrivalEvent =
  | WavesEventOf<'call-opened'>
  | WavesEventOf<'argument-closed'>
  | WavesEventOf<'call-closed'>
  | WavesEventOf<'message-ended'>
  | WavesEventOf<'speculation-started'>
  | WavesEventOf<'speculation-confirmed'>
  | WavesEventOf<'speculation-discarded'>;

/** The state after one more event of a call's arrival, or of its early run. */
export function reduceArrival(state: ViewState, event: ArrivalEvent): ViewState {
  if (event.type === 'call-opened') return opened(state, event);
  if (event.type === 'message-ended') return messageEnded(state, event);
  const row = rowAt(state.calls, event.call);
  if (!row) return { ...state, unknown: state.unknown + 1 };
  const { speculation, arrival = { openedAt: event.t, known: [] } } = row;
  switch (event.type) {
    case 'argument-closed':
      return patchCall(state, event.call, {
        arrival: { ...arrival, known: [...arrival.known, event.name] },
      });
    case 'call-closed':
      return patchCall(state, event.call, {
        input: event.input,
        arrival: { ...arrival, closedAt: event.t },
        ...(row.status === 'arriving' && { status: 'received' }),
      });
    case 'speculation-started':
      return patchCall(state, event.call, { speculation: { state: 'running', input: event.input } });
    case 'speculation-confirmed': {
      if (!speculation) return state;
      const { wonMs } = event;
      return patchCall(state, event.call, { speculation: { ...speculation, state: 'confirmed', wonMs } });
    }
    case 'speculation-discarded':
      return speculation ? discarded(state, row, event) : state;
  }
}

function opened(state: ViewState, { call, id, name, t }: WavesEventOf<'call-opened'>): ViewState {
  if (call !== state.calls.size) return { ...state, unknown: state.unknown + 1 };
  const row: CallRow = {
    index: call,
    id,
    name,
    input: undefined,
    status: 'arriving',
    touched: [],
    arrival: { openedAt: t, known: [] },
  };
  const counts = { ...state.counts, arriving: state.counts.arriving + 1 };
  return { ...state, calls: withRow(state.calls, call, row), counts };
}

/** From here on there is no more than one permit a call, as in a batch that came whole. */
function messageEnded(state: ViewState, event: WavesEventOf<'message-ended'>): ViewState {
  const { stopReason, cutOff, t } = event;
  const permits = Math.max(1, Math.min(state.permits, state.calls.size));
  return {
    ...state,
    message: {
      state: 'ended',
      endedAt: t,
      ...(stopReason !== undefined && { stopReason }),
      ...(cutOff && { cutOff }),
    },
    permits,
    holders: state.holders.slice(0, permits),
  };
}

/** The early run is over and done with: of the call itself only its arrival is left. */
function discarded(
  state: ViewState,
  row: CallRow,
  { call, wastedMs, reason, t }: WavesEventOf<'speculation-discarded'>,
): ViewState {
  const { permit, startedAt, endedAt } = { endedAt: t, ...row.speculation, ...early(row) };
  const speculation = {
    state: 'discarded' as const,
    input: row.speculation?.input,
    ...(permit !== undefined && { permit }),
    ...(startedAt !== undefined && { startedAt }),
    endedAt,
    wastedMs,
    reason,
  };
  const { index, id, name, input, arrival, declared, decision } = row;
  const status = arrival?.closedAt === undefined ? 'arriving' : 'received';
  const before = patchCall(state, call, { status });
  const fresh: CallRow = {
    index,
    id,
    name,
    input,
    status,
    touched: [],
    speculation,
    ...(arrival && { arrival }),
    ...(declared && { declared }),
    ...(decision && { decision }),
  };
  return { ...before, calls: withRow(before.calls, call, fresh) };
}

/** Which permit the early run took, and when it began. */
function early({ permit, startedAt }: CallRow): { permit?: number; startedAt?: number } {
  return { ...(permit !== undefined && { permit }), ...(startedAt !== undefined && { startedAt }) };
}
