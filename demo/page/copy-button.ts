/** Code to copy. */
import { h, icon } from './dom.ts';

const COPY = 'M9 9h9.5v9.5H9zM15 6V5.5H5.5V15H6';
const CONFIRMED = 2000;

/** `text` is read at the click. */
export function copyButton(name: string, text: () => string): HTMLButtonElement {
  const said = h('span', { 'aria-live': 'polite' }, 'Copy');
  let timer: ReturnType<typeof setTimeout> | undefined;
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(text());
    show(true);
    clearTimeout(timer);
    timer = setTimeout(() => show(false), CONFIRMED);
  }
  function show(copied: boolean): void {
    said.textContent = copied ? 'Copied' : 'Copy';
    button.toggleAttribute('data-copied', copied);
  }
  const button = h(
    'button',
    { type: 'button', class: 'btn secondary mini copy', 'aria-label': name, click: () => void copy() },
    icon(COPY),
    said,
  );
  return button;
}

/** Fills a box with code and its copy button. */
export function showCode(box: Element, label: string, text: string): void {
  const code = h('code', {}, text);
  box.replaceChildren(
    h('pre', { tabindex: '0', dir: 'ltr', role: 'group', 'aria-label': label }, code),
    copyButton(`Copy ${label}`, () => code.textContent ?? ''),
  );
}
