/** `waves plan FILE`: the plan, as a text for people or exactly as `plan()` returns it. */
import { createVirtualClock } from '../core/clock.ts';
import { plan } from '../core/plan/plan.ts';
import { RULES } from '../core/plan/rules.ts';
import { scenarioBatch } from '../core/simulate.ts';
import { type CommandOptions, readScenario, strategyFrom } from './input.ts';

export async function planCommand(file: string, options: CommandOptions): Promise<string> {
  const scenario = readScenario(file);
  const { calls, registry } = scenarioBatch(scenario, createVirtualClock());
  const planned = plan(calls, registry, { strategy: strategyFrom(options, scenario) });
  if (options.json) return JSON.stringify(planned, null, 2);

  const lines = [
    `${scenario.title ?? file}: ${count(calls.length, 'call')}, ${count(planned.waves.length, 'wave')} (${planned.strategy})`,
  ];
  for (const [wave, members] of planned.waves.entries()) {
    lines.push(
      `  wave ${wave + 1}: ${members.map((call) => `#${call + 1} ${calls[call]?.name ?? ''}`).join(', ')}`,
    );
  }
  lines.push('');
  const rules = new Set<keyof typeof RULES>();
  for (const decision of planned.decisions) {
    lines.push(
      `#${decision.call + 1} ${calls[decision.call]?.name ?? ''} → wave ${decision.wave + 1}  ${decision.rule}  ${decision.reason}`,
    );
    rules.add(decision.rule);
    for (const { rule, reason } of decision.rejected) {
      lines.push(`     rejected  ${rule}  ${reason}`);
      rules.add(rule);
    }
  }
  lines.push('', ...[...rules].sort(byNumber).map((rule) => `${rule}: ${RULES[rule]}`));
  return lines.join('\n');
}

/** "1 call", "3 calls". */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

function byNumber(a: string, b: string): number {
  return Number(a.slice(1)) - Number(b.slice(1));
}
