import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { PayByCard, PayPage } from '../api/pay.ts';
import type { Issue } from '../base/errors.ts';
import { amountText, priceText } from '../ui/amount-text.ts';
import { alert, type Alert, type AlertLevel } from '../ui/alert.ts';
import { icon, iconDanger, iconLock } from '../ui/icons.ts';
import { iconCard } from '../ui/list-icons.ts';
import { customElement, property, state } from '../ui/decorators.ts';
import { language, msg, str } from '../base/localize.ts';
import {
  CARD_FIELDS,
  countries,
  expiryText,
  fieldAt,
  fieldError,
  type FieldErrors,
  type FieldName,
  FIELDS,
  type Fields,
  likelyCountry,
  numberText,
  paymentOf,
  retype,
} from './fields.ts';

export type Problem = Alert & { level: AlertLevel };

/* Why a payment failed, for the customer. About a lost or stolen card, the page says no more than the bank would. */

export function declined(): Problem {
  return { level: 'danger', title: msg('Payment declined'), text: msg('You have not been charged.') };
}

export function notPaid(text: string): Problem {
  return { level: 'danger', title: msg('The payment did not go through'), text };
}

export function noAnswer(text: string): Problem {
  return { level: 'caution', title: msg('No answer came'), text };
}

export function declineText(reason: string): string {
  switch (reason) {
    case 'insufficient_funds':
      return msg('There is not enough money on this card. Try another card.');
    case 'expired_card':
      return msg('This card has expired. Try another card.');
    case 'incorrect_cvc':
      return msg('The security code is not right. Check it, or try another card.');
    case 'processing_error':
      return msg('Something went wrong while your bank checked the card. Try again in a moment.');
    case 'card_velocity_exceeded':
      return msg('This card has reached its limit. Try another card.');
    case 'authentication_failed':
      return msg('Your bank could not confirm that it was you. Try again, or use another card.');
    default:
      return msg('Your bank declined this card. Try another card.');
  }
}

/** How each field formats what is typed into it. */
const WRITE: { [name in FieldName]?: (text: string) => string } = {
  number: numberText,
  expiry: expiryText,
  code: (text) => text.replaceAll(/\D/g, '').slice(0, 4),
};

/**
 * The card form. Its input is held in memory only, for the life of the element.
 *
 * @fires pay-submit - `detail` is the payment, without its attempt. Only if every field is valid, and not while `busy`.
 * @fires pay-cancel - Back to the shop was pressed.
 * @fires pay-say - `detail` is read out politely.
 */
@customElement('pay-form')
export class PayForm extends LitElement {
  @property({ attribute: false }) page!: PayPage;
  /** A call is under way. */
  @property({ attribute: false }) busy = false;
  /** Shown above the form. */
  @property({ attribute: false }) problem: Problem | undefined;
  /** Shown below the button. */
  @property({ attribute: false }) note = '';

  @state() private errors: FieldErrors = {};
  #fields: Fields = {
    email: '',
    number: '',
    expiry: '',
    code: '',
    name: '',
    country: likelyCountry(navigator.language),
  };

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** Fills in a test card, as if typed. */
  use(number: string): void {
    const code = /^3[47]/.test(number) ? '1234' : '123';
    Object.assign(this.#fields, { number: numberText(number), expiry: '12 / 34', code });
    for (const name of CARD_FIELDS) this.#check(name);
    this.requestUpdate();
    void this.focusOn('number');
  }

  /** Focuses the first field that is empty or invalid. */
  async start(): Promise<void> {
    await this.focusOn(this.#fields.email ? 'number' : 'email');
  }

  async focusOn(name: FieldName): Promise<void> {
    await this.updateComplete;
    this.querySelector<HTMLElement>(`#${name}`)?.focus();
  }

  async decline(reason: string): Promise<void> {
    this.errors = { number: declineText(reason) };
    await this.focusOn('number');
  }

  /** Shows the service's issues. False if none of them concerns a field here. */
  async refuse(issues: readonly Issue[]): Promise<boolean> {
    const errors = issues.flatMap(({ path, message }) => {
      const name = fieldAt(path);
      return name ? [[name, `${message[0]?.toUpperCase()}${message.slice(1)}.`] as const] : [];
    });
    if (errors[0] === undefined) return false;
    this.errors = Object.fromEntries(errors);
    await this.focusOn(errors[0][0]);
    return true;
  }

  #say(text: string): void {
    this.dispatchEvent(new CustomEvent('pay-say', { detail: text, bubbles: true }));
  }

  #check(name: FieldName): string | undefined {
    const text = fieldError(name, this.#fields, this.page.cards);
    const { [name]: _old, ...others } = this.errors;
    this.errors = text === undefined ? others : { ...others, [name]: text };
    return text;
  }

  readonly #onInput = ({ target }: Event): void => {
    const input = target as HTMLInputElement;
    const name = input.id as FieldName;
    const write = WRITE[name];
    this.#fields[name] = write ? retype(input, write) : input.value;
    // A field with an error is rechecked on every change; the others only on blur.
    if (this.errors[name] !== undefined) this.#check(name);
  };

  readonly #onBlur = ({ target }: Event): void => {
    const name = (target as HTMLInputElement).id as FieldName;
    if (!this.#fields[name].trim() || this.busy) return;
    // An error from the service stays until the next input: removing it now would move the button away from under the pointer.
    if (fieldError(name, this.#fields, this.page.cards) === undefined) return;
    const before = this.errors[name];
    const text = this.#check(name);
    if (text !== undefined && text !== before) this.#say(text);
  };

  readonly #onSubmit = (event: Event): void => {
    event.preventDefault();
    if (this.busy) return;
    const first = FIELDS.filter((name) => this.#check(name) !== undefined)[0];
    if (first) {
      void this.focusOn(first);
      return;
    }
    const detail: Omit<PayByCard, 'attempt'> = paymentOf(this.#fields);
    this.dispatchEvent(new CustomEvent('pay-submit', { detail, bubbles: true }));
  };

  #input(
    name: FieldName,
    attributes: {
      label?: string;
      hint: string;
      mode?: string;
      placeholder?: string;
      type?: string;
      maxLength?: number;
    },
  ): TemplateResult {
    const { label, hint, mode, placeholder, type = 'text', maxLength } = attributes;
    const group = CARD_FIELDS.includes(name);
    // The card number's border is drawn by its wrapper.
    return html`<input
      id=${name}
      name=${hint}
      class=${name === 'number' ? nothing : 'input'}
      type=${type}
      autocomplete=${hint}
      inputmode=${mode ?? nothing}
      placeholder=${placeholder ?? nothing}
      maxlength=${maxLength ?? nothing}
      autocapitalize=${name === 'name' ? 'words' : 'off'}
      spellcheck="false"
      dir=${group ? 'ltr' : nothing}
      aria-label=${label ?? nothing}
      aria-required="true"
      aria-invalid=${this.errors[name] === undefined ? nothing : 'true'}
      aria-describedby=${this.errors[name] === undefined ? nothing : group ? 'card-error' : `${name}-error`}
      ?readonly=${this.busy}
      .value=${live(this.#fields[name])}
      @input=${this.#onInput}
      @change=${this.#onInput}
      @blur=${this.#onBlur}
    />`;
  }

  /** Not an alert: the focused field is described by it, and errors elsewhere are announced politely. */
  #error(id: string, text: string | undefined): TemplateResult | typeof nothing {
    return text === undefined
      ? nothing
      : html`<p class="err" id=${id}>${icon(iconDanger(), 's')}<span>${text}</span></p>`;
  }

  #cardDetails(): TemplateResult {
    const worst = CARD_FIELDS.find((name) => this.errors[name] !== undefined);
    return html`<div class="field">
      <span class="label" id="card-label">${msg('Card details')}</span>
      <div role="group" dir="ltr" aria-labelledby="card-label" class="join">
        <div class="control ${this.errors.number === undefined ? '' : 'invalid'}">
          ${this.#input('number', {
            label: msg('Card number'),
            hint: 'cc-number',
            mode: 'numeric',
            placeholder: '1234 1234 1234 1234',
          })}${icon(iconCard())}
        </div>
        <div class="halves">
          ${this.#input('expiry', {
            label: msg('Expiry date'),
            hint: 'cc-exp',
            mode: 'numeric',
            placeholder: msg('MM / YY'),
          })}
          ${this.#input('code', {
            label: msg('Security code'),
            hint: 'cc-csc',
            mode: 'numeric',
            placeholder: msg('CVC'),
          })}
        </div>
      </div>
      ${this.#error('card-error', worst && this.errors[worst])}
    </div>`;
  }

  protected override render(): TemplateResult {
    const { page, problem, errors } = this;
    const total = priceText(page.amountTotal, page.currency);
    return html`<form class="co-way" aria-label=${msg('Payment')} novalidate @submit=${this.#onSubmit}>
      <h1 class="title">${msg('Pay with card')}</h1>
      ${problem ? alert(problem.level, problem) : nothing}
      <div class="field">
        <label for="email">${msg('E-mail')}</label>
        ${this.#input('email', { hint: 'email', type: 'email', mode: 'email', maxLength: 254 })}
        ${this.#error('email-error', errors.email)}
      </div>
      ${this.#cardDetails()}
      <div class="field">
        <label for="name">${msg('Name on card')}</label>
        ${this.#input('name', { hint: 'cc-name' })}
        ${this.#error('name-error', errors.name)}
      </div>
      <div class="field">
        <label for="country">${msg('Country')}</label>
        <select
          id="country"
          name="country"
          class="input"
          autocomplete="country"
          aria-required="true"
          aria-invalid=${errors.country === undefined ? nothing : 'true'}
          aria-describedby=${errors.country === undefined ? nothing : 'country-error'}
          @input=${this.#onInput}
          @change=${this.#onInput}
        >
          ${this.#fields.country ? nothing : html`<option value="">${msg('Choose a country')}</option>`}
          ${countries(language ?? navigator.language).map(
            ({ code, name }) =>
              html`<option value=${code} ?selected=${code === this.#fields.country}>${name}</option>`,
          )}
        </select>
        ${this.#error('country-error', errors.country)}
      </div>
      <button type="submit" class="btn primary lg block" aria-disabled=${this.busy ? 'true' : nothing}>
        ${this.busy ? html`<span class="spin"></span>` : nothing}<span dir="auto"
          >${msg(html`Pay ${amountText(total)}`)}</span
        >
      </button>
      ${this.note ? html`<p class="sm center muted">${this.note}</p>` : nothing}
      <p class="xs faint fine">${icon(iconLock(), 's')}<span>${msg(
        'Card data goes straight to the payment processor.',
      )}</span></p>
      <button
        type="button"
        class="btn text back"
        @click=${() => this.dispatchEvent(new CustomEvent('pay-cancel', { bubbles: true }))}
      >
        <span>${msg(str`Back to ${page.merchant}`)}</span>
      </button>
    </form>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pay-form': PayForm;
  }
}
