/**
 * On narrow pages the wallet is a sheet: where there is a finger it has a bar, and a pull on its header closes it as Close does. A slip must
 * not cost digits of a PIN: while there are any, only the buttons close.
 */
import { css } from 'lit';
import type { PinField } from '../ui/pin-field.ts';
import type { Shell } from './shell.ts';

/** Pixels downwards. */
const FAR = 80;
/** From this width on the host shows a dialog. */
const NARROW = 480;
/** What scroll bars and window borders may take of a window's width: the page's own is not known here. */
const BORDERS = 40;

// The bar takes no room, or the view would move as it comes. Without `touch-action` the browser would take a pull for scrolling.
const sheetStyles = css`
  header { position: relative; touch-action: none; }
  header::before { content: ""; position: absolute; inset-block-start: 4px; inset-inline: 0; inline-size: 36px; block-size: 4px; margin-inline: auto; border-radius: 2px; background: var(--_border-strong); opacity: 0.6; }
`;

export function closeByPull(
  shell: Shell,
  view: Pick<Window, 'innerWidth' | 'outerWidth' | 'addEventListener'> = window,
): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(sheetStyles.cssText);
  shell.shadowRoot!.adoptedStyleSheets.push(sheet);
  const look = (): void => {
    sheet.disabled = view.innerWidth >= NARROW || view.outerWidth >= NARROW + BORDERS;
  };
  look();
  view.addEventListener('resize', look);

  let start: number | undefined;
  shell.addEventListener('pointerdown', (event) => {
    const pulls = event.isPrimary && event.pointerType === 'touch' && event.composedPath().some(isHeader);
    start = pulls ? event.clientY : undefined;
  });
  shell.addEventListener('pointercancel', () => (start = undefined));
  shell.addEventListener('pointerup', ({ isPrimary, clientY }) => {
    const isFar = isPrimary && start !== undefined && clientY - start >= FAR;
    start = undefined;
    if (isFar && !sheet.disabled && shell.closable && !hasDigits(shell.shadowRoot!))
      shell.dispatchEvent(new CustomEvent('cbf-close'));
  });
}

function isHeader(part: EventTarget): boolean {
  return part instanceof Element && part.localName === 'header';
}

function hasDigits(root: ShadowRoot): boolean {
  return [...root.querySelectorAll('*')].some((element) =>
    element.localName === 'cbf-pin-field'
      ? (element as PinField).value !== ''
      : element.shadowRoot && hasDigits(element.shadowRoot),
  );
}
