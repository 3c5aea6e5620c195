import type { PanelActions, Zone } from '../zone.ts';

/** The Diagram view: plan and run as Mermaid pictures. */
export function createDiagramZone(_actions: PanelActions): Zone {
  return { element: document.createElement('section'), update() {} };
}
