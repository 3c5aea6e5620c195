/** What the page's own zones see beside what every zone sees. */
import type { PanelView, Zone } from './zone.ts';

/** Which layout the width asks for (PANEL section 3). */
export type Size = 'wide' | 'medium' | 'narrow';

/** What Waves itself has to complain about. */
export interface Problem {
  readonly message: string;
  readonly detail?: string | undefined;
}

export interface PageView extends PanelView {
  readonly size: Size;
  /** The run's time whether it is followed or not: what the header shows. */
  readonly liveNow: number;
  /** Whether playback takes ten seconds in all, whatever was recorded. */
  readonly fit: boolean;
  /** What is being looked for; undefined while the field is closed. */
  readonly query: string | undefined;
  readonly problem: Problem | undefined;
  /** There is nothing to show and the host has said so. */
  readonly empty: boolean;
  /** The host has answered nothing yet. */
  readonly waiting: boolean;
  /** The field for a step's number is open. */
  readonly goingTo: boolean;
  readonly screenReader: boolean;
}

/** A zone that uses more than `PanelView`. */
export interface PageZone {
  readonly element: HTMLElement;
  update(view: PageView): void;
}

/** Every zone of either kind. */
export type AnyZone = Zone | PageZone;
