/** Below this width, in CSS pixels, a drawing that stands alone is narrow. */
const NARROW = 480;

/** Whether drawings take their narrow form: as the panel around them does, by their own width where there is none. */
export function isNarrow(element: Element, width: number): boolean {
  const size = element.closest<HTMLElement>('[data-size]')?.dataset.size;
  return size === undefined ? width < NARROW : size === 'narrow';
}
