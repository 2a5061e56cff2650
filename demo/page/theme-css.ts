/** The CSS of a theme: only what differs from the defaults, and never an unreadable pair of colours. */

/** Colours as `#rrggbb`. */
export interface Scheme {
  accent: string;
  surface: string;
  text: string;
}

export const FONTS = {
  System: '',
  Serif: 'Georgia, "Times New Roman", serif',
  Rounded: 'ui-rounded, "Arial Rounded MT Bold", "Trebuchet MS", sans-serif',
  Mono: 'ui-monospace, Menlo, Consolas, monospace',
} as const;

/** Rules for parts, by what they do. */
export const PART_RULES = {
  'Pill buttons': '::part(button) {\n  border-radius: 999px;\n}',
  'Capitals on buttons': '::part(button) {\n  letter-spacing: 0.04em;\n  text-transform: uppercase;\n}',
  'Wide buttons': '::part(button) {\n  inline-size: 100%;\n}',
  'Raised wallets': '::part(wallet) {\n  box-shadow: 0 4px 14px rgb(20 24 31 / 0.12);\n}',
} as const;

export interface Theme {
  light: Scheme;
  dark: Scheme;
  /** Pixels. */
  radius: number;
  space: number;
  fontSize: number;
  font: keyof typeof FONTS;
  parts: readonly (keyof typeof PART_RULES)[];
}

export const DEFAULT: Theme = {
  light: { accent: '#2351b0', surface: '#ffffff', text: '#14181f' },
  dark: { accent: '#8fb3f7', surface: '#161a21', text: '#eef1f5' },
  radius: 12,
  space: 4,
  fontSize: 15,
  font: 'System',
  parts: [],
};

const PARTED = ':is(link-wallets, manage-wallets, transfer-dialog, sign-request, swap-panel)';
/** WCAG 2.2, 1.4.3 and 1.4.11. */
const TEXT = 4.5;
const EDGE = 3;

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

function luminance(color: string): number {
  const [r, g, b] = channels(color).map((byte) => {
    const c = byte / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

/** WCAG 2 contrast, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

/** `share` percent of `other` in `one`. */
function mix(one: string, other: string, share: number): string {
  const to = channels(other);
  const mixed = channels(one).map((from, at) => Math.round(from + ((to[at]! - from) * share) / 100));
  return `#${mixed.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** White or black, whichever has more contrast: one of them always has 4.5:1. */
function on(ground: string): string {
  return contrast('#ffffff', ground) >= contrast('#000000', ground) ? '#ffffff' : '#000000';
}

/** `color` mixed with the least of `towards` that reaches the contrast, or `towards` itself. */
function readable(color: string, ground: string, towards: string, ratio: number): string {
  for (let share = 0; share < 100; share += 5) {
    const mixed = mix(color, towards, share);
    if (contrast(mixed, ground) >= ratio) return mixed;
  }
  return towards;
}

/** Every colour derived from the chosen ones. */
function colors({ accent, surface, text }: Scheme): Record<string, string> {
  const inset = mix(surface, text, 9);
  return {
    accent,
    'on-accent': on(accent),
    'accent-text': readable(accent, surface, text, TEXT),
    surface,
    'surface-2': mix(surface, text, 4),
    'surface-3': inset,
    text,
    'text-2': readable(mix(text, surface, 25), inset, text, TEXT),
    'text-3': readable(mix(text, surface, 35), inset, text, TEXT),
    border: mix(surface, text, 12),
    'border-strong': readable(mix(surface, text, 45), surface, text, EDGE),
  };
}

/** Colours derived from each of these. */
const FOLLOWING: Readonly<Record<keyof Scheme, readonly string[]>> = {
  accent: ['accent', 'on-accent', 'accent-text'],
  surface: [
    'accent-text',
    'surface',
    'surface-2',
    'surface-3',
    'text-2',
    'text-3',
    'border',
    'border-strong',
  ],
  text: ['text', 'surface-2', 'surface-3', 'text-2', 'text-3', 'border', 'border-strong'],
};

function changed(theme: Theme): Set<string> {
  const names = (Object.keys(FOLLOWING) as (keyof Scheme)[]).filter((name) =>
    (['light', 'dark'] as const).some((scheme) => theme[scheme][name] !== DEFAULT[scheme][name]),
  );
  return new Set(names.flatMap((name) => FOLLOWING[name]));
}

/** Ready to paste into a page. Empty for the defaults. */
export function themeCss(theme: Theme): string {
  const [light, dark] = [colors(theme.light), colors(theme.dark)];
  const needed = changed(theme);
  const lines = Object.keys(light)
    .filter((name) => needed.has(name))
    .map((name) => `--cb-color-${name}: light-dark(${light[name]}, ${dark[name]});`);
  if (theme.radius !== DEFAULT.radius) lines.push(`--cb-radius: ${theme.radius}px;`);
  if (theme.space !== DEFAULT.space) lines.push(`--cb-space: ${theme.space}px;`);
  if (theme.fontSize !== DEFAULT.fontSize) lines.push(`--cb-font-size: ${theme.fontSize}px;`);
  if (FONTS[theme.font]) lines.push(`--cb-font: ${FONTS[theme.font]};`);
  return [
    ...(lines.length ? [`:root {\n${lines.map((line) => `  ${line}\n`).join('')}}`] : []),
    ...theme.parts.map((part) => PARTED + PART_RULES[part]),
  ].join('\n');
}

/** The contrast of the chosen text on the chosen surface, which no derived colour can mend, if it is too low. */
export function tooFaint({ text, surface }: Scheme): number | undefined {
  const ratio = contrast(text, surface);
  return ratio < TEXT ? ratio : undefined;
}

/** Complete themes to start from. */
export const PRESETS: Readonly<Record<string, Theme>> = {
  Carabiner: DEFAULT,
  Forest: {
    ...DEFAULT,
    light: { ...DEFAULT.light, accent: '#0b6e4f' },
    dark: { ...DEFAULT.dark, accent: '#7fd6b0' },
    radius: 6,
  },
  Paper: {
    ...DEFAULT,
    light: { accent: '#8a3b12', surface: '#fffdf8', text: '#2a1d14' },
    dark: { accent: '#f0b48a', surface: '#1f1813', text: '#f6ece2' },
    radius: 2,
    font: 'Serif',
  },
  Ink: {
    ...DEFAULT,
    light: { accent: '#14181f', surface: '#ffffff', text: '#14181f' },
    dark: { accent: '#eef1f5', surface: '#111111', text: '#eef1f5' },
    radius: 0,
    parts: ['Capitals on buttons'],
  },
  Berry: {
    ...DEFAULT,
    light: { accent: '#a3195b', surface: '#fff8fb', text: '#2a1020' },
    dark: { accent: '#ff9cc8', surface: '#21131b', text: '#fbeaf2' },
    radius: 18,
    font: 'Rounded',
    parts: ['Pill buttons'],
  },
};
