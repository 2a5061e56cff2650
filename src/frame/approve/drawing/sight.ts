/** Which parts of a request the user has not had in view, in the words of Approve and of the button that shows them. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Clock } from '../../../clock.ts';
import { icon } from '../../../ui/icon.ts';
import { msg, str } from '../../../ui/localize.ts';
import { iconDown } from './request-icons.ts';
import { type Part, SeenParts } from './seen.ts';

export class Sight {
  readonly #seen: SeenParts;

  /** `root` is what the view draws into; `onChange` draws it again. */
  constructor(
    readonly root: ShadowRoot,
    clock: Clock,
    onChange: () => void,
  ) {
    this.#seen = new SeenParts({ clock, onChange });
  }

  /** After each drawing. */
  update(): void {
    this.#seen.watch(this.root);
  }

  /** Nothing that was seen counts any more. */
  forget(): void {
    this.#seen.forget();
  }

  stop(): void {
    this.#seen.stop();
  }

  /** Undefined when all of it was seen. */
  get missing(): string | undefined {
    const parts = this.#seen.missing;
    if (!parts.length) return undefined;
    const hidden = parts.find(({ inView }) => inView === false);
    // In plain sight, for less than a moment.
    if (!hidden) return msg('Just arrived');
    if (hidden.kind === 'end') return msg('Read to the end first');
    if (hidden.kind !== 'to') return msg('See the amount first');
    return this.root.querySelectorAll('[data-seen="to"]').length > 1
      ? msg('See every recipient first')
      : msg('See the recipient first');
  }

  /** Over the end of the body: leads to the first part that is not in view. */
  pill(): TemplateResult | typeof nothing {
    const hidden = this.#seen.missing.find(({ inView }) => inView === false);
    if (!hidden || hidden.kind === 'total') return nothing;
    return html`<button type="button" class="btn pill" @click=${() => this.#show(hidden)}>
      ${icon(iconDown(), 's')}<span>${nameOf(hidden)}</span>
    </button>`;
  }

  #show({ kind, element }: Part): void {
    const body = this.root.querySelector('.body');
    if (kind !== 'end') element.scrollIntoView({ block: 'center' });
    // A page less a line, so that none is lost between two.
    else body?.scrollBy(0, Math.max(body.clientHeight - 60, 60));
  }
}

function nameOf({ kind, number }: Part): string {
  if (kind === 'to') return msg(str`Show recipient ${number}`);
  return kind === 'end' ? msg('Next page') : msg('Show the amount');
}
