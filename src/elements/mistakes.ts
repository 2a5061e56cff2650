/** Tells the developer of a page what is wrong with an element, in the page's own words. Loaded when it happens. */
import type { LitElement } from 'lit';
import { type ConnectError, DOCS_URL } from '../base/errors.ts';
import { warn } from '../base/warn.ts';
import type { ElementAction } from './events.ts';

/** Each field of the request is named as the attribute that the page wrote, or left out, or as the property that it set. */
export function warnOfFields(
  element: LitElement,
  action: ElementAction,
  { details, docsUrl }: ConnectError<'request.invalid'>,
): void {
  const lines = details.issues.map(({ path, message }) => {
    const name = action === 'execute' ? `request.${path}`.replace(/\.$/, '') : written(element, path);
    return name ? `${name}: ${message}` : message;
  });
  warn({ shortMessage: `<${element.localName}> ${lines.join('; ')}`, docsUrl });
}

function written(element: LitElement, path: string): string {
  const [field = '', ...inside] = path.split('.');
  const { elementProperties } = element.constructor as typeof LitElement;
  for (const [property, { attribute = true }] of elementProperties) {
    const name = attribute === true ? String(property).toLowerCase() : attribute;
    if (!name || (property !== field && name !== field)) continue;
    const isProperty = !element.hasAttribute(name) && element[property as keyof LitElement] != null;
    if (isProperty) return [property, ...inside].join('.');
    // An attribute has its list as one text.
    return [name, ...inside.filter((step) => !/^\d+$/.test(step))].join('.');
  }
  return path;
}

/** What Lit makes of an element's own and inherited properties when it is defined. */
interface Defined {
  elementProperties?: ReadonlyMap<PropertyKey, unknown>;
}

/** `other`: the element already defined. Another copy of ours is recognised by a distinctive property. */
export function warnOfName(name: string, other: object): void {
  const isOurs = (other as Defined).elementProperties?.has('connect');
  const about = (place: string, shortMessage: string) =>
    warn({ shortMessage, docsUrl: `${DOCS_URL}troubleshooting.md#${place}` });
  if (isOurs) about('two-copies', 'it is on this page twice. The first copy stays.');
  else
    about(
      'another-element-of-the-same-name',
      `<${name}> is an element of another script on this page. The wallet’s own cannot be used.`,
    );
}

// The page sets the accent colours; text with a contrast below 4.5:1 is not legible for everybody.

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

let hasWarnedOfContrast = false;

/** Warns once per page. */
export function warnOfContrast(element: Element): void {
  if (hasWarnedOfContrast) return;
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
  hasWarnedOfContrast = true;
  // oxlint-disable-next-line no-console -- a development warning that names the fix
  console.warn(
    `<${element.localName}>: --cb-color-on-accent on --cb-color-accent has a contrast of ${ratio.toFixed(1)}:1. ` +
      'Set both so that it is at least 4.5:1.',
  );
}
