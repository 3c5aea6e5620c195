/** The picture as four tables (PANEL section 11): every datum that is drawn stands in one of them. */

import { ranUntil } from '../../src/core/ran.ts';
import type { CallRow, ViewState } from '../../src/core/state.ts';
import { rowsOf } from '../../src/core/table.ts';
import { count, duration, moment, ordinal } from '../format.ts';
import { LOOKS, lookOf } from '../glyphs.ts';
import { earlyWords } from './arrivals.ts';
import { callNumber, callTarget } from './calls.ts';
import { concurrencyIntervals } from './concurrency.ts';
import { perState } from './perState.ts';
import { waveState } from './plan.ts';
import { namesOf } from './resources.ts';
import { permitWaits, waitReasons } from './waits.ts';

export interface Column {
  readonly id: string;
  readonly label: string;
  /** Right-aligned, with figures of one width. */
  readonly numeric?: boolean;
}

export interface Cell {
  readonly text: string;
  /** What it is sorted by, where that is not the text. */
  readonly sort?: number;
}

export interface TableRow {
  readonly key: number;
  /** The call that choosing this row selects. */
  readonly call?: number;
  /** One a column; the first is the row's header. */
  readonly cells: readonly Cell[];
}

export interface TableModel {
  readonly id: 'calls' | 'waves' | 'concurrency' | 'decisions';
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
}

const NONE: Cell = { text: '–', sort: Number.POSITIVE_INFINITY };

/** All four tables of a state. */
export const tablesOf = perState((state): readonly TableModel[] => [
  callsTable(state),
  wavesTable(state),
  concurrencyTable(state),
  decisionsTable(state),
]);

const CALL_COLUMNS: readonly Column[] = [
  { id: 'slot', label: 'Slot', numeric: true },
  { id: 'tool', label: 'Tool' },
  { id: 'target', label: 'Target' },
  { id: 'outcome', label: 'State' },
  { id: 'declared', label: 'Declared' },
  { id: 'key', label: 'Key' },
  { id: 'wave', label: 'Wave', numeric: true },
  { id: 'rule', label: 'Rule and rejected waves' },
  { id: 'permit', label: 'Permit', numeric: true },
  { id: 'queued', label: 'Queued', numeric: true },
  { id: 'waited', label: 'Waited', numeric: true },
  { id: 'reason', label: 'Wait reason' },
  { id: 'started', label: 'Started', numeric: true },
  { id: 'ran', label: 'Ran', numeric: true },
  { id: 'finished', label: 'Finished', numeric: true },
  { id: 'warnings', label: 'Warnings' },
];

/** Only where the calls came one by one. */
const ARRIVAL_COLUMNS: readonly Column[] = [
  { id: 'opened', label: 'Opened', numeric: true },
  { id: 'closed', label: 'Complete', numeric: true },
  { id: 'known', label: 'Known early' },
  { id: 'early', label: 'Early run' },
];

function arrivalCells(row: CallRow, total: number): readonly Cell[] {
  const known = row.arrival?.known.join(', ') ?? '';
  return [
    timeCell(row.arrival?.openedAt, total),
    timeCell(row.arrival?.closedAt, total),
    { text: known === '' ? '–' : known },
    { text: earlyWords(row) },
  ];
}

function callsTable(state: ViewState): TableModel {
  const total = state.endedAt ?? state.t;
  const names = namesOf(state);
  const warned = new Map<number, string[]>();
  for (const { id, calls } of state.findings) {
    for (const call of calls) warned.set(call, [...new Set([...(warned.get(call) ?? []), id])]);
  }
  const rows = [...rowsOf(state.calls)].map((row): TableRow => {
    const { decision } = row;
    return {
      key: row.index,
      call: row.index,
      cells: [
        { text: callNumber(row.index), sort: row.index },
        { text: row.name },
        { text: callTarget(row) },
        { text: LOOKS[lookOf(row, state)].word },
        { text: declaredText(row) },
        row.declared?.key === undefined ? NONE_TEXT : { text: names.label(row.declared.key) },
        decision ? { text: String(decision.wave + 1), sort: decision.wave } : NONE,
        { text: decision ? ruleText(decision) : '–' },
        row.permit === undefined ? NONE : { text: String(row.permit + 1), sort: row.permit },
        timeCell(row.queuedAt, total),
        spanCell(permitWaits(state).get(row.index) ?? (row.startedAt === undefined ? undefined : 0)),
        { text: names.sentence(waitReasons(state, row).join('; ')) || '–' },
        timeCell(row.startedAt, total),
        ranCell(row, state),
        row.completion === undefined ? NONE : { text: ordinal(row.completion), sort: row.completion },
        { text: warned.get(row.index)?.join(', ') ?? '–' },
        ...(state.message ? arrivalCells(row, total) : []),
      ],
    };
  });
  const columns = state.message ? [...CALL_COLUMNS, ...ARRIVAL_COLUMNS] : CALL_COLUMNS;
  return { id: 'calls', caption: `Calls, ${state.calls.size} in all`, columns, rows };
}

const NONE_TEXT: Cell = { text: '–' };

function wavesTable(state: ViewState): TableModel {
  const total = state.endedAt ?? state.t;
  const longest = new Map<number, number>();
  for (const row of rowsOf(state.calls)) {
    if (row.decision === undefined || row.startedAt === undefined) continue;
    const ran = (ranUntil(row) ?? state.t) - row.startedAt;
    longest.set(row.decision.wave, Math.max(longest.get(row.decision.wave) ?? 0, ran));
  }
  const rows = [...rowsOf(state.waves)].map((wave): TableRow => {
    const calls = [...rowsOf(wave.calls)];
    const listed = calls.slice(0, 12).map(callNumber).join(' ');
    return {
      key: wave.index,
      ...(calls[0] !== undefined && { call: calls[0] }),
      cells: [
        { text: `Wave ${wave.index + 1}`, sort: wave.index },
        { text: calls.length > 12 ? `${listed} and ${calls.length - 12} more` : listed, sort: calls.length },
        { text: wave.closed ? 'unsafe, alone' : 'open' },
        { text: waveState(wave, state) },
        timeCell(wave.startedAt, total),
        timeCell(wave.endedAt, total),
        spanCell(longest.get(wave.index)),
      ],
    };
  });
  const columns: readonly Column[] = [
    { id: 'wave', label: 'Wave' },
    { id: 'calls', label: 'Calls' },
    { id: 'kind', label: 'Kind' },
    { id: 'state', label: 'State' },
    { id: 'started', label: 'Started', numeric: true },
    { id: 'ended', label: 'Ended', numeric: true },
    { id: 'longest', label: 'Longest call', numeric: true },
  ];
  return { id: 'waves', caption: `Waves, ${state.waves.size} in all`, columns, rows };
}

function concurrencyTable(state: ViewState): TableModel {
  const total = state.endedAt ?? state.t;
  const rows = concurrencyIntervals(state, state.t).map(
    (one, index): TableRow => ({
      key: index,
      cells: [
        timeCell(one.from, total),
        timeCell(one.to, total),
        number(one.held),
        number(one.free),
        number(one.waiting),
        { text: one.who.length === 0 ? '–' : one.who.map(callNumber).join(' '), sort: one.who.length },
      ],
    }),
  );
  const columns: readonly Column[] = [
    { id: 'from', label: 'From', numeric: true },
    { id: 'to', label: 'To', numeric: true },
    { id: 'held', label: 'Held', numeric: true },
    { id: 'free', label: 'Free', numeric: true },
    { id: 'waiting', label: 'Waiting', numeric: true },
    { id: 'who', label: 'Calls that held one' },
  ];
  return {
    id: 'concurrency',
    caption: `Permits over time, ${count(state.permits, 'permit')}`,
    columns,
    rows,
  };
}

function decisionsTable(state: ViewState): TableModel {
  const names = namesOf(state);
  const rows: TableRow[] = [];
  const decided = [...rowsOf(state.calls)].filter((row) => row.decision !== undefined);
  decided.sort((a, b) => (a.decision?.ordinal ?? 0) - (b.decision?.ordinal ?? 0));
  for (const row of decided) {
    const { decision } = row;
    if (!decision) continue;
    const candidates = [
      ...decision.rejected.map((one) => ({ ...one, verdict: 'rejected' })),
      { ...decision, verdict: decision.opened ? 'opened' : 'joined' },
    ];
    for (const one of candidates) {
      rows.push({
        key: rows.length,
        call: row.index,
        cells: [
          { text: String(rows.length + 1), sort: rows.length },
          { text: callNumber(row.index), sort: row.index },
          { text: `wave ${one.wave + 1}`, sort: one.wave },
          { text: one.verdict },
          { text: one.rule, sort: Number(one.rule.slice(1)) },
          { text: names.sentence(one.reason) },
        ],
      });
    }
  }
  const columns: readonly Column[] = [
    { id: 'step', label: 'Step', numeric: true },
    { id: 'call', label: 'Call', numeric: true },
    { id: 'candidate', label: 'Candidate' },
    { id: 'verdict', label: 'Verdict' },
    { id: 'rule', label: 'Rule' },
    { id: 'reason', label: 'Reason' },
  ];
  return { id: 'decisions', caption: `Decisions, ${count(rows.length, 'candidate')}`, columns, rows };
}

function declaredText(row: CallRow): string {
  if (!row.declared) return '–';
  if (row.declared.failure !== undefined) return `unsafe: ${row.declared.failure}`;
  return row.declared.safe ? 'safe' : 'unsafe';
}

function ruleText(decision: NonNullable<CallRow['decision']>): string {
  const rejected = decision.rejected.slice(0, 6).map((one) => `wave ${one.wave + 1} ${one.rule}`);
  const more = decision.rejectedTotal - rejected.length;
  const list = more > 0 ? [...rejected, `${more} more`] : rejected;
  return list.length === 0 ? decision.rule : `${decision.rule}, rejected: ${list.join(', ')}`;
}

function ranCell(row: CallRow, state: ViewState): Cell {
  if (row.startedAt === undefined) return NONE;
  const until = ranUntil(row);
  const ran = (until ?? state.t) - row.startedAt;
  return { text: until === undefined ? `${duration(ran)} …` : duration(ran), sort: ran };
}

function timeCell(t: number | undefined, total: number): Cell {
  return t === undefined ? NONE : { text: moment(t, total), sort: t };
}

function spanCell(ms: number | undefined): Cell {
  if (ms === undefined) return NONE;
  return { text: ms === 0 ? '–' : duration(ms), sort: ms };
}

function number(n: number): Cell {
  return { text: String(n), sort: n };
}
