/** Everything there is to say about one call: what "Why" shows. From the events alone; nothing is decided here. */
import { RULES } from '../../src/core/plan/rules.ts';
import { ranUntil } from '../../src/core/ran.ts';
import type { ResourceNames } from '../../src/core/resourceNames.ts';
import type { CallRow, ViewState } from '../../src/core/state.ts';
import { rowAt } from '../../src/core/table.ts';
import { duration, grouped, moment, ordinal } from '../format.ts';
import { LOOKS, type LookName, lookOf } from '../glyphs.ts';
import { arrivalText, earlyText } from './arrivals.ts';
import { callNumber, callTarget } from './calls.ts';
import { type FindingLine, findingsOfCall } from './findings.ts';
import { totalOf } from './headline.ts';
import { namesOf } from './resources.ts';
import { waitReasons } from './waits.ts';

export interface Candidate {
  readonly wave: string;
  readonly verdict: 'rejected' | 'joined' | 'opened';
  readonly rule: string;
  readonly reason: string;
}

export interface Why {
  readonly call: number;
  readonly number: string;
  readonly name: string;
  readonly target: string;
  readonly look: LookName;
  readonly word: string;
  readonly safe: boolean | undefined;
  readonly key: string | undefined;
  readonly failure: string | undefined;
  readonly declared: readonly string[];
  readonly touched: readonly string[];
  readonly findings: readonly FindingLine[];
  /** "decision 5 of 9"; undefined while it is not decided. */
  readonly ordinal: string | undefined;
  readonly candidates: readonly Candidate[];
  /** Rejected waves that the recording does not list. */
  readonly unlisted: number;
  readonly reason: string;
  /** The rules named by the candidates, each once, with its sentence. */
  readonly rules: readonly { readonly id: string; readonly sentence: string }[];
  readonly timing: readonly (readonly [name: string, value: string])[];
  readonly order: string;
  readonly error: string | undefined;
  readonly input: string;
  /** Files that the call names, to open. */
  readonly files: readonly string[];
}

const LONGEST_INPUT = 20_000;

/** What is known of a call in this state; undefined for a call that does not exist. */
export function whyOf(
  state: ViewState,
  index: number | undefined,
  now: number,
  latest: ViewState,
): Why | undefined {
  const row = index === undefined ? undefined : rowAt(state.calls, index);
  if (!row) return undefined;
  const look = lookOf(row, state);
  const names = namesOf(state);
  const candidates = candidatesOf(row, names);
  return {
    call: row.index,
    number: callNumber(row.index),
    name: row.name,
    target: callTarget(row),
    look,
    word: LOOKS[look].word,
    safe: row.declared?.safe,
    key: row.declared?.key === undefined ? undefined : names.label(row.declared.key),
    failure: row.declared?.failure,
    declared: (row.declared?.accesses ?? []).map((access) => accessLabel(access, names)),
    touched: row.touched.map((access) => accessLabel(access, names)),
    findings: findingsOfCall(state, row.index),
    ordinal: row.decision && `decision ${row.decision.ordinal + 1} of ${state.calls.size}`,
    candidates,
    unlisted: row.decision ? row.decision.rejectedTotal - row.decision.rejected.length : 0,
    reason: names.sentence(row.decision?.reason ?? ''),
    rules: rulesOf(candidates),
    timing: timingOf(state, row, now, totalOf(latest, now), names),
    order: orderOf(row),
    error: row.error,
    input: inputText(row.input),
    files: filesOf(row),
  };
}

/** The same as text, to copy. */
export function whyText(why: Why): string {
  const lines = [
    `${why.number} ${why.name} ${why.target}`.trim(),
    `State: ${why.word}`,
    `Declared: ${declarationText(why)}`,
    ...why.declared.map((access) => `  ${access}`),
    ...(why.ordinal === undefined ? [] : [`Plan: ${why.ordinal}`]),
    ...why.candidates.map((one) => `  ${one.wave}: ${one.verdict}, ${one.rule}, ${one.reason}`),
    ...(why.unlisted > 0 ? [`  ${grouped(why.unlisted)} more rejected waves are not listed`] : []),
    ...why.rules.map((rule) => `  ${rule.id}: ${rule.sentence}`),
    ...why.timing.map(([name, value]) => `${name}: ${value}`),
    ...(why.order === '' ? [] : [why.order]),
    ...(why.error === undefined ? [] : [`Error: ${why.error}`]),
    ...why.findings.map((one) => `${one.id} (${one.certainty}): ${one.text} ${one.advice}`),
    ...why.touched.map((access) => `Touched: ${access}`),
    `Input: ${why.input}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** "safe, key a", "unsafe", "not declared yet". */
export function declarationText(why: Pick<Why, 'safe' | 'key'>): string {
  if (why.safe === undefined) return 'not declared yet';
  if (!why.safe) return 'unsafe';
  return why.key === undefined ? 'safe, no key' : `safe, key ${why.key}`;
}

function candidatesOf(row: CallRow, names: ResourceNames): readonly Candidate[] {
  const { decision } = row;
  if (!decision) return [];
  const rejected = decision.rejected.map(
    (one): Candidate => ({
      wave: `wave ${one.wave + 1}`,
      verdict: 'rejected',
      rule: one.rule,
      reason: names.sentence(one.reason),
    }),
  );
  const wave = decision.opened ? `new wave ${decision.wave + 1}` : `wave ${decision.wave + 1}`;
  const verdict = decision.opened ? 'opened' : 'joined';
  return [...rejected, { wave, verdict, rule: decision.rule, reason: names.sentence(decision.reason) }];
}

function rulesOf(candidates: readonly Candidate[]): Why['rules'] {
  const sentences: Readonly<Record<string, string>> = RULES;
  const ids = [...new Set(candidates.map((one) => one.rule))];
  return ids.map((id) => ({ id, sentence: sentences[id] ?? 'A rule of a newer version.' }));
}

function timingOf(
  state: ViewState,
  row: CallRow,
  now: number,
  total: number,
  names: ResourceNames,
): Why['timing'] {
  const list: [string, string][] = [];
  const arrived = arrivalText(row, total);
  if (arrived !== undefined) list.push(['Arrived', arrived]);
  const early = earlyText(row, total);
  if (early !== undefined) list.push(['Early run', early]);
  if (row.queuedAt !== undefined) list.push(['Queued', `at ${moment(row.queuedAt, total)}`]);
  const reasons = waitReasons(state, row, now);
  if (reasons.length > 0) list.push(['Waited', names.sentence(reasons.join('; '))]);
  else if (row.startedAt !== undefined) list.push(['Waited', 'for nothing']);
  if (row.permit !== undefined) list.push(['Permit', `${row.permit + 1} of ${state.permits}`]);
  if (row.startedAt !== undefined) {
    list.push(['Started', `at ${moment(row.startedAt, total)}`]);
    const ended = ranUntil(row);
    if (ended !== undefined) {
      const until = `until ${moment(ended, total)}`;
      list.push(['Ran', `${duration(ended - row.startedAt)}, ${until}`]);
    } else list.push(['Running', `for ${duration(Math.max(0, now - row.startedAt))}`]);
  }
  if (row.progress !== undefined) list.push(['Progress', row.progress]);
  return list;
}

function orderOf(row: CallRow): string {
  const number = callNumber(row.index);
  if (row.status === 'never-started') return `${number} never started; slot ${row.index + 1} says so.`;
  if (row.completion === undefined) return '';
  const slot = row.slotFilledAt === undefined ? 'goes to slot' : 'returned in slot';
  return `${number} finished ${ordinal(row.completion)}, ${slot} ${row.index + 1}.`;
}

function accessLabel(
  access: { readonly resource: string; readonly mode: string },
  names: ResourceNames,
): string {
  return `${access.mode} ${names.label(access.resource)}`;
}

function filesOf(row: CallRow): readonly string[] {
  const named = [...(row.declared?.accesses ?? []), ...row.touched].map((access) => access.resource);
  return [...new Set(named.filter((resource) => resource.startsWith('file:')))].slice(0, 3);
}

function inputText(input: unknown): string {
  const text = typeof input === 'string' ? input : (JSON.stringify(input, undefined, 2) ?? '');
  return text.length > LONGEST_INPUT
    ? `${text.slice(0, LONGEST_INPUT)}\n… ${grouped(text.length - LONGEST_INPUT)} characters more`
    : text;
}
