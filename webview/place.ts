/** Where the user is in the panel. */

import { rowAt } from '../src/core/table.ts';
import type { EventLog } from './eventLog.ts';
import type { Saved } from './saved.ts';
import { clampCursor } from './steps.ts';
import type { ViewName, Zoom } from './zone.ts';

export interface Place {
  /** The cursor; undefined: following. */
  readonly at: number | undefined;
  readonly selected: number | undefined;
  readonly view: ViewName;
  readonly zoom: Zoom | undefined;
  readonly speed: number;
  readonly fit: boolean;
  readonly query: string | undefined;
  readonly goingTo: boolean;
  readonly scroll: number;
}

export const START: Place = {
  at: undefined,
  selected: undefined,
  view: 'picture',
  zoom: undefined,
  speed: 1,
  fit: false,
  query: undefined,
  goingTo: false,
  scroll: 0,
};

/** Where the user was in this log, as far as it still exists. */
export function placeFrom(saved: Saved, log: EventLog): Place {
  const { cursor, selected, view, zoom, scroll, speed, fit } = saved;
  const at = cursor === undefined || cursor >= log.length ? undefined : clampCursor(cursor, log.length);
  const call = selected !== undefined && rowAt(log.latest.calls, selected) ? selected : undefined;
  return { ...START, at, selected: call, view, zoom, scroll, speed, fit };
}

/** What is kept of a place; undefined where the batch's name is too long to keep anything. */
export function savedOf(batch: string, place: Place): Saved | undefined {
  if (batch.length > 1000) return undefined;
  const { at, selected, view, zoom, scroll, speed, fit } = place;
  return { batch, cursor: at, selected, view, zoom, scroll, speed, fit };
}
