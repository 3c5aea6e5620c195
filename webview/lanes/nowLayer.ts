/** The moments that cross every lane: now, when the run was asked to stop, and where its recording ends. */
import type { ViewState } from '../../src/core/state.ts';
import { callNumber } from '../select/calls.ts';
import type { Foot } from './footLayer.ts';
import type { TextMeasure } from './measure.ts';
import type { Geometry } from './place.ts';
import { axisMoment, type Scale, xOf } from './scale.ts';
import { patch, px, svg } from './svg.ts';
import { type TextItem, TextLayer } from './textLayer.ts';

export interface Moments {
  readonly state: ViewState;
  /** Undefined once the run has ended. */
  readonly now: number | undefined;
  /** Where the recording breaks off, if it does. */
  readonly unrecorded: number | undefined;
  readonly scale: Scale;
  readonly geometry: Geometry;
  readonly foot: Foot;
  readonly measure: TextMeasure;
}

export class NowLayer {
  readonly element: SVGGElement;
  private readonly line = svg('path', { class: 'now-line' });
  private readonly plate = svg('rect', { class: 'now-plate', y: 0, height: 17, rx: 3 });
  private readonly stop = svg('path', { class: 'stop-line' });
  private readonly texts = new TextLayer('now-labels');

  constructor() {
    this.element = svg('g', {}, this.stop, this.line, this.plate, this.texts.element);
  }

  draw(moments: Moments): void {
    this.texts.draw([...this.drawNow(moments), ...this.drawStop(moments), ...unrecorded(moments)]);
  }

  private drawNow({ now, scale, geometry, foot, measure }: Moments): TextItem[] {
    const shown = now !== undefined && now >= scale.from && now <= scale.to;
    patch(this.plate, { visibility: shown ? 'visible' : 'hidden' });
    if (!shown) {
      patch(this.line, { d: '' });
      return [];
    }
    const x = Math.round(xOf(scale, now)) + 0.5;
    const text = axisMoment(scale, now);
    const width = measure.width(text) + 14;
    const middle = Math.min(Math.max(x, scale.left + width / 2 - 6), scale.right + 8 - width / 2);
    patch(this.line, { d: `M${x} 17V${px(foot.axisBottom)}` });
    patch(this.plate, { x: px(middle - width / 2), width: px(width) });
    return [{ key: 'now', x: middle, y: geometry.axisY, text, anchor: 'middle', className: 'now-label' }];
  }

  private drawStop({ state, scale, geometry, foot, measure }: Moments): TextItem[] {
    const { stop } = state;
    const at = stop?.requestedAt;
    if (!stop || at === undefined || at < scale.from || at > scale.to || foot.stopY === undefined) {
      patch(this.stop, { d: '' });
      return [];
    }
    const x = Math.round(xOf(scale, at)) + 0.5;
    const text = stop.by === undefined ? 'cancel asked' : `stopped by ${callNumber(stop.by)}`;
    // Left of its line, where now, which comes after it, does not cross it.
    const right = x - measure.width(text) - 10 < scale.left;
    patch(this.stop, { d: `M${x} ${geometry.stripY + 6}V${px(foot.stopY + 2)}` });
    return [
      {
        key: 'stop',
        x: right ? x + 6 : x - 6,
        y: foot.stopY + 2,
        text,
        anchor: right ? 'start' : 'end',
        className: 'stop-label',
      },
    ];
  }
}

function unrecorded({ unrecorded: at, scale, geometry, measure }: Moments): TextItem[] {
  const text = 'end not recorded';
  if (at === undefined || at < scale.from || at > scale.to) return [];
  const x = xOf(scale, at);
  const right = x + measure.width(text) + 8 < scale.right;
  return right ? [{ key: 'unrecorded', x: x + 8, y: geometry.stripY, text, className: 'dim' }] : [];
}
