/** When a diagram would be too large for Mermaid or for a reader, and what it then leaves out. */
import type { ViewState } from '../state.ts';

/** Chained and joined, so many calls have fewer edges than the 500 that Mermaid takes, its invisible ones included. */
const MOST_CALLS = 120;
const MOST_CHARACTERS = 40_000;
/** Folded waves that are still drawn one by one. */
export const MOST_WAVES = 60;
/** Lifelines that still fit beside each other. */
export const MOST_PERMITS = 24;

/** A drawn diagram: its text, and in sentences what it does not show. */
export interface Diagram {
  readonly text: string;
  readonly notes: readonly string[];
}

/** The whole diagram if it is small enough, else the folded one. */
export function wholeOrFolded(state: ViewState, whole: () => string, folded: () => Diagram): Diagram {
  if (state.calls.size > MOST_CALLS) return folded();
  const text = whole();
  return text.length > MOST_CHARACTERS ? folded() : { text, notes: [] };
}

/** What folding has done, in words. */
export function foldNotes(state: ViewState, waves: number): string[] {
  const notes = [`${state.calls.size} calls are folded, one box a wave.`];
  const more = state.waves.size - waves;
  if (more > 0) notes.push(`${more} more waves are not drawn.`);
  return notes;
}
