/** Texts of a drawing, kept by key so that one that stays is never made anew. */
import { KeyedList, setText } from '../dom.ts';
import { patch, px, svg } from './svg.ts';

export interface TextItem {
  readonly key: string | number;
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly className?: string;
  readonly anchor?: 'start' | 'middle' | 'end';
  /** The call that the text stands for. */
  readonly call?: number;
}

/** A group that holds texts. */
export class TextLayer {
  readonly element: SVGGElement;
  private readonly list: KeyedList<SVGTextElement>;

  constructor(className: string) {
    this.element = svg('g', { class: className });
    this.list = new KeyedList(this.element);
  }

  draw(items: readonly TextItem[]): void {
    const byKey = new Map(items.map((item) => [item.key, item]));
    this.list.update(
      [...byKey.keys()],
      () => svg('text'),
      (element, key) => {
        const item = byKey.get(key);
        if (!item) return;
        patch(element, {
          x: px(item.x),
          y: px(item.y),
          class: item.className,
          'text-anchor': item.anchor,
          'data-call': item.call,
        });
        setText(element, item.text);
      },
    );
  }
}
