/**
 * Draws Mermaid text, one picture at a time: while one is drawn only the newest wish is kept, and a picture that is no
 * longer wanted is dropped. The library is loaded with the first picture.
 */
import type { Mermaid } from 'mermaid';
import type { ThemeVariables } from './theme.ts';

export interface Wish {
  readonly text: string;
  readonly theme: ThemeVariables;
}

export type Picture =
  | { readonly ok: true; readonly wish: Wish; readonly svg: SVGSVGElement; readonly ms: number }
  | { readonly ok: false; readonly wish: Wish; readonly reason: string };

export class DiagramRenderer {
  private readonly load: () => Promise<Mermaid>;
  private readonly onPicture: (picture: Picture) => void;
  private library: Promise<Mermaid> | undefined;
  private wanted: Wish | undefined;
  private running = false;
  private count = 0;

  constructor(load: () => Promise<Mermaid>, onPicture: (picture: Picture) => void) {
    this.load = load;
    this.onPicture = onPicture;
  }

  /** Whether a picture is wanted that is not shown yet. */
  get busy(): boolean {
    return this.wanted !== undefined;
  }

  /** Asks for a picture; an earlier one that is not drawn yet is forgotten. */
  want(wish: Wish): void {
    this.wanted = wish;
    if (!this.running) void this.run();
  }

  /** Forgets what is wanted; a picture that is being drawn will not be shown. */
  cancel(): void {
    this.wanted = undefined;
  }

  private async run(): Promise<void> {
    this.running = true;
    for (let wish = this.wanted; wish; wish = this.wanted) {
      const picture = await this.draw(wish);
      // A wish made or taken back meanwhile makes this picture stale.
      if (this.wanted !== wish) continue;
      this.wanted = undefined;
      this.onPicture(picture);
    }
    this.running = false;
  }

  private async draw(wish: Wish): Promise<Picture> {
    try {
      this.library ??= this.load();
      const mermaid = await this.library;
      const started = performance.now();
      mermaid.initialize({
        startOnLoad: false,
        securityLevel: 'strict',
        suppressErrorRendering: true,
        deterministicIds: true,
        htmlLabels: false,
        layout: 'dagre',
        look: 'classic',
        fontSize: 13,
        theme: 'base',
        themeVariables: { ...wish.theme },
        // Messages cross lifelines: a rim in the background's colour keeps them readable.
        themeCSS: `.messageText { paint-order: stroke; stroke: ${wish.theme.background}; stroke-width: 4px; }`,
        flowchart: {
          htmlLabels: false,
          wrappingWidth: 420,
          useMaxWidth: false,
          nodeSpacing: 10,
          rankSpacing: 18,
          padding: 10,
        },
        sequence: {
          useMaxWidth: false,
          mirrorActors: false,
          height: 34,
          actorMargin: 30,
          messageMargin: 24,
          boxMargin: 8,
          noteMargin: 7,
          actorFontSize: 13,
          messageFontSize: 13,
          noteFontSize: 13,
        },
      });
      const { svg } = await mermaid.render(`waves-diagram-${++this.count}`, wish.text);
      return { ok: true, wish, svg: parse(svg), ms: performance.now() - started };
    } catch (error) {
      // A library that did not load is asked for again next time.
      if (this.library && !(await settled(this.library))) this.library = undefined;
      return { ok: false, wish, reason: error instanceof Error ? error.message : String(error) };
    }
  }
}

async function settled(library: Promise<Mermaid>): Promise<boolean> {
  return library.then(
    () => true,
    () => false,
  );
}

/** The picture as an element, with nothing in it that could run or point elsewhere. */
function parse(text: string): SVGSVGElement {
  const parsed = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  const root = document.importNode(parsed, true);
  if (!(root instanceof SVGSVGElement)) throw new Error('Mermaid did not return a picture.');
  for (const element of root.querySelectorAll('script, foreignObject, a, image')) element.remove();
  joinWords(root);
  return root;
}

/** Mermaid writes each word as an element of its own; a line needs only one, which keeps the page small. */
function joinWords(root: SVGSVGElement): void {
  for (const line of root.querySelectorAll('tspan.text-outer-tspan'))
    line.replaceChildren(line.textContent ?? '');
}
