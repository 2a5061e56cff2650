import { css, html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { Network } from '../../chains/network.ts';
import { shortAddress } from '../../ui/address.ts';
import { iconCheck, iconChevronDown } from '../../ui/approval-icons.ts';
import { type Figure, rowAmount } from '../../ui/amount-text.ts';
import { type Asset, fieldText } from '../../ui/assets.ts';
import { iconDanger } from '../../ui/base-icons.ts';
import { chainBadge, tokenBadge } from '../../ui/chain-badge.ts';
import { customElement, property } from '../../ui/decorators.ts';
import { fieldStyles } from '../../ui/field-styles.ts';
import { holderMark } from '../../ui/holder-mark.ts';
import { icon } from '../../ui/icon.ts';
import { msg, str } from '../../ui/localize.ts';
import { type Field, TransferFields } from '../../ui/transfer-fields.ts';
import { cardStyles } from '../ui/card-styles.ts';
import { chainStyles } from '../ui/chain-styles.ts';
import { head } from '../ui/head.ts';
import { networkTag } from '../ui/network-tag.ts';
import { errorLine, FrameView } from '../ui/view.ts';

export interface SendEvents {
  /** Continue, with fields that can be right. */
  'cbf-continue': null;
  /** Back, Esc. */
  'cbf-back': null;
}

/** The form of the wallet's own Send. */
@customElement('cbf-send')
export class SendView extends FrameView<SendEvents> {
  static override styles = [
    FrameView.styles,
    cardStyles,
    chainStyles,
    fieldStyles,
    css`
      .from { display: flex; align-items: center; gap: var(--_s3); min-block-size: 60px; padding: var(--_s2) var(--_s3); border: 1px solid var(--_border-strong); border-radius: var(--_r-sm); background: var(--_surface-2); }
      .held { text-align: end; }
      .amount { padding-block: 6px 8px; padding-inline: var(--_s3) 6px; border: 1px solid var(--_border-strong); border-radius: var(--_r-sm); background: var(--_surface); box-shadow: var(--_shadow-1); }
      .amount:has(input:focus-visible) { outline: 2px solid var(--_focus); outline-offset: -1px; border-color: var(--_focus); }
      .amount.invalid { border-color: var(--_danger); }
      .amount .top, .amount .sub { display: flex; align-items: center; gap: var(--_s2); }
      .amount .sub { justify-content: end; gap: 2px; font-size: var(--_fs-sm); color: var(--_text-2); min-block-size: 28px; }
      .amount input { flex: 1 1 0; min-inline-size: 0; min-block-size: 44px; padding: 0; border: 0; outline: none; background: none; font-size: var(--_fs-2xl); font-weight: 600; font-variant-numeric: tabular-nums; letter-spacing: -.02em; }
      .token { position: relative; display: inline-flex; flex: none; align-items: center; gap: 6px; min-block-size: 36px; padding-inline: 6px 8px; border: 1px solid var(--_border); border-radius: var(--_r-full); background: var(--_surface-2); font-weight: 600; }
      .token:has(select:enabled):hover { background: var(--_surface-3); }
      .token:has(:focus-visible) { outline: 2px solid var(--_focus); outline-offset: 2px; }
      .token > .name { max-inline-size: 96px; }
      .token select { position: absolute; inset: -5px 0; inline-size: 100%; opacity: 0; cursor: pointer; font-size: var(--_fs-input); }
      .help.line { gap: 6px; }
      .help.good { color: var(--_success); }
    `,
  ];

  readonly fields = new TransferFields();
  @property({ attribute: false }) wallet!: Wallet;
  @property({ attribute: false }) network!: Network;
  /** The coin, then the tokens that can be sent. */
  @property({ attribute: false }) assets: readonly Asset[] = [];
  /** Why the last try was not sent. */
  @property({ attribute: false }) error = '';
  /** The most of the coin that can be sent, to an address where one is known; undefined where the chain cannot say. */
  most: (to: string | undefined) => Promise<string | undefined> = async () => undefined;

  protected override readonly escape = 'cbf-back';

  /** With `wanted`, the token of that address is chosen. */
  show(assets: readonly Asset[], wanted = this.fields.asset?.address): void {
    const { fields } = this;
    this.assets = assets;
    const same = (address = '') => address.toLowerCase() === (wanted ?? '').toLowerCase();
    fields.asset = assets.find(({ address }) => same(address)) ?? assets[0];
    if (fields.value) fields.check('value');
    this.requestUpdate();
  }

  #typed(field: Field, event: Event): void {
    const { fields } = this;
    fields[field] = (event.target as HTMLInputElement).value;
    // A field that was wrong is right as soon as it is.
    if (fields.errors.has(field)) fields.check(field);
    this.error = '';
    this.requestUpdate();
  }

  #left(field: Field): void {
    if (this.fields[field]) this.fields.check(field);
    this.requestUpdate();
  }

  #continue(): void {
    const wrong = (['to', 'value'] as const).filter((field) => this.fields.check(field))[0];
    this.requestUpdate();
    if (wrong) this.renderRoot.querySelector<HTMLElement>(`#${wrong}`)?.focus();
    else this.emit('cbf-continue');
  }

  #max(): void {
    const { fields } = this;
    const fill = () => {
      fields.value = fieldText(fields.maxSpendable ?? '');
      fields.check('value');
      this.requestUpdate();
    };
    fill();
    const { asset, to, value } = fields;
    if (!asset || asset.address) return;
    const recipient = to && !fields.recipient?.error(to.trim()) && !to.includes('@') ? to.trim() : undefined;
    void this.most(recipient).then(
      (most) => {
        if (most === undefined || fields.asset !== asset || fields.to !== to || fields.value !== value)
          return;
        fields.most = { asset, to, value: most };
        fill();
      },
      // The reserve stands.
      () => {},
    );
  }

  /** The error of a field, or `help`. */
  #note(field: Field, help: unknown = nothing): TemplateResult {
    const error = this.fields.errors.get(field);
    return html`<div id="${field}-note">${error ? html`<p class="err">${icon(iconDanger(), 's')}<span>${error}</span></p>` : help}</div>`;
  }

  #sender(): TemplateResult {
    const { secretType, alias, address } = this.wallet;
    const [coin] = this.assets;
    return html`<div class="field">
      <span class="label">${msg('From')}</span>
      <div class="from">
        ${chainBadge(secretType)}<span class="row-main"><span class="strong trunc">${alias}</span><span class="sm muted">${shortAddress(address)}${networkTag(this.network)}${holderMark(this.wallet)}</span></span>
        ${coin && coin.raw !== null ? html`<span class="num sm held">${rowAmount(coin as Figure, coin.symbol)}</span>` : nothing}
      </div>
    </div>`;
  }

  #recipient(): TemplateResult {
    const { fields } = this;
    const hint = fields.recipient?.hint(fields.to.trim());
    return html`<div class="field">
      <label for="to">${msg('Recipient')}</label>
      <div class="control ${fields.errors.has('to') ? 'invalid' : ''}">
        <input id="to" data-start dir="ltr" placeholder=${msg('Address or e-mail')} autocomplete="off" autocapitalize="off" spellcheck="false"
          aria-describedby="to-note" aria-invalid=${fields.errors.has('to') ? 'true' : 'false'} .value=${fields.to}
          @input=${(event: Event) => this.#typed('to', event)} @change=${() => this.#left('to')} />
      </div>
      ${this.#note(
        'to',
        hint
          ? html`<p class="help line ${hint.good ? 'good' : ''}">${hint.good ? icon(iconCheck(), 's') : nothing}<span>${hint.text}</span></p>`
          : nothing,
      )}
    </div>`;
  }

  #amount(): TemplateResult {
    const { fields, assets } = this;
    const { asset, reserve } = fields;
    const have = asset && asset.raw !== null && asset.decimals !== null;
    const choose = (event: Event) => {
      fields.asset = assets[(event.target as HTMLSelectElement).selectedIndex];
      if (fields.value) fields.check('value');
      this.requestUpdate();
    };
    return html`<div class="field">
      <label for="value">${msg('Amount')}</label>
      <div class="amount ${fields.errors.has('value') ? 'invalid' : ''}">
        <div class="top">
          <input id="value" inputmode="decimal" dir="ltr" placeholder="0" autocomplete="off" aria-describedby="value-note"
            aria-invalid=${fields.errors.has('value') ? 'true' : 'false'} .value=${fields.value}
            @input=${(event: Event) => this.#typed('value', event)} @change=${() => this.#left('value')} />
          <span class="token">${asset ? this.#badge(asset) : nothing}<span class="name trunc">${asset?.symbol ?? ''}</span>${assets.length > 1 ? icon(iconChevronDown(), 's') : nothing}
            <select aria-label=${msg(str`Token: ${asset?.symbol ?? ''}`)} ?disabled=${assets.length < 2} @change=${choose}>
              ${assets.map((each) => html`<option ?selected=${each === asset}>${each.symbol}</option>`)}
            </select></span>
        </div>
        <div class="sub">${
          have
            ? html`<span class="num">${msg(html`${rowAmount(asset as Figure)} available`)}</span>
                <button type="button" class="btn text mini" @click=${() => this.#max()}>${msg('Max')}</button>`
            : nothing
        }</div>
      </div>
      ${this.#note(
        'value',
        have && reserve && fields.value && fields.amount === fields.maxSpendable
          ? html`<p class="help">${msg(str`Max leaves ${fieldText(reserve)} ${asset.symbol} for the fee.`)}</p>`
          : nothing,
      )}
    </div>`;
  }

  #badge(asset: Asset): TemplateResult {
    return asset.address ? tokenBadge(asset.symbol) : chainBadge(this.wallet.secretType, 's');
  }

  protected override render(): TemplateResult {
    return this.layout({
      body: html`${head(this, msg('Send'))} ${this.#sender()} ${this.#recipient()} ${this.#amount()} ${errorLine(this.error)}`,
      foot: html`<button type="button" class="btn primary lg block" @click=${() => this.#continue()}><span>${msg('Continue')}</span></button>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-send': SendView;
  }
}
