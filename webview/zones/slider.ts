/** The position in the log as a slider: pointer and keys, a value that says what happened there. */
import { el, setAttribute } from '../dom.ts';
import { svg } from '../lanes/svg.ts';
import { cursorText, type Marks, marksOf } from '../select/transport.ts';
import { bigStep } from '../steps.ts';
import type { PageView } from '../view.ts';

export interface PositionSlider {
  readonly element: HTMLElement;
  update(view: PageView): void;
}

export function createPositionSlider(seek: (cursor: number) => void): PositionSlider {
  const fill = el('div', { class: 'slider-fill' });
  const thumb = el('div', { class: 'slider-thumb' });
  const waveMarks = svg('path', { class: 'mark-wave' });
  const errorMarks = svg('path', { class: 'mark-error' });
  const marks = svg(
    'svg',
    { class: 'slider-marks', viewBox: '0 0 1000 10', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    waveMarks,
    errorMarks,
  );
  const track = el('div', { class: 'slider-track' }, fill);
  const element = el(
    'div',
    {
      class: 'slider',
      role: 'slider',
      tabindex: 0,
      'aria-label': 'Position in the recording',
      'aria-valuemin': 0,
    },
    track,
    marks,
    thumb,
  );
  let view: PageView | undefined;
  let marked: PageView['log'] | undefined;

  const seekTo = (event: PointerEvent) => {
    if (!view) return;
    const box = element.getBoundingClientRect();
    const share = (event.clientX - box.left - 8) / Math.max(1, box.width - 16);
    seek(Math.round(Math.max(0, Math.min(1, share)) * view.log.length));
  };
  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    seekTo(event);
  });
  element.addEventListener('pointermove', (event) => {
    if (element.hasPointerCapture(event.pointerId)) seekTo(event);
  });
  element.addEventListener('keydown', (event) => {
    if (!view || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const { cursor, log } = view;
    const big = bigStep(log.length);
    const to = {
      ArrowRight: cursor + 1,
      ArrowUp: cursor + 1,
      ArrowLeft: cursor - 1,
      ArrowDown: cursor - 1,
      PageUp: cursor + big,
      PageDown: cursor - big,
      Home: 0,
      End: log.length,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    seek(to);
  });

  return {
    element,
    update(next) {
      view = next;
      const share = next.log.length === 0 ? 0 : next.cursor / next.log.length;
      element.style.setProperty('--share', share.toFixed(4));
      setAttribute(element, 'aria-valuemax', next.log.length);
      setAttribute(element, 'aria-valuenow', next.cursor);
      setAttribute(element, 'aria-valuetext', cursorText(next));
      if (marked === next.log) return;
      marked = next.log;
      drawMarks(marksOf(next.log), waveMarks, errorMarks);
    },
  };
}

function drawMarks(marks: Marks, waves: Element, errors: Element): void {
  setAttribute(waves, 'd', marks.waves.map((share) => `M${(share * 1000).toFixed(1)} 0v10`).join(''));
  setAttribute(errors, 'd', marks.errors.map((share) => `M${(share * 1000).toFixed(1)} 0v10`).join(''));
}
