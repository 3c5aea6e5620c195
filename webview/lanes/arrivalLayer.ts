/** The model's message under the lanes: when each call came in, and when the message ended. */

import type { ArrivalSpan } from '../select/arrivals.ts';
import { callNumber } from '../select/calls.ts';
import type { TextMeasure } from './measure.ts';
import { type Scale, xOf } from './scale.ts';
import { patch, px, svg } from './svg.ts';
import { type TextItem, TextLayer } from './textLayer.ts';

const MOST_TEXTS = 60;

export class ArrivalLayer {
  readonly element: SVGGElement;
  private readonly lines = svg('path', { class: 'arrival-lines look-arriving' });
  private readonly ends = svg('path', { class: 'arrival-ends look-arriving' });
  private readonly texts = new TextLayer('foot-labels');

  constructor() {
    this.element = svg('g', {}, this.lines, this.ends, this.texts.element);
  }

  /** `top`: of the strip; undefined where the calls did not come one by one. `endedAt`: of the message. */
  draw(
    top: number | undefined,
    scale: Scale,
    measure: TextMeasure,
    spans: readonly ArrivalSpan[],
    endedAt: number | undefined,
  ): void {
    let lines = '';
    let ends = '';
    const texts: TextItem[] = [];
    if (top !== undefined) {
      const y = top + 7;
      texts.push({ key: 'message', x: 0, y: y + 4, text: 'message', className: 'dim' });
      let free = scale.left;
      for (const { call, from, to, open } of spans) {
        if (to < scale.from || from > scale.to) continue;
        const left = Math.max(xOf(scale, from), scale.left);
        const right = Math.max(xOf(scale, to), left + 2);
        const text = callNumber(call);
        const width = measure.width(text) + 6;
        const named = texts.length < MOST_TEXTS && left >= free && right - left > width;
        if (named) {
          texts.push({ key: `a${call}`, x: left + 1, y: y + 4, text, className: 'foot-call', call });
          free = right;
        }
        lines += `M${px(left + (named ? width : 0))} ${px(y)}H${px(right)}`;
        if (!open) ends += `M${px(right)} ${px(y - 4)}v8`;
      }
      if (endedAt !== undefined && endedAt >= scale.from && endedAt <= scale.to) {
        const x = xOf(scale, endedAt);
        ends += `M${px(x)} ${px(y - 6)}v12m2 -12v12`;
        if (scale.right - x > measure.width('message ended') + 10)
          texts.push({ key: 'ended', x: x + 7, y: y + 4, text: 'message ended', className: 'dim' });
      }
    }
    patch(this.lines, { d: lines });
    patch(this.ends, { d: ends });
    this.texts.draw(texts);
  }
}
