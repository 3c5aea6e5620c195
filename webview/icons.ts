/** Glyphs for templates: of a call's look, and of the panel's state. All are hidden from assistive technology. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { LOOKS, type LookName, MARKS, type MarkName } from './glyphs.ts';
import type { RunState } from './select/headline.ts';

interface Icon {
  readonly path: string;
  readonly look: string;
  readonly solid?: boolean;
  readonly dash?: string;
}

const QUESTION = 'm5 5.5a3 3 0 1 1 4.2 2.7q-1.2 .6 -1.2 1.8m0 2.6v.6';
const SQUARE = 'm3 3h10v10h-10z';
const RING = 'm8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0 -11z';

const STATE_ICONS: Readonly<Record<RunState, Icon>> = {
  empty: { path: RING, look: 'look-planned', dash: '1 3' },
  planning: { path: RING, look: 'look-planned', dash: '2 3' },
  planned: { path: SQUARE, look: 'look-planned' },
  running: { path: LOOKS.running.glyph, look: 'look-running', solid: true },
  cancelling: { path: LOOKS.cancelled.glyph, look: 'look-soft' },
  done: { path: LOOKS.ok.glyph, look: 'look-ok' },
  errors: { path: LOOKS.soft.glyph, look: 'look-soft' },
  aborted: { path: LOOKS.hard.glyph, look: 'look-hard' },
  cancelled: { path: LOOKS.cancelled.glyph, look: 'look-cancelled' },
  interrupted: { path: QUESTION, look: 'look-planned' },
};

const VERDICT_PATHS = {
  rejected: LOOKS.hard.glyph,
  joined: LOOKS.ok.glyph,
  opened: 'm8 3v10m-5 -5h10',
} as const;

/** The glyph of a call's look. */
export function lookIcon(name: LookName): TemplateResult {
  const { glyph, className, solid } = LOOKS[name];
  return icon({ path: glyph, look: className, solid });
}

export function stateIcon(state: RunState): TemplateResult {
  return icon(STATE_ICONS[state]);
}

/** The lock or the key. */
export function markIcon(name: MarkName): TemplateResult {
  return icon({ path: MARKS[name], look: `mark-${name}` });
}

/** A triangle: hollow for what is possible, filled for what was observed. */
export function findingIcon(certainty: 'possible' | 'observed'): TemplateResult {
  return icon({ path: LOOKS.soft.glyph, look: 'look-soft', solid: certainty === 'observed' });
}

/** How a wave answered a call. */
export function verdictIcon(verdict: keyof typeof VERDICT_PATHS): TemplateResult {
  return icon({ path: VERDICT_PATHS[verdict], look: `verdict-${verdict}` });
}

function icon({ path, look, solid, dash }: Icon): TemplateResult {
  return html`<svg class="glyph ${look}${solid ? ' glyph-solid' : ''}" viewBox="0 0 16 16" aria-hidden="true">
    <path d="M0 0${path}" stroke-dasharray=${dash ?? nothing}></path>
  </svg>`;
}
