import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { language, msg, str } from '../../base/localize.ts';
import { addressStyles, fullAddress } from '../../ui/address.ts';
import { customElement, property, state } from '../../ui/decorators.ts';
import { fieldStyles } from '../../ui/field-styles.ts';
import { icon, iconPlus } from '../../ui/icons.ts';
import { iconEdit } from '../../ui/list-icons.ts';
import type { KnownRecipient } from '../../wallets/types.ts';
import { chainStyles } from '../ui/card-styles.ts';
import { listStyles } from '../ui/rows.ts';
import { ConsentView } from '../ui/consent-view.ts';
import { head } from '../ui/head.ts';
import { FrameView } from '../ui/view.ts';
import { matching, rowsOf, searchField } from './search.ts';

export interface RecipientsEvents {
  /** Fired by a trusted event on a view in plain sight. */
  'cbf-choose': { address: string };
  /** Add recipient. */
  'cbf-add': null;
  /** Rename or remove. */
  'cbf-edit': { address: string };
  /** Cancel, Back, Esc. */
  'cbf-back': null;
}

/** Recipients that the user knows on a chain. A site learns only the address chosen for it. */
@customElement('cbf-recipients')
export class RecipientsView extends ConsentView<RecipientsEvents> {
  static override styles = [
    FrameView.styles,
    addressStyles,
    listStyles,
    chainStyles,
    fieldStyles,
    css`
      .rows > li { padding: 0; gap: 0; }
      .row { position: relative; flex: 1; min-inline-size: 0; display: flex; align-items: center; gap: var(--_s3); min-block-size: 76px; padding: 6px var(--_s3); }
      .row > button { appearance: none; position: absolute; inset: 0; border: 0; border-radius: var(--_r-md); background: none; cursor: pointer; }
      .row > button:not([aria-disabled]):hover { background: color-mix(in oklab, var(--_text) 6%, transparent); }
      .row > button:focus-visible { outline-offset: -2px; }
      .row .groups { display: inline-grid; font-size: 12px; column-gap: 6px; }
      .tok { inline-size: 32px; block-size: 32px; }
      .when { text-align: end; }
      .when > span { display: block; }
      @container frame (max-width: 339px) { .row { flex-wrap: wrap; gap: 0; } .row-main { flex-basis: 100%; } .when { display: flex; gap: var(--_s2); } }
      @container frame (max-width: 379px) { .tok { display: none; } .row { gap: var(--_s2); } .row .groups { column-gap: 4px; } }
    `,
  ];

  @property({ attribute: false }) known: readonly KnownRecipient[] = [];
  /** The site that the address is for; empty for the wallet itself, where recipients can also be renamed and removed. */
  @property() site = '';
  @state() private wanted = '';

  protected override readonly escape = 'cbf-back';

  // On every update: the language may have changed.
  protected override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    if (this.site) this.emit('cbf-subject', { below: msg('Choose a recipient') });
  }

  #choose(event: Event, address: string): void {
    if (!this.allows(event, this.armed)) return;
    this.emit('cbf-choose', { address });
  }

  #row({ address, name, own, times, last }: KnownRecipient): TemplateResult {
    const paid = times === 1 ? msg('Once') : msg(str`${times} times`);
    const day = new Date(last).toLocaleDateString(language, { day: 'numeric', month: 'short' });
    return html`<li>
      <div class="row">
        <span class="tok" aria-hidden="true">${[...name][0]?.toUpperCase() ?? '·'}</span>
        <span class="row-main">${name ? html`<span class="strong trunc">${name}</span>` : nothing}${fullAddress(address)}</span>
        <span class="xs faint when">${own ? html`<span>${msg('Yours')}</span>` : nothing}${times ? html`<span>${paid}</span><span>${day}</span>` : nothing}</span>
        <button
          type="button"
          aria-label=${name ? `${name}, ${address}` : address}
          aria-disabled=${this.armed ? nothing : 'true'}
          @click=${(event: Event) => this.#choose(event, address)}
        ></button>
      </div>
      ${
        this.site || own
          ? nothing
          : html`<button
            type="button"
            class="btn icon"
            aria-label=${name ? msg(str`Edit ${name}`) : msg(str`Save ${address}`)}
            @click=${() => this.emit('cbf-edit', { address })}
          >${icon(name ? iconEdit() : iconPlus())}</button>`
      }
    </li>`;
  }

  #list(): TemplateResult {
    const nobody = msg('No saved recipients yet. Save someone after a payment, or add one here.');
    const shown = matching(this.known, this.wanted);
    return rowsOf(
      shown.map((one) => this.#row(one)),
      this.known.length ? '' : nobody,
    );
  }

  protected override render(): TemplateResult {
    return this.layout({
      body: html`${head(this, msg('Known recipients'))}
        ${this.known.length ? searchField(this.wanted, (typed) => (this.wanted = typed)) : nothing}
        ${this.#list()}
        ${this.site ? html`<p class="sm muted">${msg(str`${this.site} learns only the address you choose, never this list.`)}</p>` : nothing}`,
      foot: html`<div class="actions even">
        <button
          type="button"
          class="btn secondary lg"
          @click=${() => this.emit('cbf-back')}
        ><span>${msg('Cancel')}</span></button>
        <button
          type="button"
          class="btn quiet lg"
          @click=${() => this.emit('cbf-add')}
        >${icon(iconPlus())}<span>${msg('Add recipient')}</span></button>
      </div>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-recipients': RecipientsView;
  }
}
