/** The page sets the accent colours; text with a contrast below 4.5:1 is not legible for everybody. */

/** WCAG 2 relative luminance of any CSS colour. It is painted and read back, so that `oklch()` and names work too. */
function luminance(color: string): number {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (!context) return 0;
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0] = [...context.getImageData(0, 0, 1, 1).data].map((byte) => {
    const c = byte / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

let hasWarned = false;

/** Warns once per page. */
export function warnOfContrast(element: Element): void {
  if (hasWarned) return;
  const style = getComputedStyle(element);
  const pair = ['--_accent', '--_on-accent'].map((name) => {
    const probe = document.createElement('i');
    probe.style.color = style.getPropertyValue(name);
    element.shadowRoot?.append(probe);
    const light = luminance(getComputedStyle(probe).color);
    probe.remove();
    return light;
  });
  const [high = 0, low = 0] = pair.sort((a, b) => b - a);
  const ratio = (high + 0.05) / (low + 0.05);
  if (ratio >= 4.5) return;
  hasWarned = true;
  // oxlint-disable-next-line no-console -- a development warning that names the fix
  console.warn(
    `<${element.localName}>: --cb-color-on-accent on --cb-color-accent has a contrast of ${ratio.toFixed(1)}:1. ` +
      'Set both so that it is at least 4.5:1.',
  );
}
