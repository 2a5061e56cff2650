/**
 * A shop's two colors on the page. Text on them is computed, never taken from the shop: black or white, whichever is legible. In dark mode
 * the side is a dark shade, and the button is lightened until it stands out; both keep their hue.
 */
import type { PayPage } from '../api/pay.ts';

type Rgb = readonly [number, number, number];

const READS = 4.5;
/** At this contrast, text stays legible when slightly dimmed. */
const READS_SOFT = 7;
/** At this contrast, the side is dark beside the page. */
const READS_WELL = 12;
/** `--_surface` of the tokens. */
const LIGHT: Rgb = [255, 255, 255];
const DARK: Rgb = [0x16, 0x1a, 0x21];
/** Text on the side in dark mode. */
const PALE = '#eef1f5';
const INKS = ['#ffffff', '#14181f', '#000000'] as const;

function rgb(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function hex(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** WCAG 2. */
function luminance(color: Rgb): number {
  const [r, g, b] = color.map((part) => {
    const c = part / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(one: string | Rgb, other: string | Rgb): number {
  const [high, low] = [one, other]
    .map((color) => luminance(typeof color === 'string' ? rgb(color) : color))
    .sort((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** The text color on `color`: black or white, one of which always reaches 4.5:1. */
export function inkOn(color: string): string {
  return INKS.find((ink) => contrast(ink, color) >= READS)!;
}

/** `color`, made lighter or darker in steps of `by`, of HSL's lightness, until it has the wanted contrast with `ground`. It keeps its hue. */
function until(color: string, by: number, ground: string | Rgb, wanted: number): string {
  const from = rgb(color);
  const middle = (Math.min(...from) + Math.max(...from)) / 2;
  const room = (at: number): number => 255 - Math.abs(2 * at - 255);
  let made = color;
  // Measured after rounding to hex, which can reduce the contrast.
  for (let at = middle; contrast(made, ground) < wanted; ) {
    at += by;
    const spread = room(at) / (room(middle) || 1);
    made = hex(from.map((part) => at + (part - middle) * spread) as unknown as Rgb);
  }
  return made;
}

/** The page's custom properties: docs/checkout.md#your-look says what each color is for. */
export function brandProperties({
  primaryColor,
  secondaryColor,
}: NonNullable<PayPage['branding']>): Record<string, string> {
  // More than required: in dark mode a button at 4.5:1 looks disabled.
  const button = until(secondaryColor, 5, DARK, READS_SOFT);
  const text = until(secondaryColor, -5, LIGHT, READS);
  const ink = inkOn(primaryColor);
  return {
    '--pay-side': `light-dark(${primaryColor}, ${until(primaryColor, -5, PALE, READS_WELL)})`,
    '--pay-on-side': `light-dark(${ink}, ${PALE})`,
    '--pay-soft': contrast(ink, primaryColor) >= READS_SOFT ? '0.82' : '1',
    '--pay-mark': secondaryColor,
    '--pay-on-mark': inkOn(secondaryColor),
    '--cb-color-accent': `light-dark(${secondaryColor}, ${button})`,
    '--cb-color-on-accent': `light-dark(${inkOn(secondaryColor)}, ${inkOn(button)})`,
    '--cb-color-accent-text': `light-dark(${text}, ${button})`,
    '--cb-color-focus': `light-dark(${text}, ${button})`,
    // A button close to the page's color needs an edge.
    '--pay-edge': `light-dark(${contrast(secondaryColor, LIGHT) < 3 ? '#808999' : 'transparent'}, transparent)`,
  };
}
