/** The little SVG that the drawings need. */
import { setAttribute } from '../dom.ts';

const NS = 'http://www.w3.org/2000/svg';

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** A new SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(NS, name);
  patch(element, attributes);
  element.append(...children);
  return element;
}

/** Sets only the attributes that differ, so that an unchanged drawing costs nothing. */
export function patch(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
}

/** A coordinate, short: a tenth of a pixel is enough. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}
