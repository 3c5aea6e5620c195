/** Changes of one row of a view state; everything else is shared with the state before. */
import type { CallRow, CallStatus, ViewState, WaveRow } from './state.ts';
import { rowAt, withRow } from './table.ts';

/** The state with this call changed; an index that does not exist is counted as unknown. */
export function patchCall(state: ViewState, index: number, patch: Partial<CallRow>): ViewState {
  const row = rowAt(state.calls, index);
  if (!row) return { ...state, unknown: state.unknown + 1 };
  const to = patch.status ?? row.status;
  return {
    ...state,
    calls: withRow(state.calls, index, { ...row, ...patch }),
    counts: to === row.status ? state.counts : moved(state.counts, row.status, to),
  };
}

/** The same of a wave. */
export function patchWave(state: ViewState, index: number, patch: Partial<WaveRow>): ViewState {
  const row = rowAt(state.waves, index);
  if (!row) return { ...state, unknown: state.unknown + 1 };
  return { ...state, waves: withRow(state.waves, index, { ...row, ...patch }) };
}

function moved(counts: ViewState['counts'], from: CallStatus, to: CallStatus): ViewState['counts'] {
  return { ...counts, [from]: counts[from] - 1, [to]: counts[to] + 1 };
}

const WAY: readonly CallStatus[] = ['arriving', 'received', 'planned', 'queued', 'holding', 'running'];

/** The status as a patch, unless the call is further already: one that began early is placed while it runs. */
export function reached(state: ViewState, call: number, status: CallStatus): { status?: CallStatus } {
  const now = rowAt(state.calls, call)?.status;
  const at = now === undefined ? -1 : WAY.indexOf(now);
  return at === -1 || at >= WAY.indexOf(status) ? {} : { status };
}
