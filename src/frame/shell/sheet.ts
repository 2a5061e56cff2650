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

type SheetLink = Pick<HostLink, 'sheet' | 'tellHeight'>;

const sheets = new WeakMap<Shell, Sheet>();

/** Called whenever `link.sheet` changes. */
export function beSheet(shell: Shell, link: SheetLink): void {
  const sheet = sheets.get(shell) ?? new Sheet(shell, link);
  sheets.set(shell, sheet);
  sheet.update();
}

class Sheet {
  readonly #shell: Shell;
  readonly #link: SheetLink;
  readonly #styles = new CSSStyleSheet();
  /** The height last reported. */
  #height = 0;

  constructor(shell: Shell, link: SheetLink) {
    this.#shell = shell;
    this.#link = link;
    this.#styles.replaceSync(styles.cssText);
    shell.shadowRoot!.adoptedStyleSheets.push(this.#styles);
    this.#watchHeight();
    this.#closeByPull();
  }

  update(): void {
    this.#styles.disabled = !this.#link.sheet;
    this.#report();
  }

  get #view(): Element | null | undefined {
    return this.#shell.shadowRoot!.querySelector('.main')?.firstElementChild;
  }

  /** The sheet only grows: folding a part or going back must not move what the user is about to press. */
  #report(): void {
    const view = this.#view;
    if (!view || !this.#link.sheet) return;
    const height = this.#contentHeight(view);
    if (height === undefined || height <= this.#height) return;
    this.#height = height;
    this.#link.tellHeight(height);
  }

  /**
   * Header, footer and the whole body. Undefined while hidden, or while a skeleton stands in for the contents: the sheet keeps its height.
   * A body with spare room does not reveal how much it needs, so it is laid out without that room for a moment, before the next paint.
   */
  #contentHeight(view: Element): number | undefined {
    const { classList, clientHeight } = this.#shell;
    const body = view.shadowRoot?.querySelector<HTMLElement>('.body');
    if (!body?.offsetHeight || body.querySelector('.bones')) return undefined;
    const available = body.clientHeight;
    let needed = body.scrollHeight;
    if (needed <= available) {
      classList.add('bare');
      needed = body.offsetHeight;
      classList.remove('bare');
    }
    return Math.max(view instanceof ConsentView ? CONSENT : 0, Math.ceil(clientHeight - available + needed));
  }

  /** Views rerender, and their parts fold and load on their own. Checked once per animation frame. */
  #watchHeight(): void {
    let waits = false;
    const look = (): void => {
      if (waits) return;
      waits = true;
      requestAnimationFrame(() => {
        waits = false;
        this.#report();
      });
    };
    const sizes = new ResizeObserver(look);
    const parts = new MutationObserver(() => watch());
    const watch = (): void => {
      const root = this.#view?.shadowRoot;
      sizes.disconnect();
      parts.disconnect();
      parts.observe(this.#shell.shadowRoot!.querySelector('.main')!, { childList: true });
      if (root) {
        parts.observe(root, { childList: true, subtree: true });
        for (const part of root.querySelectorAll('.body > *, .foot')) sizes.observe(part);
      }
      look();
    };
    watch();
  }

  #closeByPull(): void {
    const shell = this.#shell;
    let start: number | undefined;
    shell.addEventListener('pointerdown', (event) => {
      const pulls = event.isPrimary && event.pointerType === 'touch' && event.composedPath().some(isHeader);
      start = pulls ? event.clientY : undefined;
    });
    shell.addEventListener('pointercancel', () => (start = undefined));
    shell.addEventListener('pointerup', ({ isPrimary, clientY }) => {
      const isFar = isPrimary && start !== undefined && clientY - start >= FAR;
      start = undefined;
      if (isFar && this.#link.sheet && shell.closable && !hasDigits(shell.shadowRoot!))
        shell.dispatchEvent(new CustomEvent('cbf-close'));
    });
  }
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
