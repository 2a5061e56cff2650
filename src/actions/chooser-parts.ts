/** The chooser's building blocks. */

// The paths of `iconChevronEnd` and others in `src/ui/icons.ts` and `src/ui/list-icons.ts`, which need Lit.
const CHEVRON = 'm9.5 6.5 5.5 5.5-5.5 5.5';

interface Choice {
  className: string;
  label: string;
  /** The accessible name, if it is not the label. */
  name?: string;
  note: string;
  mark: Node;
  onClick: () => void;
}

let notes = 0;

/** The button covers the row, so that its accessible name is the label alone, and the note is its description. */
export function choice<K extends 'div' | 'li'>(
  tag: K,
  { className, label, name = label, note, mark, onClick }: Choice,
): HTMLElementTagNameMap[K] {
  const row = element(tag, `choice ${className}`);
  const described = element('span', 'note', note);
  described.id = `note${notes++}`;
  const text = element('span', 'text');
  text.ariaHidden = 'true';
  text.append(element('span', 'label', label), described);
  const marked = element('span', 'mark');
  marked.append(mark);
  const chevron = icon(CHEVRON);
  chevron.classList.add('chevron');
  const button = element('button');
  button.type = 'button';
  button.ariaLabel = name;
  button.setAttribute('aria-describedby', described.id);
  button.onclick = onClick;
  row.append(marked, text, chevron, button);
  return row;
}

/** One of two buttons side by side. */
export function action(className: string, text: string, onClick: () => void): HTMLButtonElement {
  const button = element('button', `action ${className}`, text);
  button.type = 'button';
  button.onclick = onClick;
  return button;
}

export function element<
  K extends 'button' | 'div' | 'h2' | 'h3' | 'img' | 'li' | 'p' | 'section' | 'span' | 'ul',
>(name: K, className = '', text = ''): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(name), { className, textContent: text });
}

export function icon(path: string): SVGSVGElement {
  const SVG = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(SVG, 'path');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}
