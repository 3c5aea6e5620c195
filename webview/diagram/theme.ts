/** Mermaid's theme from the editor's colours, read where it is used and again when the editor's theme changes. */

export type ThemeVariables = Readonly<Record<string, string | boolean>>;

/** The variables of Mermaid's `base` theme for the theme that the page has now. */
export function themeVariables(root: HTMLElement, body: HTMLElement): ThemeVariables {
  const style = getComputedStyle(root);
  const read = (...names: readonly string[]) => {
    for (const name of names) {
      const value = style.getPropertyValue(`--w-${name}`).trim();
      if (value !== '' && value !== 'transparent')
        return opaque(value, style.getPropertyValue('--w-bg').trim());
    }
    return 'gray';
  };
  const contrast = body.classList.contains('vscode-high-contrast');
  const background = read('bg');
  const text = read('fg');
  const line = contrast ? read('contrast', 'fg') : read('dim');
  const raised = contrast ? background : read('raised');
  const border = contrast ? read('contrast', 'fg') : read('dim');
  return {
    darkMode: isDark(background),
    background,
    fontFamily: style.getPropertyValue('--w-font').trim() || 'sans-serif',
    fontSize: '13px',
    primaryColor: raised,
    primaryTextColor: text,
    primaryBorderColor: border,
    secondaryColor: raised,
    secondaryTextColor: text,
    secondaryBorderColor: border,
    tertiaryColor: background,
    tertiaryTextColor: text,
    tertiaryBorderColor: border,
    mainBkg: raised,
    nodeBorder: border,
    nodeTextColor: text,
    clusterBkg: background,
    clusterBorder: border,
    titleColor: text,
    textColor: text,
    lineColor: line,
    arrowheadColor: line,
    edgeLabelBackground: background,
    actorBkg: raised,
    actorBorder: border,
    actorTextColor: text,
    actorLineColor: line,
    signalColor: text,
    signalTextColor: text,
    labelBoxBkgColor: raised,
    labelBoxBorderColor: border,
    labelTextColor: text,
    noteBkgColor: background,
    noteBorderColor: border,
    noteTextColor: text,
    activationBkgColor: contrast ? background : read('selected-bg', 'raised'),
    activationBorderColor: border,
  };
}

/** A colour that Mermaid can compute with: `rgb()` or hex without transparency, laid over the background. */
function opaque(color: string, background: string): string {
  const front = channels(color);
  if (!front) return color;
  const behind = channels(background) ?? [0, 0, 0, 1];
  const [r, g, b, a] = front;
  const mix = (top: number, below: number) => Math.round(top * a + below * (1 - a));
  return hex(mix(r, behind[0]), mix(g, behind[1]), mix(b, behind[2]));
}

type Channels = readonly [number, number, number, number];

function channels(color: string): Channels | undefined {
  const digits = /^#([0-9a-f]{3,8})$/i.exec(color)?.[1];
  if (digits !== undefined) {
    const short = digits.length < 6;
    const at = (index: number) => {
      const part = short ? digits.slice(index, index + 1).repeat(2) : digits.slice(index * 2, index * 2 + 2);
      return Number.parseInt(part || 'ff', 16);
    };
    return [at(0), at(1), at(2), at(3) / 255];
  }
  const inside = /^rgba?\(([^)]+)\)$/i.exec(color)?.[1];
  const parts = inside
    ?.split(/[\s,/]+/)
    .filter(Boolean)
    .map(Number.parseFloat);
  const [r, g, b, a = 1] = parts ?? [];
  return r === undefined || g === undefined || b === undefined ? undefined : [r, g, b, a];
}

function hex(...values: readonly number[]): string {
  return `#${values.map((value) => Math.min(Math.max(value, 0), 255).toString(16).padStart(2, '0')).join('')}`;
}

function isDark(color: string): boolean {
  const [r, g, b] = channels(color) ?? [0, 0, 0];
  return r * 0.299 + g * 0.587 + b * 0.114 < 128;
}
