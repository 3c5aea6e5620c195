/** Small helpers for the parts of the page that patch their DOM by hand. Values are always set as text. */

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** An element with these attributes and children; `undefined` and `false` leave an attribute out. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  element.append(...children);
  return element;
}

/** Sets, changes or removes an attribute, and leaves the DOM alone where it already says so. */
export function setAttribute(
  element: Element,
  name: string,
  value: string | number | boolean | undefined,
): void {
  if (value === undefined || value === false) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
    return;
  }
  const text = value === true ? '' : String(value);
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/** Sets the text of an element that holds nothing else, where it differs. */
export function setText(element: Element, text: string): void {
  const only = element.firstChild;
  if (only === null) {
    if (text !== '') element.append(text);
  } else if (only.nodeType === Node.TEXT_NODE && only === element.lastChild) {
    if (only.nodeValue !== text) only.nodeValue = text;
  } else {
    element.textContent = text;
  }
}

/**
 * Makes the children of `parent` stand for `keys`, in order. Elements are kept by key and never moved unless the order
 * of the keys itself changed.
 */
export class KeyedList<E extends Element> {
  private readonly parent: Element;
  private elements = new Map<string | number, E>();

  constructor(parent: Element) {
    this.parent = parent;
  }

  /** The element of a key, where it is shown. */
  get(key: string | number): E | undefined {
    return this.elements.get(key);
  }

  update(
    keys: readonly (string | number)[],
    create: (key: string | number) => E,
    patch: (element: E, key: string | number) => void,
  ): void {
    const next = new Map<string | number, E>();
    for (const key of keys) {
      const element = this.elements.get(key) ?? create(key);
      next.set(key, element);
      patch(element, key);
    }
    for (const [key, element] of this.elements) if (!next.has(key)) element.remove();
    let at: Element | null = this.parent.firstElementChild;
    for (const element of next.values()) {
      if (element === at) at = at.nextElementSibling;
      else this.parent.insertBefore(element, at);
    }
    this.elements = next;
  }
}
