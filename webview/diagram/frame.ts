/** The frame around a picture: fits it, zooms it, scrolls it with the keyboard. */
import { el, setAttribute } from '../dom.ts';

const LEAST = 0.1;
const MOST = 4;
const STEP = 1.25;
/** Fitting never shrinks text below what can be read; the frame scrolls instead. */
const READABLE = 0.7;

export class DiagramFrame {
  readonly controls: HTMLElement;
  readonly element = el('div', {
    class: 'diagram-frame',
    tabindex: 0,
    role: 'group',
    'aria-label': 'Diagram, arrow keys scroll',
  });
  private picture: SVGSVGElement | undefined;
  private natural = { width: 1, height: 1 };
  private scale = 1;
  /** The picture is kept as wide as the frame until the user zooms. */
  private fitting = true;
  private width = 0;

  constructor() {
    const button = (label: string, text: string, act: () => void) => {
      const made = el('button', { type: 'button', class: 'link-button', 'aria-label': label }, text);
      made.addEventListener('click', act);
      return made;
    };
    this.controls = el(
      'div',
      { class: 'diagram-controls' },
      button('Zoom out', '−', () => this.zoomTo(this.scale / STEP)),
      button('Zoom in', '+', () => this.zoomTo(this.scale * STEP)),
      button('Fit the width', 'Fit', () => this.fit()),
      button('Actual size', '100 %', () => this.zoomTo(1)),
    );
    this.element.addEventListener('wheel', (event) => this.onWheel(event), { passive: false });
    this.element.addEventListener('keydown', (event) => {
      // The frame scrolls itself; the panel's own keys must not take these.
      if (/^(Arrow|Page|Home|End)/.test(event.key)) event.stopPropagation();
    });
    new ResizeObserver((entries) => {
      this.width = entries.at(-1)?.contentRect.width ?? 0;
      if (this.fitting) this.fit();
    }).observe(this.element);
  }

  /** Shows a picture, or nothing. Where the user has zoomed, the zoom stays. */
  show(picture: SVGSVGElement | undefined): void {
    this.picture = picture;
    setAttribute(this.element, 'hidden', picture === undefined);
    if (!picture) {
      this.element.replaceChildren();
      return;
    }
    const { width, height } = picture.viewBox.baseVal;
    this.natural = { width: Math.max(width, 1), height: Math.max(height, 1) };
    picture.style.maxWidth = 'none';
    picture.removeAttribute('height');
    this.element.replaceChildren(picture);
    if (this.fitting) this.fit();
    else this.apply();
  }

  /** The next picture is a different one: fit it. */
  fitNext(): void {
    this.fitting = true;
  }

  /** As wide as the frame, but never larger than life nor too small to read. */
  private fit(): void {
    this.fitting = true;
    this.scale = this.width > 0 ? Math.min(Math.max(this.width / this.natural.width, READABLE), 1) : 1;
    this.apply();
  }

  private zoomTo(scale: number): void {
    this.fitting = false;
    this.scale = Math.min(Math.max(scale, LEAST), MOST);
    this.apply();
  }

  private apply(): void {
    if (!this.picture) return;
    setAttribute(this.picture, 'width', Math.round(this.natural.width * this.scale));
    setAttribute(this.picture, 'height', Math.round(this.natural.height * this.scale));
  }

  private onWheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.altKey) return;
    event.preventDefault();
    this.zoomTo(this.scale * 1.002 ** -(event.deltaY || event.deltaX));
  }
}
