import type { PanelActions, Zone } from '../zone.ts';

/** Zone D: permits held and calls waiting over time. */
export function createConcurrencyZone(_actions: PanelActions): Zone {
  return { element: document.createElement('section'), update() {} };
}
