/**
 * The plan as a Mermaid flowchart: one subgraph a wave. This form keeps waves and calls in order (measured with
 * mermaid 12.3): edges only from wave to wave, calls chained by invisible links, reasons in the labels.
 */
import type { FindingId } from '../findings/finding.ts';
import { type ResourceNames, resourceNames } from '../resourceNames.ts';
import type { CallRow, ViewState, WaveRow } from '../state.ts';
import { rowAt, rowsOf } from '../table.ts';
import { literal } from './escape.ts';
import { type Diagram, foldNotes, MOST_WAVES, wholeOrFolded } from './fold.ts';
import { callCount, callTitle, keyWords, number, waveTitle } from './words.ts';

/** The plan's diagram, folded where it is too large. */
export function planDiagram(state: ViewState): Diagram {
  if (state.waves.size === 0)
    return { text: lines(head(state), ['  none["No calls are planned."]']), notes: [] };
  return wholeOrFolded(
    state,
    () => wholePlan(state),
    () => foldedPlan(state),
  );
}

/** What labels need beside the call itself. */
interface Known {
  readonly names: ResourceNames;
  readonly warnings: ReadonlyMap<number, readonly string[]>;
}

/** For each call the warnings that its label carries, at most two: they belong to the later call of a pair. */
function warningsOf(state: ViewState): ReadonlyMap<number, readonly string[]> {
  const warnings = new Map<number, string[]>();
  for (const { id, calls } of state.findings) {
    const [first = 0, ...later] = calls;
    for (const call of later) {
      const own = warnings.get(call) ?? [];
      if (own.length < 2) warnings.set(call, [...own, `WARNING ${WARNINGS[id]} ${number(first)}`]);
    }
  }
  return warnings;
}

const WARNINGS: Readonly<Record<FindingId, string>> = {
  W1: 'may be stale: asked for after',
  W4: 'may lose an update of',
  W5: 'crosses the unsafe',
  W8: 'failed declaration of',
};

function wholePlan(state: ViewState): string {
  const known: Known = { names: resourceNames(state), warnings: warningsOf(state) };
  const body = [...rowsOf(state.waves)].flatMap((wave) => subgraph(state, wave, known));
  const waves = [...rowsOf(state.waves)].map((wave) => waveId(wave.index));
  return lines(head(state), body, waves.length > 1 ? [`  ${waves.join(' --> ')}`] : []);
}

function subgraph(state: ViewState, wave: WaveRow, known: Known): string[] {
  const calls = [...rowsOf(wave.calls)];
  const ids = calls.map(callId);
  return [
    `  subgraph ${waveId(wave.index)}["${waveTitle(wave)}"]`,
    '    direction TB',
    ...calls.map((call) => `    ${node(rowAt(state.calls, call), call, known)}`),
    ...(ids.length > 1 ? [`    ${ids.join(' ~~~ ')}`] : []),
    '  end',
  ];
}

/** Round for safe calls, a box with double sides for unsafe ones. */
function node(row: CallRow | undefined, call: number, known: Known): string {
  const text = row ? nodeText(row, known) : number(call);
  return row?.declared?.safe ? `${callId(call)}("${text}")` : `${callId(call)}[["${text}"]]`;
}

function nodeText(row: CallRow, { names, warnings }: Known): string {
  const { declared } = row;
  const title =
    callTitle(row) + (declared?.key === undefined ? '' : ` · ${keyWords(names.label(declared.key))}`);
  const failure =
    declared?.failure === undefined ? [] : [`counted as unsafe: ${literal(declared.failure, 80)}`];
  return [title, ...reasons(row, names), ...failure, ...(warnings.get(row.index) ?? [])].join('<br/>');
}

/** The first few calls that are waited for. */
function waits(calls: readonly number[]): string {
  const named = calls.slice(0, 6).map(number).join(', ');
  return calls.length > 6 ? `${named} and ${calls.length - 6} more` : named;
}

/** Why the call is where it is, in a few words. */
function reasons(row: CallRow, names: ResourceNames): string[] {
  const { decision, declared } = row;
  if (!decision) return [];
  const wave = decision.wave + 1;
  const first = decision.rejected[0];
  const rejected: string[] = [];
  if (first) {
    const why =
      first.rule === 'R2' && declared?.key !== undefined
        ? `holds ${keyWords(names.label(declared.key))}`
        : 'closed';
    const more = decision.rejectedTotal > 1 ? `, and ${decision.rejectedTotal - 1} more` : '';
    rejected.push(`wave ${first.wave + 1} rejected: ${why}${more}`);
  }
  switch (decision.rule) {
    case 'R1':
      return [...rejected, `${decision.opened ? 'opened' : 'joined'} wave ${wave}: keyless`];
    case 'R2':
      return [...rejected, `joined wave ${wave}: key free`];
    case 'R4':
    case 'R13':
      return ['unsafe: runs alone'];
    case 'R12':
      return [`continues wave ${wave}: safe`];
    case 'R14':
      return [decision.waitsFor.length === 0 ? 'waits for nobody' : `waits for ${waits(decision.waitsFor)}`];
    case 'R15':
      return ['one call a wave'];
    default:
      return [...rejected, `opened wave ${wave}`];
  }
}

function foldedPlan(state: ViewState): Diagram {
  const waves = [...rowsOf(state.waves)].slice(0, MOST_WAVES);
  const more = state.waves.size - waves.length;
  const nodes = waves.map((wave) => {
    const text = `${waveTitle(wave)}${wave.closed ? `<br/>${titleOf(state, wave)}` : `<br/>${namesOf(state, wave)}`}`;
    return wave.closed ? `  ${waveId(wave.index)}[["${text}"]]` : `  ${waveId(wave.index)}("${text}")`;
  });
  const ids = waves.map((wave) => waveId(wave.index));
  if (more > 0) {
    nodes.push(`  more["+${more} more waves"]`);
    ids.push('more');
  }
  const notes = foldNotes(state, waves.length);
  const edges = ids.length > 1 ? [`  ${ids.join(' --> ')}`] : [];
  return { text: lines(head(state, notes), nodes, edges), notes };
}

function titleOf(state: ViewState, wave: WaveRow): string {
  const row = rowAt(state.calls, rowAt(wave.calls, 0) ?? -1);
  return row ? callTitle(row) : '';
}

/** The tools of a wave with how often each occurs, the most frequent first. */
function namesOf(state: ViewState, wave: WaveRow): string {
  const counts = new Map<string, number>();
  for (const call of rowsOf(wave.calls)) {
    const name = rowAt(state.calls, call)?.name ?? '';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const listed = [...counts].sort((a, b) => b[1] - a[1]);
  const shown = listed.slice(0, 4).map(([name, count]) => `${count} ${literal(name, 24) || '(no name)'}`);
  return shown.join('<br/>') + (listed.length > 4 ? `<br/>and ${listed.length - 4} more tools` : '');
}

function head(state: ViewState, notes: readonly string[] = []): string[] {
  return [
    'flowchart LR',
    `  accTitle: Waves plan, ${state.strategy}`,
    `  accDescr: ${[describe(state), ...notes].join(' ')}`,
  ];
}

const DESCRIBED = 20;

/** `9 calls in 3 waves. Wave 1: calls 1, 2, 3. …` */
function describe(state: ViewState): string {
  const waves = [...rowsOf(state.waves)];
  const said = waves.slice(0, DESCRIBED).map((wave) => {
    const calls = [...rowsOf(wave.calls)];
    const numbers = calls.slice(0, DESCRIBED).map((call) => call + 1);
    if (wave.closed) return `Wave ${wave.index + 1}: call ${numbers.join(', ')} alone, unsafe.`;
    const more = calls.length > DESCRIBED ? ` and ${calls.length - DESCRIBED} more` : '';
    return `Wave ${wave.index + 1}: ${calls.length === 1 ? 'call' : 'calls'} ${numbers.join(', ')}${more}.`;
  });
  const rest = waves.length > DESCRIBED ? [`${waves.length - DESCRIBED} more waves.`] : [];
  const total = `${callCount(state.calls.size)} in ${waves.length} ${waves.length === 1 ? 'wave' : 'waves'}.`;
  return [total, ...said, ...rest].join(' ');
}

function waveId(wave: number): string {
  return `W${wave + 1}`;
}

function callId(call: number): string {
  return `c${call + 1}`;
}

function lines(...parts: readonly (readonly string[])[]): string {
  return `${parts.flat().join('\n')}\n`;
}
