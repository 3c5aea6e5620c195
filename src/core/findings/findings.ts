/** The findings of a run that has been seen, or of a recording (DESIGN section 10). */

import type { ViewState } from '../state.ts';
import { rowsOf } from '../table.ts';
import type { Finding } from './finding.ts';
import { findingsOfPlan } from './fromPlan.ts';

/** All that can be said of this state. Needs no `finding-made` event: a recording without them has its findings too. */
export function findings(state: ViewState): readonly Finding[] {
  if (state.decided < state.calls.size) return state.findings;
  return findingsOfPlan(
    [...rowsOf(state.calls)].map(({ name, declared, decision }) => ({
      name,
      wave: decision?.wave ?? 0,
      safe: declared?.safe ?? false,
      accesses: declared?.accesses ?? [],
      failure: declared?.failure,
      refused: declared?.refused === true,
    })),
  );
}
