import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import { AmountError, formatAmount, parseUnits } from '../../base/amount.ts';
import { msg, str } from '../../base/localize.ts';
import type { Amount } from '../../chains/coin.ts';
import type { Network } from '../../chains/network.ts';
import { CARDS, CHAIN_NAMES, coinOf, type SecretType } from '../../chains/secret-type.ts';
import { addressStyles, fullAddress, holderMark } from '../../ui/address.ts';
import { alert, alertStyles } from '../../ui/alert.ts';
import { figure } from '../../ui/amount-text.ts';
import { chainBadge } from '../../ui/chain-badge.ts';
import { writeText } from '../../ui/clipboard.ts';
import { customElement, property, state } from '../../ui/decorators.ts';
import { fieldStyles, segmentStyles } from '../../ui/field-styles.ts';
import { icon, iconCheck, iconChevronDown, iconCopy } from '../../ui/icons.ts';
import { iconExport } from '../../ui/list-icons.ts';
import { qrCode } from '../../ui/qr-code.ts';
import { spinStyles } from '../../ui/styles.ts';
import { formError, isUnclear, typedAmount } from '../../ui/typed-amount.ts';
import { listOf } from '../../ui/text.ts';
import type { Unsaved } from '../../wallets/types.ts';
import { amountText } from '../ui/amount.ts';
import { chainStyles } from '../ui/card-styles.ts';
import { explanationStyles, whatIsThis } from '../ui/explanations.ts';
import { head } from '../ui/head.ts';
import { listStyles, networkOptions, networkTag } from '../ui/rows.ts';
import { type CoveredEvents, errorLine, FrameView } from '../ui/view.ts';
import type { DrawWorth } from '../ui/worth.ts';
import { backupNotes, keepsCopy } from '../ui/backup-reminder.ts';

const COPIED = 2000;

export interface ReceiveEvents extends CoveredEvents {
  /** The address of another chain or network: the id of its wallet. */
  'cbf-address': { id: string };
  /** The network to be paid on: its id. */
  'cbf-network': { id: string };
  /** Done, Back, Esc. */
  'cbf-back': null;
}

/** A wallet's address, to scan, share, copy or read out. */
@customElement('cbf-receive')
export class ReceiveView extends FrameView<ReceiveEvents> {
  static override styles = [
    FrameView.styles,
    addressStyles,
    alertStyles,
    listStyles,
    chainStyles,
    fieldStyles,
    segmentStyles,
    spinStyles,
    explanationStyles,
    css`
      .body { padding-block: 14px; gap: 10px; }
      .code { display: grid; justify-items: center; gap: 10px; padding: 14px 12px; }
      .qr { inline-size: min(176px, 100%); border-radius: var(--_r-sm); forced-color-adjust: none; }
      /* The whole address stays in sight below the code. */
      @container frame (max-width: 339px) and (max-height: 559px) { .qr { inline-size: 132px; } .code { padding-block: 8px; } .actions > .btn { padding-inline: var(--_s2); } }
      .seg.many { grid-auto-flow: row; grid-template-columns: repeat(3, 1fr); }
      .seg label { overflow: hidden; text-overflow: ellipsis; }
      .ask { border: 1px solid var(--_border); border-radius: var(--_r-md); }
      .ask > summary { display: flex; align-items: center; gap: var(--_s2); min-block-size: var(--_hit); padding-inline: var(--_s3); border-radius: var(--_r-md); font-size: var(--_fs-sm); font-weight: 560; color: var(--_text-2); cursor: pointer; list-style: none; }
      .ask > summary::-webkit-details-marker { display: none; }
      .ask[open] > summary .i { transform: rotate(180deg); }
      .ask > .field { padding: 0 var(--_s3) var(--_s3); }
      .watch { min-block-size: 20px; margin-block: -2px; }
      .watch.came { color: var(--_success); font-weight: 560; }
    `,
  ];

  /** One for each address that the user can choose. */
  @property({ attribute: false }) choices: readonly { wallet: Wallet; networks: readonly Network[] }[] = [];
  @property({ attribute: false }) wallet!: Wallet;
  /** Those on which the address is the wallet's. */
  @property({ attribute: false }) places: readonly Network[] = [];
  /** The one that an amount is asked for on. */
  @property({ attribute: false }) network!: Network;
  /** Symbols of the chain's coins: `VET, VTHO`. */
  @property() coins = '';
  /** It is not backed up. */
  @property({ attribute: false }) unsaved: Unsaved | undefined;
  /** The browser has promised to keep its storage. */
  @property({ attribute: false }) kept = true;
  /** The latest arrival since the view was opened. */
  @property({ attribute: false }) arrived: { amount: Amount; network: Network } | undefined;
  /** Draws what an arrival is worth, if there are prices. */
  @property({ attribute: false }) worth: DrawWorth | undefined;
  /** The Web Share API; absent in many desktop browsers. */
  share: ((data: ShareData) => Promise<void>) | undefined = navigator.share?.bind(navigator);

  @state() private copied = false;
  /** As typed. */
  @state() private asked = '';
  #cancel = (): void => {};

  protected override readonly escape = 'cbf-back';

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#cancel();
    this.copied = false;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('wallet')) this.asked = '';
    if (changed.has('arrived') && this.arrived) this.announce(this.#received(this.arrived));
  }

  #received({ amount, network }: { amount: Amount; network: Network }): string {
    const text = amountText(amount);
    return this.places.length > 1
      ? msg(str`Received ${text} on ${network.name}`)
      : msg(str`Received ${text}`);
  }

  /** Undefined if no amount is requested; null if the input is not a valid amount of the coin. */
  get #amount(): bigint | undefined | null {
    const text = typedAmount(this.asked);
    if (!text) return undefined;
    if (formError(text)) return null;
    try {
      return parseUnits(text, coinOf(this.network).decimals) || null;
    } catch (error) {
      if (!(error instanceof AmountError)) throw error;
      return null;
    }
  }

  async #copy(): Promise<void> {
    if (!(await writeText(this.wallet.address))) return;
    this.copied = true;
    this.announce(msg('Address copied'));
    this.#cancel();
    this.#cancel = this.clock.after(COPIED, () => (this.copied = false));
  }

  #only(): string {
    const { coins, network, places } = this;
    const name = places.length > 1 ? listOf(places.map((one) => one.name)) : network.name;
    return CARDS[this.wallet.secretType].tokens
      ? msg(str`Send only ${coins} and tokens on ${name} to this address.`)
      : msg(str`Send only ${coins} on ${name} to this address.`);
  }

  #choices(): TemplateResult | typeof nothing {
    const { choices, wallet } = this;
    if (choices.length < 2) return nothing;
    const isOnly = (type: SecretType): boolean =>
      choices.filter(({ wallet: { secretType } }) => secretType === type).length === 1;
    return html`<div class="seg ${choices.length > 3 ? 'many' : ''}" role="radiogroup" aria-label=${msg('Network')}>
      ${choices.map(
        ({ wallet: { id, secretType }, networks: [network, ...others] }) => html`<label
          ><input
            type="radio"
            name="network"
            aria-label=${others.length ? CHAIN_NAMES[secretType] : network!.name}
            .checked=${id === wallet.id}
            @change=${() => this.emit('cbf-address', { id })}
          >${isOnly(secretType) ? CHAIN_NAMES[secretType] : network!.name}</label
        >`,
      )}
    </div>`;
  }

  /** A request for an amount is for one network. */
  #place(): TemplateResult | typeof nothing {
    const { places, network } = this;
    if (places.length < 2) return nothing;
    return html`<label for="place">${msg('Network to be paid on')}</label>
      <select
        class="input"
        id="place"
        .value=${network.id}
        @change=${({ target }: Event) => this.emit('cbf-network', { id: (target as HTMLSelectElement).value })}
      >${networkOptions(places, network.id)}</select>`;
  }

  #ask(): TemplateResult | typeof nothing {
    const { secretType } = this.wallet;
    if (!asksAmount(secretType)) return nothing;
    const { symbol } = coinOf(this.network);
    const wrong = this.#amount === null;
    const typed = typedAmount(this.asked);
    // `1,234` may be a thousand or one: asks the same question as Send.
    const which = wrong && isUnclear(typed) ? formError(typed) : undefined;
    return html`<details class="ask" @toggle=${this.#onAsk}>
      <summary><span class="grow">${msg('Ask for an amount')}</span>${icon(iconChevronDown(), 's')}</summary>
      <div class="field">
        <label for="asked">${msg(str`Amount in ${symbol}`)}</label>
        <input
          class="input"
          id="asked"
          inputmode="decimal"
          autocomplete="off"
          dir="ltr"
          .value=${this.asked}
          aria-invalid=${wrong ? 'true' : 'false'}
          aria-describedby="error"
          @input=${({ target }: Event) => (this.asked = (target as HTMLInputElement).value)}
        >
        ${errorLine(which ?? (wrong ? msg(str`Enter an amount of ${symbol}, for example ${figure({ raw: 25n, decimals: 2 })}.`) : undefined))}
        ${this.#place()}
      </div>
    </details>`;
  }

  readonly #onAsk = ({ target }: Event): void => {
    const details = target as HTMLDetailsElement;
    if (!details.open) return;
    details.querySelector('input')!.focus({ preventScroll: true });
    details.scrollIntoView({ block: 'nearest' });
  };

  /** The recipient pastes it into a wallet: so only the address, unless there is an amount. */
  async #share(text: string): Promise<void> {
    // The user may dismiss the share sheet, which is not a failure.
    await this.share?.({ text }).catch(() => {});
  }

  protected override render(): TemplateResult {
    const { wallet, network, places, share, arrived, unsaved } = this;
    const worth = arrived && this.worth?.(arrived.network, arrived.amount);
    const where =
      places.length > 1 ? CHAIN_NAMES[wallet.secretType] : html`${network.name}${networkTag(network)}`;
    const { secretType, alias, address } = wallet;
    const amount = this.#amount ?? undefined;
    const uri = paymentUri(network, address, amount);
    return this.layout({
      body: html`${head(this, msg(str`Receive ${this.coins}`))} ${this.#choices()}
        <div class="line">
          ${chainBadge(secretType)}
          <span class="row-main"><span class="strong trunc">${alias}</span><span class="sm muted">${where}${holderMark(wallet)}</span></span>
        </div>
        <div class="card code">
          ${qrCode(uri, msg(str`QR code of the address of ${alias}`))}
          ${amount ? html`<p class="strong num">${amountText({ ...coinOf(network), raw: amount })}${places.length > 1 ? html` <span class="muted">${network.name}</span>` : nothing}</p>` : nothing}
          ${fullAddress(address)}
        </div>
        <p class="sm muted">${this.#only()}</p>
        ${
          unsaved
            ? alert('caution', {
                title: keepsCopy() ? msg('Encrypted copy only') : msg('Not backed up'),
                text: backupNotes([unsaved], this.kept),
              })
            : nothing
        }
        ${this.#ask()}
        ${whatIsThis(msg('Whoever has this address can pay to it and see what it holds, and can take nothing. You can give it to anybody, and it stays the same.'))}`,
      foot: html`${
        arrived
          ? html`<p class="line sm watch came">${icon(iconCheck(), 's')}<span>${this.#received(arrived)}${worth ? html` <span class="faint">${worth}</span>` : nothing}</span></p>`
          : html`<p class="line sm muted watch"><span class="spin"></span>${msg('Watching for incoming funds')}</p>`
      }
      <div class="actions even">
        ${
          share
            ? html`<button
              type="button"
              class="btn secondary lg"
              @click=${() => this.#share(amount ? uri : address)}
            >${icon(iconExport(), 's')}<span>${msg('Share')}</span></button>`
            : html`<button
              type="button"
              class="btn secondary lg"
              @click=${() => this.emit('cbf-back')}
            >${msg('Done')}</button>`
        }
        <button type="button" class="btn primary lg" @click=${() => this.#copy()}>
          ${icon(this.copied ? iconCheck() : iconCopy(), 's')}<span>${this.copied ? msg('Address copied') : msg('Copy address')}</span>
        </button>
      </div>`,
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-receive': ReceiveView;
  }
}

// The content of an address's QR code, by chain: the bare address if wallets accept nothing else.

/** Chains with a payment URI for an amount that wallets support: EIP-681, BIP-21. */
function asksAmount(secretType: SecretType): boolean {
  return secretType === 'ETHEREUM' || secretType === 'GOCHAIN' || CARDS[secretType].uriScheme !== undefined;
}

/** `raw`: the requested amount of the coin, in smallest units. */
export function paymentUri(
  { secretType, chainId }: Pick<Network, 'secretType' | 'chainId'>,
  address: string,
  raw?: bigint,
): string {
  const { uriScheme, coin } = CARDS[secretType];
  if (uriScheme)
    return raw
      ? `${uriScheme}:${address}?amount=${formatAmount(raw, coin.decimals)}`
      : // Upper case makes a bech32 address's QR code smaller; by BIP-173 wallets accept both cases.
        `${uriScheme}:${address}`.toUpperCase();
  if (!raw || !asksAmount(secretType)) return address;
  return `ethereum:${address}${chainId === undefined ? '' : `@${chainId}`}?value=${raw}`;
}
