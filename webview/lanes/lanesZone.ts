import type { PanelActions, Zone } from '../zone.ts';

/** Zone C: time against permits. */
export function createLanesZone(_actions: PanelActions): Zone {
  return { element: document.createElement('section'), update() {} };
}
