/** A binary heap: the first of its items, by the order given, is always at hand. */
export interface Heap<T> {
  readonly size: number;
  push(item: T): void;
  /** Takes the first item out; undefined when there is none. */
  pop(): T | undefined;
  /** The order of items that are in has changed. */
  resort(): void;
}

/** An empty heap; `before(a, b)` says whether `a` comes out before `b`, and must be a strict order. */
export function createHeap<T>(before: (a: T, b: T) => boolean): Heap<T> {
  const items: T[] = [];
  const push = (item: T) => {
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const up = (at - 1) >> 1;
      const parent = items[up] as T; // up < at, so it is there
      if (!before(item, parent)) break;
      items[at] = parent;
      at = up;
    }
    items[at] = item;
  };
  return {
    get size() {
      return items.length;
    },
    push,
    resort() {
      for (const item of items.splice(0)) push(item);
    },
    pop() {
      const first = items[0];
      const last = items.pop();
      if (items.length === 0 || last === undefined) return first;
      let at = 0;
      for (;;) {
        const left = 2 * at + 1;
        if (left >= items.length) break;
        const right = left + 1;
        const child = right < items.length && before(items[right] as T, items[left] as T) ? right : left;
        const next = items[child] as T; // child < length, so it is there
        if (!before(next, last)) break;
        items[at] = next;
        at = child;
      }
      items[at] = last;
      return first;
    },
  };
}
