/** The run as a Mermaid sequence diagram: the scheduler hands calls to permits, permits fill slots. */
import { ranUntil } from '../ran.ts';
import type { CallRow, ViewState, WaveRow } from '../state.ts';
import { rowAt, rowsOf } from '../table.ts';
import { type Diagram, foldNotes, MOST_PERMITS, MOST_WAVES, wholeOrFolded } from './fold.ts';
import { callCount, callTitle, moment, number, span } from './words.ts';

/** A line of the diagram and when it happened; at one time waves follow each other. */
interface Step {
  readonly at: number;
  readonly wave: number;
  readonly line: string;
}

const OUTCOMES: Readonly<Record<string, string>> = {
  ok: 'ok',
  soft: 'soft error',
  hard: 'hard error',
  cancelled: 'cancelled',
};

/** The run's diagram, folded where it is too large. */
export function runDiagram(state: ViewState): Diagram {
  const permits = permitsUsed(state);
  if (permits > MOST_PERMITS) return foldedRun(state, permits);
  return wholeOrFolded(
    state,
    () => wholeRun(state, permits),
    () => foldedRun(state, permits),
  );
}

function wholeRun(state: ViewState, permits: number): string {
  const names = Array.from(
    { length: permits },
    (_, permit) => `  participant P${permit + 1} as Permit ${permit + 1}`,
  );
  // Array.sort is stable: the steps of one permit stay in their order, whatever their times.
  const steps = [...waveSteps(state), ...callSteps(state)].sort((a, b) => a.at - b.at || a.wave - b.wave);
  return lines(
    head(state, []),
    ['  participant S as Scheduler', ...names, '  participant R as Slots'],
    [...steps.map((step) => `  ${step.line}`), ...openNotes(state), ...endNotes(state)],
  );
}

function waveSteps(state: ViewState): Step[] {
  return [...rowsOf(state.waves)].flatMap((wave) => {
    if (wave.startedAt === undefined) return [];
    const line = `Note over S,R: Wave ${wave.index + 1} opens at ${moment(wave.startedAt)}`;
    return [{ at: wave.startedAt, wave: wave.index, line }];
  });
}

/** For each permit the runs that held it in turn, then the calls that never held one. */
function callSteps(state: ViewState): Step[] {
  const rows = [...rowsOf(state.calls)];
  const runs = rows.flatMap((row) => [...discardedRun(row), ...countingRun(row)]);
  runs.sort((a, b) => a.permit - b.permit || a.from - b.from || a.call - b.call);
  const steps = runs.flatMap((run) => run.steps);
  for (const row of rows) {
    if (row.permit !== undefined || row.endedAt === undefined) continue;
    const line = `S--xR: slot ${row.index + 1} ${OUTCOMES[row.status] ?? row.status}, no permit`;
    steps.push({ at: row.endedAt, wave: row.decision?.wave ?? 0, line });
  }
  return steps;
}

/** From a permit taken to its return. */
interface PermitRun {
  readonly permit: number;
  readonly from: number;
  readonly call: number;
  readonly steps: readonly Step[];
}

function countingRun(row: CallRow): PermitRun[] {
  const from = row.permitTakenAt ?? row.startedAt;
  if (row.permit === undefined || from === undefined) return [];
  const permit = `P${row.permit + 1}`;
  const wave = row.decision?.wave ?? 0;
  const until = ranUntil(row);
  const steps: Step[] = [
    { at: from, wave, line: `S->>${until === undefined ? '' : '+'}${permit}: ${callTitle(row)}` },
  ];
  if (until !== undefined) steps.push(...endSteps(row, permit, until, until - (row.startedAt ?? from)));
  return [{ permit: row.permit, from, call: row.index, steps }];
}

/** A run that ended before its call was closed gives its permit back first, and fills the slot later. */
function endSteps(row: CallRow, permit: string, until: number, ranMs: number): Step[] {
  const wave = row.decision?.wave ?? 0;
  const outcome = OUTCOMES[row.status] ?? row.status;
  const arrow = row.status === 'ok' ? '-->>' : '--x';
  const slot = `slot ${row.index + 1} ${outcome}`;
  if (until === row.endedAt)
    return [{ at: until, wave, line: `${permit}${arrow}-R: ${slot}, ${span(ranMs)}` }];
  const held = { at: until, wave, line: `${permit}-->>-S: ${number(row.index)} ran early, ${span(ranMs)}` };
  return row.endedAt === undefined ? [held] : [held, { at: row.endedAt, wave, line: `S${arrow}R: ${slot}` }];
}

/** A run that began early and was thrown away. */
function discardedRun({ index, decision, speculation, name }: CallRow): PermitRun[] {
  const { state, permit, startedAt, endedAt, wastedMs } = speculation ?? {};
  if (state !== 'discarded' || permit === undefined || startedAt === undefined) return [];
  const wave = decision?.wave ?? 0;
  const from = startedAt;
  const title = callTitle({ index, name, input: speculation?.input });
  const steps = [
    { at: from, wave, line: `S->>+P${permit + 1}: ${title}` },
    {
      at: endedAt ?? from,
      wave,
      line: `P${permit + 1}--x-S: ${number(index)} discarded, ${span(wastedMs ?? 0)}`,
    },
  ];
  return [{ permit, from, call: index, steps }];
}

/** What still runs; an activation without an end would be refused. */
function openNotes(state: ViewState): string[] {
  return state.holders.flatMap((call, permit) =>
    call === undefined ? [] : [`  Note over P${permit + 1}: ${number(call)} not ended`],
  );
}

const LISTED = 20;

function endNotes(state: ViewState): string[] {
  const never = [...rowsOf(state.calls)].filter((row) => row.status === 'never-started');
  const notes: string[] = [];
  if (never.length > 0) {
    const named = never.slice(0, LISTED).map((row) => number(row.index));
    const more = never.length > LISTED ? ` and ${never.length - LISTED} more` : '';
    notes.push(`  Note over S,R: never started: ${named.join(', ')}${more}`);
  }
  if (state.startedAt === undefined) notes.push('  Note over S,R: not started');
  if (state.endedAt !== undefined) notes.push(`  Note over S,R: ${state.phase} at ${moment(state.endedAt)}`);
  return notes;
}

function foldedRun(state: ViewState, permits: number): Diagram {
  const waves = [...rowsOf(state.waves)].filter((wave) => wave.startedAt !== undefined);
  const shown = waves.slice(0, MOST_WAVES);
  const notes = foldNotes(state, Math.min(state.waves.size, MOST_WAVES));
  const body = shown.flatMap((wave) => [
    `  Note over S,R: Wave ${wave.index + 1} opens at ${moment(wave.startedAt ?? 0)}`,
    `  S->>P: ${callCount(wave.calls.size)}`,
    `  P-->>R: ${outcomes(state, wave)}`,
  ]);
  if (waves.length > shown.length) body.push(`  Note over S,R: +${waves.length - shown.length} more waves`);
  const names = [
    '  participant S as Scheduler',
    `  participant P as Permits 1 to ${permits}`,
    '  participant R as Slots',
  ];
  return { text: lines(head(state, notes), names, [...body, ...endNotes(state)]), notes };
}

function outcomes(state: ViewState, wave: WaveRow): string {
  const counts = new Map<string, number>();
  for (const call of rowsOf(wave.calls)) {
    const status = rowAt(state.calls, call)?.status ?? 'received';
    const word = OUTCOMES[status] ?? 'not ended';
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const took =
    wave.endedAt === undefined || wave.startedAt === undefined ? [] : [span(wave.endedAt - wave.startedAt)];
  return [...[...counts].map(([word, count]) => `${count} ${word}`), ...took].join(', ');
}

function head(state: ViewState, notes: readonly string[]): string[] {
  const ended = state.completions.size;
  const told = [`${ended} of ${callCount(state.calls.size)} ended, in ${state.waves.size} waves.`, ...notes];
  return ['sequenceDiagram', `  accTitle: Waves run, ${state.strategy}`, `  accDescr: ${told.join(' ')}`];
}

/** At least one, so that there is a lifeline before anything ran. */
function permitsUsed(state: ViewState): number {
  let used = 1;
  for (const { permit = 0, speculation } of rowsOf(state.calls))
    used = Math.max(used, permit + 1, (speculation?.permit ?? 0) + 1);
  return used;
}

function lines(...parts: readonly (readonly string[])[]): string {
  return `${parts.flat().join('\n')}\n`;
}
