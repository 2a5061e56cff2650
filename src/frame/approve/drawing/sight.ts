/**
 * Which parts of a request are still unseen, as text for the Approve button and for the button that scrolls there; and what they say, for
 * those who hear it.
 */
import { html, nothing, type TemplateResult } from 'lit';
import type { Clock } from '../../../base/clock.ts';
import { shortText } from '../../../ui/address.ts';
import { icon } from '../../../ui/icons.ts';
import { isolated } from '../../../ui/text.ts';
import type { Announcement } from '../../../ui/status.ts';
import { msg, str } from '../../../base/localize.ts';
import type { PinConsentView } from '../../ui/consent-view.ts';
import { iconDown } from './heading.ts';
import { type Part, SeenParts } from './seen.ts';

/** In a low window every warning has to be seen line by line: whole, it may be higher than the window. */
const WARNING_LINES = '.alert b, .alert p, .note > summary';

export class Sight {
  readonly #seen: SeenParts;
  #told = false;

  /** `root`: what the view renders into. `onChange` must rerender it. */
  constructor(
    readonly root: ShadowRoot,
    clock: Clock,
    onChange: () => void,
  ) {
    this.#seen = new SeenParts({ clock, onChange });
  }

  /** Call after each render: describes the PIN field, and tells once what has to be seen, and again each time it all has to be. */
  update(view: PinConsentView<unknown>): void {
    this.#seen.watch(this.root, view.phase ? WARNING_LINES : undefined);
    // What is asked has changed.
    if (view.phase === 'pin' && view.unread) view.phase = 'look';
    const text = this.words();
    if (view.pinRow) view.pinRow.description = text;
    if (this.#told) return;
    this.#told = true;
    const detail: Announcement = { text };
    // After the title, which a view that opens announces.
    void view.updateComplete.then(() =>
      view.dispatchEvent(new CustomEvent('cbf-announce', { detail, bubbles: true, composed: true })),
    );
  }

  /** Discards everything seen so far. */
  forget(): void {
    this.#told = false;
    this.#seen.forget();
  }

  /** Effect, recipients, what is at risk and the total as sentences. `brief`: without terms and risk, with short addresses. */
  words(brief = false): string {
    const { root } = this;
    const all = (selector: string): HTMLElement[] => [...root.querySelectorAll<HTMLElement>(selector)];
    const effect = all(brief ? 'h1' : '.effect .grow > *').map((line) => textOf(line, brief));
    const rows = all('[data-seen="to"]').map((to) => to.closest<HTMLElement>('.party, .kv > div') ?? to);
    const lines = [...new Set(rows), ...all(brief ? '.sum > .total' : '.sum > :is(.risk, .total)')];
    return [effect.join(', '), ...lines.map((line) => textOf(line, brief))].join('. ');
  }

  stop(): void {
    this.#seen.stop();
  }

  /** Undefined once everything has been seen. */
  get missing(): string | undefined {
    const parts = this.#seen.missing;
    if (!parts.length) return undefined;
    const hidden = parts.find(({ outside }) => outside);
    // In view, but covered, or not in view for long enough yet.
    if (!hidden) return msg('Just arrived');
    if (hidden.kind === 'end') return msg('Read to the end first');
    if (hidden.kind === 'origin') return msg('See the site first');
    if (hidden.kind === 'warning') return msg('See the warnings first');
    if (hidden.kind !== 'to' && hidden.kind !== 'address') return msg('See the amount first');
    return this.root.querySelectorAll('[data-seen="to"]').length > 1
      ? msg('See every recipient first')
      : msg('See the recipient first');
  }

  /** The first part out of view, and how to scroll there. Never one that is only covered: a button could be the cover, and would stay. */
  get next(): { name: string; show(): void } | undefined {
    const hidden = this.#hidden;
    return hidden && { name: nameOf(hidden), show: () => this.#show(hidden) };
  }

  get #hidden(): Part | undefined {
    return this.#seen.missing.find(({ outside }) => outside);
  }

  /** A button over the end of the body that scrolls to the first part out of view. */
  pill(): TemplateResult | typeof nothing {
    const { next } = this;
    const kind = this.#hidden?.kind;
    // Header and footer do not scroll.
    if (!next || kind === 'origin' || kind === 'total') return nothing;
    return html`<button type="button" class="btn pill" @click=${next.show}>
      ${icon(iconDown(), 's')}<span>${next.name}</span>
    </button>`;
  }

  #show({ kind, element }: Part): void {
    const body = this.root.querySelector('.body');
    if (kind !== 'end') element.scrollIntoView({ block: 'center' });
    // Slightly less than a page, so that no line is skipped.
    else body?.scrollBy(0, body.clientHeight - Math.min(60, body.clientHeight / 4));
  }
}

function nameOf({ kind, number }: Part): string {
  if (kind === 'to' || kind === 'address') return msg(str`Show recipient ${number}`);
  if (kind === 'warning') return msg('Show the warnings');
  return kind === 'end' ? msg('Next page') : msg('Show the amount');
}

/** The text of an element as a screen reader reads it, on one line. */
function textOf(node: Node, brief: boolean): string {
  if (!(node instanceof HTMLElement)) return node.nodeType === Node.TEXT_NODE ? node.textContent! : '';
  if (node.ariaHidden === 'true') return '';
  const isMoney = node.localName === 'bdi';
  const text =
    node.title ||
    [...node.childNodes]
      .map((child) => textOf(child, brief))
      .join(isMoney ? '' : ' ')
      .replace(/\s+/g, ' ')
      .trim();
  return isMoney ? isolated(text) : brief && node.getAttribute('translate') === 'no' ? shortText(text) : text;
}
