/**
 * On narrow pages the wallet is a bottom sheet as high as its contents, with a grab bar; on touch screens, dragging the header down closes
 * it as Close does. A slip must not lose PIN digits: once any are typed, only the buttons close it.
 */
import { css } from 'lit';
import type { HostLink } from '../../channel/link.ts';
import { ConsentView } from '../ui/consent-view.ts';
import type { PinField } from '../ui/pin-field.ts';
import type { Shell } from './shell.ts';

/** Drag distance that closes, in pixels. */
const FAR = 80;
/** From this height in pixels, approvals are drawn at full size. */
const CONSENT = 560;

// Without `touch-action` the browser would treat a drag as scrolling.
const styles = css`
  :host(.bare) { --_flex: none; }
  header { position: relative; min-block-size: 58px; padding-block: 10px 4px; touch-action: none; }
  header::before { content: ""; position: absolute; inset-block-start: 5px; inset-inline: 0; inline-size: 36px; block-size: 4px; margin-inline: auto; border-radius: 2px; background: var(--_border-strong); opacity: 0.7; }
  @container frame (max-width: 339px) or (max-height: 559px) { header { min-block-size: 54px; padding-block: 8px 2px; } }
  @media (forced-colors: active) { header::before { background: CanvasText; } }
`;

const sheets = new WeakMap<Shell, CSSStyleSheet>();

/** Called whenever `link.sheet` changes. */
export function beSheet(shell: Shell, link: Pick<HostLink, 'sheet' | 'tellHeight'>): void {
  let sheet = sheets.get(shell);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(styles.cssText);
    sheets.set(shell, sheet);
    shell.shadowRoot!.adoptedStyleSheets.push(sheet);
    watchHeight(shell, link);
    closeByPull(shell, link);
  }
  sheet.disabled = !link.sheet;
  tell(shell, link);
}

/** The height last reported. */
const reportedHeights = new WeakMap<Shell, number>();

/** The sheet only grows: folding a part or going back must not move what the user is about to press. */
function tell(shell: Shell, link: Pick<HostLink, 'sheet' | 'tellHeight'>): void {
  const view = viewOf(shell);
  if (!view || !link.sheet) return;
  const height = contentHeight(shell, view);
  if (height === undefined) return;
  if (height <= (reportedHeights.get(shell) ?? 0)) return;
  reportedHeights.set(shell, height);
  link.tellHeight(height);
}

/**
 * Header, footer and the whole body. Undefined while hidden, or while a skeleton stands in for the contents: the sheet keeps its height. A
 * body with spare room does not reveal how much it needs, so it is laid out without that room for a moment, before the next paint.
 */
function contentHeight(shell: Shell, view: Element): number | undefined {
  const body = view.shadowRoot?.querySelector<HTMLElement>('.body');
  if (!body?.offsetHeight || body.querySelector('.bones')) return undefined;
  const available = body.clientHeight;
  let needed = body.scrollHeight;
  if (needed <= available) {
    shell.classList.add('bare');
    needed = body.offsetHeight;
    shell.classList.remove('bare');
  }
  return Math.max(
    view instanceof ConsentView ? CONSENT : 0,
    Math.ceil(shell.clientHeight - available + needed),
  );
}

function viewOf(shell: Shell): Element | null | undefined {
  return shell.shadowRoot!.querySelector('.main')?.firstElementChild;
}

/** Views rerender, and their parts fold and load on their own. Checked once per animation frame. */
function watchHeight(shell: Shell, link: Pick<HostLink, 'sheet' | 'tellHeight'>): void {
  let waits = false;
  const look = (): void => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => {
      waits = false;
      tell(shell, link);
    });
  };
  const sizes = new ResizeObserver(look);
  const parts = new MutationObserver(() => watch());
  const watch = (): void => {
    const root = viewOf(shell)?.shadowRoot;
    sizes.disconnect();
    parts.disconnect();
    parts.observe(shell.shadowRoot!.querySelector('.main')!, { childList: true });
    if (root) {
      parts.observe(root, { childList: true, subtree: true });
      for (const part of root.querySelectorAll('.body > *, .foot')) sizes.observe(part);
    }
    look();
  };
  watch();
}

function closeByPull(shell: Shell, link: Pick<HostLink, 'sheet'>): void {
  let start: number | undefined;
  shell.addEventListener('pointerdown', (event) => {
    const pulls = event.isPrimary && event.pointerType === 'touch' && event.composedPath().some(isHeader);
    start = pulls ? event.clientY : undefined;
  });
  shell.addEventListener('pointercancel', () => (start = undefined));
  shell.addEventListener('pointerup', ({ isPrimary, clientY }) => {
    const isFar = isPrimary && start !== undefined && clientY - start >= FAR;
    start = undefined;
    if (isFar && link.sheet && shell.closable && !hasDigits(shell.shadowRoot!))
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
