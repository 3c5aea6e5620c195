/** How wide a text is, without touching the page's layout. */

/** Measures texts in one font; `useFontOf` changes it. */
export class TextMeasure {
  private readonly context = document.createElement('canvas').getContext('2d');
  private readonly known = new Map<string, number>();
  private font = '';

  /** Takes over an element's font, in the drawings' size. */
  useFontOf(element: Element): void {
    const { fontStyle, fontWeight, fontFamily } = getComputedStyle(element);
    const font = `${fontStyle} ${fontWeight} 12px ${fontFamily}`;
    if (font === this.font) return;
    this.font = font;
    this.known.clear();
    if (this.context) this.context.font = font;
  }

  width(text: string): number {
    const found = this.known.get(text);
    if (found !== undefined) return found;
    const width = this.context ? this.context.measureText(text).width : text.length * 7;
    if (this.known.size > 2_000) this.known.clear();
    this.known.set(text, width);
    return width;
  }

  /** The first of the texts that fits, the most telling first; empty when none does. */
  firstThatFits(texts: readonly string[], room: number): string {
    return texts.find((text) => this.width(text) <= room) ?? '';
  }
}
