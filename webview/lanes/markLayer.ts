/** Rings around bars: found, under the pointer, selected. */
import { corneredBox } from './outline.ts';
import type { PlacedBar } from './place.ts';
import { patch, svg } from './svg.ts';

export class MarkLayer {
  readonly element: SVGGElement;
  private readonly found = svg('path', { class: 'ring ring-found' });
  private readonly hovered = svg('path', { class: 'ring ring-hover' });
  private readonly selected = svg('path', { class: 'ring ring-selected' });

  constructor() {
    this.element = svg('g', {}, this.found, this.hovered, this.selected);
  }

  draw(
    placed: readonly PlacedBar[],
    selected: number | undefined,
    hovered: number | undefined,
    found: ReadonlySet<number> | undefined,
  ): void {
    let rings = '';
    let over = '';
    let chosen = '';
    for (const item of placed) {
      const { call } = item.bar;
      if (found?.has(call)) rings += ring(item, 1.5);
      if (call === hovered && call !== selected) over = ring(item, 2);
      if (call === selected) chosen = ring(item, 3);
    }
    patch(this.found, { d: rings });
    patch(this.hovered, { d: over });
    patch(this.selected, { d: chosen });
  }
}

function ring({ x, y, width, height }: PlacedBar, by: number): string {
  return corneredBox({ x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by });
}
