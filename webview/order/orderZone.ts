import type { PanelActions, Zone } from '../zone.ts';

/** Zone F: completion order over slot order. */
export function createOrderZone(_actions: PanelActions): Zone {
  return { element: document.createElement('section'), update() {} };
}
