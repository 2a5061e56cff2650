import { css, html, LitElement, type TemplateResult } from 'lit';
import type { Amount } from '../../../chains/chain.ts';
import { baseStyles } from '../../../ui/base-styles.ts';
import { customElement, property, state } from '../../../ui/decorators.ts';
import { msg, str } from '../../../ui/localize.ts';
import { amountText, digitsOf, figure, money } from '../../ui/amount.ts';

/** With this many integer digits or more, a heading uses words: `250 billion`. */
const LONG = 12;

/** An amount with too many digits for a heading. A press shows all of them; its accessible name always has them. */
@customElement('cbf-digits')
export class DigitsElement extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host { display: inline; }
      button { appearance: none; border: 0; padding: 0; background: none; font: inherit; letter-spacing: inherit; color: inherit; text-align: start; cursor: pointer; border-radius: 4px; text-decoration: underline dotted var(--_border-strong) 1px; text-underline-offset: 5px; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
      span::before { content: attr(data-text); white-space: pre-wrap; }
      .tail { font-weight: 500; font-size: .72em; letter-spacing: 0; color: var(--_text-3); }
      .lead { color: var(--_text-3); font-weight: 500; }
      @media (forced-colors: active) { .tail, .lead { color: CanvasText; } }
    `,
  ];

  @property({ attribute: false }) amount!: Amount;
  @state() private open = false;

  #copy(event: ClipboardEvent): void {
    event.clipboardData?.setData('text/plain', figure(this.amount).replaceAll(',', ''));
    event.preventDefault();
  }

  protected override render(): TemplateResult {
    const { amount, open } = this;
    const exact = amountText(amount);
    const label = open ? msg('Show fewer digits') : msg(str`Show all digits of ${exact}`);
    return html`<button type="button" aria-label=${label} aria-expanded=${open ? 'true' : 'false'} title=${exact}
      @click=${() => (this.open = !open)} @copy=${this.#copy}><bdi dir="ltr">${open ? drawn(inThrees(amount)) : shown(amount)}</bdi></button>`;
  }
}

/** Drawn by CSS and not as text, which would repeat the button's label with every digit. */
function drawn(text: string, name = ''): TemplateResult {
  return html`<span class=${name} data-text=${text}></span>`;
}

function unit({ decimals, symbol }: Amount): string {
  return decimals === null ? msg(str`smallest units of ${symbol}`) : symbol;
}

function wholeDigits(exact: string): number {
  return exact.split('.')[0]!.replaceAll(',', '').length;
}

function shown(amount: Amount): TemplateResult {
  const exact = figure(amount);
  if (wholeDigits(exact) >= LONG) return drawn(`${inWords(exact)} ${unit(amount)}`);
  const { lead, head, tail } = digitsOf(exact);
  return html`${drawn(lead, 'lead')}${drawn(head)}${drawn(tail, 'tail')}${drawn(` ${unit(amount)}`)}`;
}

/** Rounded up: an outgoing amount is never shown as less than it is. */
function inWords(exact: string): string {
  const whole = BigInt(exact.split('.')[0]!.replaceAll(',', ''));
  const options: Intl.NumberFormatOptions & { roundingMode: string } = {
    notation: 'compact',
    compactDisplay: 'long',
    maximumFractionDigits: 2,
    roundingMode: 'ceil',
  };
  return new Intl.NumberFormat('en', options as Intl.NumberFormatOptions).format(whole);
}

/** The decimals in groups of three, with thin spaces. */
function inThrees(amount: Amount): string {
  const [whole = '', fraction] = figure(amount).split('.');
  const groups = fraction?.match(/.{1,3}/g)?.join('\u2009');
  return `${whole}${groups ? `.${groups}` : ''} ${unit(amount)}`;
}

/** What a heading shows, as text. Its length decides the type size. */
export function headingText(amount: Amount): string {
  const exact = figure(amount);
  const { lead, head, tail } = digitsOf(exact);
  return wholeDigits(exact) >= LONG
    ? `${inWords(exact)} ${unit(amount)}`
    : `${lead}${head}${tail} ${unit(amount)}`;
}

/** An amount in a heading: in full if it is short. */
export function heading(amount: Amount): TemplateResult {
  const exact = figure(amount);
  if (!digitsOf(exact).cut && wholeDigits(exact) < LONG) return money(amount);
  return html`<cbf-digits .amount=${amount}></cbf-digits>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-digits': DigitsElement;
  }
}
