/** Creates elements without HTML text, which the page's policy forbids. */
type Child = Node | string;
type Attributes = Record<string, string | boolean | ((event: Event) => void)>;

function apply(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false) element.setAttribute(name, value);
  }
}

/** A function is a listener for the event in its attribute's name. */
export function h<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[T] {
  const element = document.createElement(tag);
  apply(element, attributes);
  element.append(...children);
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

export function icon(path: string, transform?: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  apply(svg, { viewBox: '0 0 24 24', 'aria-hidden': 'true', class: 'i' });
  const line = document.createElementNS(SVG, 'path');
  apply(line, { d: path, ...(transform ? { transform } : {}) });
  svg.append(line);
  return svg;
}
