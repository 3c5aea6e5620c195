// Contrast of text with what is behind it, computed in the page: axe leaves much of it undecided.

/** Texts that can be seen and have less than 4.5:1; runs in the page. */
export function weakTexts() {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  const backgroundOf = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reduceRight((under, top) => over(top, under), [255, 255, 255, 1]);
  };
  const luminance = (colour) => {
    const [r, g, b] = colour.map((value) => {
      const share = value / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => {
    const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
  const weak = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (
      !node.nodeValue.trim() ||
      !element.checkVisibility() ||
      element.closest('script, style, .hidden-text, option')
    )
      continue;
    const svg = element.closest('svg');
    const style = getComputedStyle(element);
    // A label on a plate of its own says so by its class.
    const plate = element.matches('.now-label')
      ? getComputedStyle(document.querySelector('.now-plate')).fill
      : undefined;
    const behind = plate ? rgba(plate) : backgroundOf(svg?.parentElement ?? element);
    const found = ratio(over(rgba(svg ? style.fill : style.color), behind), behind);
    if (found < 4.5)
      weak.push(
        `${node.nodeValue.trim().slice(0, 30)} ${found.toFixed(2)} .${element.getAttribute('class')}`,
      );
  }
  return [...new Set(weak)];
}
