/** Which parts of a request are still unseen, as text for the Approve button and for the button that scrolls there. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Clock } from '../../../clock.ts';
import { icon } from '../../../ui/icon.ts';
import { msg, str } from '../../../ui/localize.ts';
import { iconDown } from './request-icons.ts';
import { type Part, SeenParts } from './seen.ts';

export class Sight {
  readonly #seen: SeenParts;

  /** `root`: what the view renders into. `onChange` must rerender it. */
  constructor(
    readonly root: ShadowRoot,
    clock: Clock,
    onChange: () => void,
  ) {
    this.#seen = new SeenParts({ clock, onChange });
  }

  /** Call after each render. */
  update(): void {
    this.#seen.watch(this.root);
  }

  /** Discards everything seen so far. */
  forget(): void {
    this.#seen.forget();
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

  /**
   * A button over the end of the body that scrolls to the first part out of view. Never to one that is only covered: the button itself
   * could be the cover, and would then stay.
   */
  pill(): TemplateResult | typeof nothing {
    const hidden = this.#seen.missing.find(({ outside }) => outside);
    // Header and footer do not scroll.
    if (!hidden || hidden.kind === 'origin' || hidden.kind === 'total') return nothing;
    return html`<button type="button" class="btn pill" @click=${() => this.#show(hidden)}>
      ${icon(iconDown(), 's')}<span>${nameOf(hidden)}</span>
    </button>`;
  }

  #show({ kind, element }: Part): void {
    const body = this.root.querySelector('.body');
    if (kind !== 'end') element.scrollIntoView({ block: 'center' });
    // Slightly less than a page, so that no line is skipped.
    else body?.scrollBy(0, Math.max(body.clientHeight - 60, 60));
  }
}

function nameOf({ kind, number }: Part): string {
  if (kind === 'to' || kind === 'address') return msg(str`Show recipient ${number}`);
  if (kind === 'warning') return msg('Show the warnings');
  return kind === 'end' ? msg('Next page') : msg('Show the amount');
}
