/** Loaded for an amount with too many digits for a heading. */
import { css, html, LitElement, type TemplateResult } from 'lit';
import { formatAmount } from '../../../base/amount.ts';
import type { Amount } from '../../../chains/coin.ts';
import { grouped, point } from '../../../ui/amount-text.ts';
import { baseStyles, moreStyles } from '../../../ui/styles.ts';
import { customElement, property, state } from '../../../ui/decorators.ts';
import { msg, str } from '../../../base/localize.ts';
import { amountText } from '../../ui/amount.ts';
import type { Pieces } from './heading.ts';

/** A press shows all digits; the accessible name always has them. */
@customElement('cbf-digits')
export class DigitsElement extends LitElement {
  static override styles = [
    baseStyles,
    moreStyles,
    css`
      :host { display: inline; }
      button { appearance: none; border: 0; padding: 0; background: none; font: inherit; letter-spacing: inherit; color: inherit; text-align: start; cursor: pointer; border-radius: 4px; text-decoration: underline dotted var(--_border-strong) 1px; text-underline-offset: 5px; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; position: relative; }
      button::after { content: ""; position: absolute; inset: -4px; min-block-size: 24px; }
      span::before { content: attr(data-text); white-space: pre-wrap; }
      .tail { font-weight: 500; font-size: .72em; letter-spacing: 0; color: var(--_text-3); }
      .lead { color: var(--_text-3); font-weight: 500; }
      @media (forced-colors: active) { .tail, .lead { color: CanvasText; } }
    `,
  ];

  @property({ attribute: false }) amount!: Amount;
  /** The amount as shown in the heading. */
  @property({ attribute: false }) shown!: Pieces;
  @state() private open = false;

  /** Copies without grouping, for pasting. */
  #copy(event: ClipboardEvent): void {
    const { raw, decimals } = this.amount;
    event.clipboardData?.setData('text/plain', formatAmount(raw, decimals ?? 0).replace('.', point));
    event.preventDefault();
  }

  protected override render(): TemplateResult {
    const { amount, shown, open } = this;
    const exact = amountText(amount);
    const label = open ? msg('Show fewer digits') : msg(str`Show all digits of ${exact}`);
    return html`<button type="button" aria-label=${label} aria-expanded=${open ? 'true' : 'false'} title=${exact}
      @click=${() => (this.open = !open)} @copy=${this.#copy}><bdi dir="ltr">${open ? drawn(inThrees(amount, shown)) : drawnIn(shown)}</bdi></button>`;
  }
}

/** Drawn by CSS: as text, it would repeat the button's label, which has every digit. */
function drawn(text: string, name = ''): TemplateResult {
  return html`<span class=${name} data-text=${text}></span>`;
}

function drawnIn([lead, head, tail, unit]: Pieces): TemplateResult {
  return html`${drawn(lead, 'lead')}${drawn(head)}${drawn(tail, 'tail')}${drawn(unit)}`;
}

/** The decimals in groups of three, separated by thin spaces. */
function inThrees({ raw, decimals }: Amount, [, , , unit]: Pieces): string {
  const [whole = '', fraction] = formatAmount(raw, decimals ?? 0).split('.');
  const groups = fraction?.match(/.{1,3}/g)?.join('\u2009');
  return `${grouped(whole)}${groups ? `${point}${groups}` : ''}${unit}`;
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-digits': DigitsElement;
  }
}
