import type { ViewState } from '../core/state.ts';

/** The words of the status bar: `$(layers) Wave 1/3 · permits 3/3 · 1 waiting`, how it ended, and what else runs. */
export function statusText(state: ViewState, others = 0): string {
  return others === 0 ? textOf(state) : `${textOf(state)} · ${others} more running`;
}

function textOf(state: ViewState): string {
  const { phase, waves, counts, permits } = state;
  const held = state.holders.filter((call) => call !== undefined).length;
  switch (phase) {
    case 'empty':
    case 'planning':
    case 'planned':
      return '$(layers) Planning';
    case 'running':
      if (state.message?.state === 'arriving')
        return `$(layers) Message arriving · ${state.calls.size} ${state.calls.size === 1 ? 'call' : 'calls'} · ${held} running`;
      return `$(layers) Wave ${(state.wave ?? 0) + 1}/${waves.size} · permits ${held}/${permits} · ${counts.queued} waiting`;
    case 'cancelling':
      return `$(circle-slash) Cancelling · ${counts.running + counts.holding} still running`;
    case 'done':
      return counts.soft > 0
        ? `$(warning) Done with ${counts.soft} soft ${counts.soft === 1 ? 'error' : 'errors'}`
        : `$(check) Done · ${waves.size} ${waves.size === 1 ? 'wave' : 'waves'} · ${seconds(state)}`;
    case 'aborted':
      return '$(error) Aborted';
    case 'cancelled':
      return '$(circle-slash) Cancelled';
  }
}

/** What the item says when pointed at. */
export function statusTooltip(title: string, state: ViewState): string {
  const why = state.stop ? ` ${state.stop.reason}` : '';
  return `Waves, ${title}: ${state.calls.size} calls.${why} Click to show the panel.`;
}

/** The makespan as the panel's header has it: from the run's beginning, planning included. */
function seconds({ endedAt = 0 }: ViewState): string {
  return `${(endedAt / 1000).toFixed(3)} s`;
}
