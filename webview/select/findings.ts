/** What there is to say about the plan and the run, line by line. */
import type { Finding } from '../../src/core/findings/finding.ts';
import type { ViewState } from '../../src/core/state.ts';
import { grouped } from '../format.ts';
import { perState } from './perState.ts';
import { namesOf } from './resources.ts';

export interface FindingLine {
  readonly id: string;
  readonly certainty: Finding['certainty'];
  /** The call to select: the later one, whose result is in doubt. */
  readonly call: number;
  readonly calls: readonly number[];
  /** With the resource it is about. */
  readonly text: string;
  readonly advice: string;
}

/** All findings of this state, those of one call first in the order of the calls. */
export const findingLines = perState((state: ViewState): readonly FindingLine[] =>
  state.findings.map(({ id, certainty, calls, resource, text, advice }) => ({
    id,
    certainty,
    call: calls.at(-1) ?? 0,
    calls,
    text: namesOf(state).sentence(
      resource === undefined ? text : `${text.replace(/\.$/, '')}: ${namesOf(state).label(resource)}.`,
    ),
    advice,
  })),
);

/** The findings that name this call. */
export function findingsOfCall(state: ViewState, call: number): readonly FindingLine[] {
  return findingLines(state).filter(({ calls }) => calls.includes(call));
}

/** "5 warnings", "1 warning", "no warnings". */
export function warningCount(state: ViewState): string {
  const { length } = state.findings;
  return length === 0 ? 'no warnings' : `${grouped(length)} ${length === 1 ? 'warning' : 'warnings'}`;
}
