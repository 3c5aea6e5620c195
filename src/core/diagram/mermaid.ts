/** Waves as Mermaid text, for documents and the panel's Diagram view. */
import type { ViewState } from '../state.ts';

export type DiagramKind = 'plan' | 'run';

/** The plan as a flowchart, or the run as a sequence diagram. */
export function toMermaid(_state: ViewState, _kind: DiagramKind): string {
  return 'flowchart LR';
}
