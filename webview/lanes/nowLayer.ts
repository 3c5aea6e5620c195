/** The moments that cross every lane: now, and when the run was asked to stop. */
import type { ViewState } from '../../src/core/state.ts';
import { moment } from '../format.ts';
import { callNumber } from '../select/calls.ts';
import type { TextMeasure } from './measure.ts';
import type { Geometry } from './place.ts';
import { type Scale, xOf } from './scale.ts';
import { patch, px, svg } from './svg.ts';
import { type TextItem, TextLayer } from './textLayer.ts';

export class NowLayer {
  readonly element: SVGGElement;
  private readonly line = svg('path', { class: 'now-line' });
  private readonly plate = svg('rect', { class: 'now-plate', y: 1, height: 17, rx: 3 });
  private readonly stop = svg('path', { class: 'stop-line' });
  private readonly texts = new TextLayer('now-labels');

  constructor() {
    this.element = svg('g', {}, this.stop, this.line, this.plate, this.texts.element);
  }

  /** Draws *now*, or nothing where `now` is undefined, and the stop where there was one. */
  draw(
    state: ViewState,
    now: number | undefined,
    scale: Scale,
    geometry: Geometry,
    bottom: number,
    measure: TextMeasure,
  ): void {
    const texts: TextItem[] = [];
    const shown = now !== undefined && now >= scale.from && now <= scale.to;
    patch(this.plate, { visibility: shown ? 'visible' : 'hidden' });
    if (shown) {
      const x = Math.round(xOf(scale, now)) + 0.5;
      const text = moment(now, scale.to);
      const width = measure.width(text) + 12;
      const middle = Math.min(Math.max(x, scale.left + width / 2 - 6), scale.right + 8 - width / 2);
      patch(this.line, { d: `M${x} 18V${px(bottom)}` });
      patch(this.plate, { x: px(middle - width / 2), width: px(width) });
      texts.push({
        key: 'now',
        x: middle,
        y: geometry.axisY,
        text,
        anchor: 'middle',
        className: 'now-label',
      });
    } else patch(this.line, { d: '' });
    const { stop } = state;
    const at = stop?.requestedAt;
    if (at !== undefined && at >= scale.from && at <= scale.to) {
      const x = Math.round(xOf(scale, at)) + 0.5;
      const text = stop?.by === undefined ? 'cancel asked' : `stopped by ${callNumber(stop.by)}`;
      const right = x + measure.width(text) + 8 < scale.right;
      patch(this.stop, { d: `M${x} ${geometry.stripY + 6}V${px(bottom + 4)}` });
      texts.push({
        key: 'stop',
        x: right ? x + 4 : x - 4,
        y: bottom + 2,
        text,
        anchor: right ? 'start' : 'end',
        className: 'stop-label',
      });
    } else patch(this.stop, { d: '' });
    this.texts.draw(texts);
  }
}
