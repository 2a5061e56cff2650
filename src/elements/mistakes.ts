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
