/** Where the user was, kept by the editor for a page that is closed and opened again. Never data. */
import type { ViewName, Zoom } from './zone.ts';

export interface Saved {
  readonly batch: string;
  /** Undefined: following. */
  readonly cursor?: number | undefined;
  readonly selected?: number | undefined;
  readonly view: ViewName;
  readonly zoom?: Zoom | undefined;
  readonly scroll: number;
  readonly speed: number;
  readonly fit: boolean;
}

/** What `getState` gave, where it is ours; undefined otherwise. */
export function readSaved(value: unknown): Saved | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { batch, cursor, selected, view, zoom, scroll, speed, fit }: Partial<Record<string, unknown>> = {
    ...value,
  };
  if (typeof batch !== 'string' || batch.length > 1000) return undefined;
  return {
    batch,
    cursor: number(cursor),
    selected: number(selected),
    view: view === 'table' || view === 'diagram' ? view : 'picture',
    zoom: readZoom(zoom),
    scroll: number(scroll) ?? 0,
    speed: number(speed) ?? 1,
    fit: fit === true,
  };
}

function readZoom(value: unknown): Zoom | undefined {
  if (typeof value !== 'object' || value === null || !('from' in value) || !('to' in value)) return undefined;
  const from = number(value.from);
  const to = number(value.to);
  return from !== undefined && to !== undefined && to > from ? { from, to } : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
