/** `waves simulate FILE`: the scenario run on a virtual clock by the real dispatcher. */
import { reduceAll } from '../core/reduce.ts';
import { simulate } from '../core/simulate.ts';
import type { CallRow } from '../core/state.ts';
import { rowsOf } from '../core/table.ts';
import { type CommandOptions, capFrom, readScenario, strategyFrom } from './input.ts';
import { count } from './plan.ts';

export async function simulateCommand(file: string, options: CommandOptions): Promise<string> {
  const scenario = readScenario(file);
  const strategy = strategyFrom(options, scenario);
  const maxConcurrency = capFrom(options);
  const simulation = await simulate(scenario, {
    strategy,
    ...(maxConcurrency !== undefined && { maxConcurrency }),
  });
  if (options.json) return JSON.stringify(simulation, null, 2);

  const state = reduceAll(simulation.events);
  const lines = [
    `${scenario.title ?? file}: simulated, ${strategy}, ${count(state.permits, 'permit')}`,
    `makespan ${simulation.makespanMs} ms, speed-up ${simulation.speedUp.toFixed(2)}×, ${state.phase}${state.stop ? `: ${state.stop.reason}` : ''}`,
    '',
    `slot  wave  permit  ${state.message ? 'arrived  ' : ''}started    ended  finished  outcome`,
  ];
  for (const call of rowsOf(state.calls)) {
    const cells = [
      `#${call.index + 1}`.padStart(4),
      text(call.decision && call.decision.wave + 1).padStart(4),
      text(call.permit === undefined ? undefined : call.permit + 1).padStart(6),
      ...(state.message ? [text(call.arrival?.closedAt).padStart(7)] : []),
      text(call.startedAt).padStart(7),
      text(call.endedAt).padStart(7),
      text(call.completion).padStart(8),
      `${call.status}  ${call.name}${early(call)}`,
    ];
    lines.push(cells.join('  '));
  }
  for (const { id, certainty, text, advice } of simulation.findings)
    lines.push('', `${id} (${certainty})  ${text}`, `    ${advice}`);
  return lines.join('\n');
}

/** What became of a run that began before the call was closed. */
function early({ speculation }: CallRow): string {
  if (speculation?.state === 'confirmed') return `  began early, won ${speculation.wonMs} ms`;
  if (speculation?.state === 'discarded') return `  began early, wasted ${speculation.wastedMs} ms`;
  return '';
}

function text(value: number | undefined): string {
  return value === undefined ? '–' : String(value);
}
