/** A limit in place of one without end: what the calls need if that is known, an own figure, or a part of what the wallet holds. */
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { formatAmount, parseUnits } from '../../../base/amount.ts';
import type { Amount } from '../../../chains/coin.ts';
import { fieldText, numbers } from '../../../ui/amount-text.ts';
import { baseStyles } from '../../../ui/styles.ts';
import { fieldStyles } from '../../../ui/field-styles.ts';
import { customElement, property, state } from '../../../ui/decorators.ts';
import { msg, str } from '../../../base/localize.ts';
import { formError, typedAmount } from '../../../ui/typed-amount.ts';
import { money } from '../../ui/amount.ts';

/** An allowance that the user can limit. */
export interface LimitOffer {
  /** What the site asks for, in smallest units. */
  allowed: bigint;
  /** The clause with it, from 0, where there are several. */
  clause?: number | undefined;
  /** The wallet's balance of the token. */
  held: Amount;
  /** What the calls take, if that is known: others of the same transaction, or those of the site's list that come after. */
  need?: bigint | undefined;
}

const PERCENTS = [25, 50] as const;

/**
 * One line until the user wants another limit: effect and recipient have to stay in view.
 *
 * @fires cbf-limit-chosen - The limit, in smallest units.
 */
@customElement('cbf-limit-field')
export class LimitField extends LitElement {
  static override styles = [
    baseStyles,
    fieldStyles,
    css`
      :host { display: block; margin-block-start: 8px; color: var(--_text); }
      .choices { display: flex; flex-wrap: wrap; gap: var(--_s3); }
      .field + .choices { margin-block: var(--_s3); }
      .error { color: var(--_danger); }
    `,
  ];

  @property({ attribute: false }) offer!: LimitOffer;
  @property({ type: Boolean }) disabled = false;

  /** Undefined until the user types or chooses. */
  @state() private typed: string | undefined;
  @state() private open = false;

  get #text(): string {
    const { need } = this.offer;
    return this.typed ?? (need === undefined ? '' : this.#shown(need));
  }

  #shown(raw: bigint): string {
    return fieldText(formatAmount(raw, this.offer.held.decimals ?? 0));
  }

  #amount(raw: bigint): Amount {
    return { ...this.offer.held, raw };
  }

  /** The limit, or what is wrong with it. */
  get #limit(): bigint | string | undefined {
    const { allowed, held } = this.offer;
    const typed = typedAmount(this.#text);
    if (!typed) return undefined;
    const wrong = formError(typed);
    if (wrong) return wrong;
    const decimals = held.decimals ?? 0;
    if ((typed.split('.')[1]?.length ?? 0) > decimals)
      return msg(str`${held.symbol} has at most ${decimals} digits after the point.`);
    const raw = parseUnits(typed, decimals);
    return raw > allowed ? msg('The site asks for less.') : raw || undefined;
  }

  #choice(raw: bigint, text: string, name = text): TemplateResult {
    return html`<button
      type="button"
      class="btn secondary mini"
      aria-label=${name}
      ?disabled=${this.disabled}
      @click=${() => (this.typed = this.#shown(raw))}
    >${text}</button>`;
  }

  #limitTo(raw: bigint): TemplateResult {
    return html`<button
      type="button"
      class="btn secondary mini"
      ?disabled=${this.disabled}
      @click=${() => this.#choose(raw)}
    >
      <span>${msg(html`Limit to ${money(this.#amount(raw))}`)}</span>
    </button>`;
  }

  #unfold(): void {
    this.open = true;
    void this.updateComplete.then(() => this.renderRoot.querySelector('input')?.focus());
  }

  protected override render(): TemplateResult {
    const { held, need } = this.offer;
    if (!this.open)
      return html`<div class="choices">${need === undefined ? nothing : this.#limitTo(need)}
        <button type="button" class="btn secondary mini" ?disabled=${this.disabled} @click=${this.#unfold}>
          <span>${need === undefined ? msg('Set a limit') : msg('Another limit')}</span>
        </button>
      </div>`;
    const limit = this.#limit;
    const error = typeof limit === 'string' ? limit : '';
    const help = need === undefined ? '' : msg(html`The call takes ${money(this.#amount(need))}.`);
    const percent = numbers({ style: 'percent' });
    return html`<div class="field">
        <label for="limit">${msg(str`Your limit in ${held.symbol}`)}</label>
        <input
          class="input"
          id="limit"
          inputmode="decimal"
          autocomplete="off"
          dir="ltr"
          .value=${this.#text}
          ?disabled=${this.disabled}
          aria-invalid=${error ? 'true' : 'false'}
          aria-describedby="note"
          @input=${({ target }: Event) => (this.typed = (target as HTMLInputElement).value)}
        >
        <p class="help ${error ? 'error' : ''}" id="note" role="status">${error || help}</p>
      </div>
      <div class="choices" role="group" aria-label=${msg('Other limits')}>
        ${PERCENTS.map((part) => {
          const share = percent.format(part / 100);
          return this.#choice((held.raw * BigInt(part)) / 100n, share, msg(str`${share} of what you hold`));
        })}${this.#choice(held.raw, msg('All you hold'))}
      </div>
      ${
        typeof limit === 'bigint'
          ? this.#limitTo(limit)
          : html`<button
            type="button"
            class="btn secondary mini"
            disabled
          ><span>${msg('Enter a limit')}</span></button>`
      }`;
  }

  #choose(detail: bigint): void {
    this.dispatchEvent(new CustomEvent('cbf-limit-chosen', { detail }));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-limit-field': LimitField;
  }
}
