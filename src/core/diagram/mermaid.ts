/** Waves as Mermaid text, for documents and the panel's Diagram view. */
import type { ViewState } from '../state.ts';
import type { Diagram } from './fold.ts';
import { planDiagram } from './plan.ts';
import { runDiagram } from './run.ts';

export type DiagramKind = 'plan' | 'run';

/**
 * The plan as a flowchart, or the run as a sequence diagram. Any state gives a text that Mermaid accepts and shows
 * literally, whatever the calls are named; too large ones are folded to one box a wave.
 */
export function toMermaid(state: ViewState, kind: DiagramKind): string {
  return diagramOf(state, kind).text;
}

/** The same text with sentences that say what was folded, for where it is shown. */
export function diagramOf(state: ViewState, kind: DiagramKind): Diagram {
  return kind === 'plan' ? planDiagram(state) : runDiagram(state);
}
