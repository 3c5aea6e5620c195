/** Bars, one path a look however many they are: outlines with their fills, glyphs, and marks too thin for either. */
import { fillOf, glyphAt, LOOKS, type LookName, MARKS } from '../glyphs.ts';
import { outlinePath, thinMark, unsafeEdge } from './outline.ts';
import type { PlacedBar } from './place.ts';
import { patch, svg } from './svg.ts';

/** From this width on a bar shows its glyph, and from that one its lock beside it. */
const GLYPH_ROOM = 24;
const LOCK_ROOM = 40;
const GLYPH_HEIGHT = 16;
/** What a bar too narrow for its label needs beside it to show glyph and number there. */
const BESIDE_ROOM = 44;

/** From this many bars on, marks too thin for an outline are drawn paler, so that they do not shout. */
const DENSE = 800;

interface Paths {
  readonly outline: SVGPathElement;
  readonly thin: SVGPathElement;
  readonly glyph: SVGPathElement;
}

/** Whether a bar is so narrow that its glyph and label stand to its right, where there is room. */
export function labelsBeside(placed: PlacedBar): boolean {
  return placed.width < GLYPH_ROOM + 8 && placed.height >= GLYPH_HEIGHT;
}

/** How far from its bar's left edge a label begins. */
export function labelInset(placed: PlacedBar): number {
  if (labelsBeside(placed)) return placed.width + (placed.room >= BESIDE_ROOM ? 20 : 4);
  if (placed.height < GLYPH_HEIGHT) return placed.bar.safe ? 5 : 8;
  if (!hasGlyph(placed)) return 4;
  return hasLock(placed) ? 42 : placed.bar.safe ? 24 : 27;
}

function hasGlyph(placed: PlacedBar): boolean {
  return placed.width >= GLYPH_ROOM && placed.height >= GLYPH_HEIGHT;
}

function hasLock(placed: PlacedBar): boolean {
  return !placed.bar.safe && placed.width >= LOCK_ROOM && placed.height >= GLYPH_HEIGHT;
}

/** A group of bars that are redrawn together. */
export class BarLayer {
  readonly element: SVGGElement;
  private readonly paths = new Map<LookName, Paths>();
  private readonly unsafe = svg('path', { class: 'unsafe-edge' });
  private readonly locks = svg('path', { class: 'bar-lock' });
  private readonly prefix: string;
  private readonly className: string;

  constructor(className: string, prefix: string) {
    this.className = className;
    this.element = svg('g', { class: className }, this.unsafe, this.locks);
    this.prefix = prefix;
  }

  /** Draws exactly these bars; `ragged` says that the ends of open ones were not recorded. */
  draw(placed: readonly PlacedBar[], ragged: boolean): void {
    const data = new Map<LookName, { outline: string; thin: string; glyph: string }>();
    let edges = '';
    let locks = '';
    patch(this.element, { class: placed.length > DENSE ? `${this.className} bars-dense` : this.className });
    for (const item of placed) {
      const look = LOOKS[item.bar.look];
      const entry = data.get(item.bar.look) ?? { outline: '', thin: '', glyph: '' };
      data.set(item.bar.look, entry);
      const middle = item.y + item.height / 2 - 8;
      const beside = labelsBeside(item);
      if (beside && item.room >= BESIDE_ROOM)
        entry.glyph += glyphAt(look.glyph, item.x + item.width + 2, middle);
      if (item.thin) {
        entry.thin += thinMark(item);
        continue;
      }
      entry.outline += outlinePath(item, look.outline, !item.bar.safe, ragged && item.bar.open);
      if (!item.bar.safe) edges += unsafeEdge(item);
      const indent = item.bar.safe ? 5 : 8;
      if (!beside && hasGlyph(item)) entry.glyph += glyphAt(look.glyph, item.x + indent, middle);
      if (hasLock(item)) locks += glyphAt(MARKS.unsafe, item.x + indent + 16, middle);
    }
    for (const [name, paths] of this.paths) if (!data.has(name)) clear(paths);
    for (const [name, entry] of data) {
      const paths = this.pathsOf(name);
      patch(paths.outline, { d: entry.outline });
      patch(paths.thin, { d: entry.thin });
      patch(paths.glyph, { d: entry.glyph });
    }
    patch(this.unsafe, { d: edges });
    patch(this.locks, { d: locks });
  }

  private pathsOf(name: LookName): Paths {
    const found = this.paths.get(name);
    if (found) return found;
    const look = LOOKS[name];
    const { dash, width, shape } = look.outline;
    const made: Paths = {
      outline: svg('path', {
        class: `bar ${look.className} fill-${look.fill}`,
        'data-look': name,
        fill: fillOf(look, this.prefix),
        'stroke-width': shape === 'double' ? 1 : width,
        'stroke-dasharray': dash || undefined,
      }),
      thin: svg('path', { class: `bar-thin ${look.className}` }),
      glyph: svg('path', { class: `bar-glyph ${look.className}${look.solid ? ' glyph-solid' : ''}` }),
    };
    this.paths.set(name, made);
    this.element.append(made.outline, made.thin, made.glyph);
    return made;
  }
}

function clear(paths: Paths): void {
  for (const path of Object.values(paths)) patch(path, { d: '' });
}
