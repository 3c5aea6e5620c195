/** The little SVG that the drawings need. */

const NS = 'http://www.w3.org/2000/svg';

export type Attributes = Readonly<Record<string, string | number>>;

/** A new SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  children: readonly (Node | string)[] = [],
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(NS, name);
  patch(element, attributes);
  element.append(...children);
  return element;
}

/** Sets only the attributes that differ, so that an unchanged drawing costs nothing. */
export function patch(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    const text = String(value);
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

/** Sets the text where it differs. */
export function patchText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** A new HTML element with a class and text or children. */
export function html<K extends keyof HTMLElementTagNameMap>(
  name: K,
  className = '',
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

/** A coordinate, short: a tenth of a pixel is enough. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}
