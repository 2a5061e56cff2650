import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import { msg, str } from '../../base/localize.ts';
import type { Network } from '../../chains/network.ts';
import { CHAIN_NAMES } from '../../chains/secret-type.ts';
import { holderMark, shortAddress, shortText } from '../../ui/address.ts';
import { chainBadge } from '../../ui/chain-badge.ts';
import { customElement, property, state } from '../../ui/decorators.ts';
import { icon, iconCheck, iconChevronDown } from '../../ui/icons.ts';
import { iconLayers } from '../../ui/list-icons.ts';
import { baseStyles, moreStyles } from '../../ui/styles.ts';
import { listOf } from '../../ui/text.ts';
import { chainStyles } from '../ui/card-styles.ts';
import { listStyles, networkTag } from '../ui/rows.ts';
import { type Balances, holding, holdingStyles } from './balances.ts';

/** Stands for the id of a wallet where all are chosen. */
export const EVERY_WALLET = '';

/**
 * The wallet that a view is about, and the others to switch to.
 *
 * @fires cbf-wallet - `{ id }`, when another one is chosen, or all of them (`EVERY_WALLET`).
 */
@customElement('cbf-wallet-switch')
export class WalletSwitch extends LitElement {
  static override styles = [
    baseStyles,
    moreStyles,
    listStyles,
    chainStyles,
    css`
      :host { position: relative; display: block; flex: 1 1 0; min-inline-size: 0; }
      .chosen { position: relative; display: flex; align-items: center; gap: 10px; inline-size: 100%; min-block-size: 48px; padding: 4px; }
      .chosen > button { appearance: none; position: absolute; inset: 0; border: 0; border-radius: var(--_r-sm); background: none; cursor: pointer; }
      .chosen > button:hover { background: color-mix(in oklab, var(--_text) 6%, transparent); }
      .name { display: flex; align-items: center; gap: 4px; }
      .all { display: grid; place-items: center; inline-size: 32px; block-size: 32px; flex: none; border-radius: 28%; background: var(--_accent-soft); color: var(--_accent-text); }
      .name .i { transition: transform var(--_t); }
      .open .name .i { transform: rotate(180deg); }
      .list { position: absolute; z-index: 3; inset-inline: 0; inset-block-start: calc(100% + 2px); max-block-size: 288px; overflow: auto; padding: 6px; border: 1px solid var(--_border); border-radius: var(--_r-md); background: var(--_surface); box-shadow: var(--_shadow-3); }
      .list > li { display: flex; align-items: center; gap: 10px; min-block-size: 52px; padding: 4px 8px; border-radius: var(--_r-xs); cursor: pointer; }
      .list > li:is(:hover, :focus-visible) { background: var(--_surface-2); }
      .list > li:focus-visible { outline: 2px solid var(--_focus); outline-offset: -2px; }
      .list > li > .i { color: var(--_accent-text); }
    `,
  ];

  /** Undefined if all are chosen. */
  @property({ attribute: false }) wallet: Wallet | undefined;
  /** Offers all of them together. */
  @property({ attribute: false }) all = false;
  /** All wallets, in list order. */
  @property({ attribute: false }) wallets: readonly Wallet[] = [];
  /** By wallet id. */
  @property({ attribute: false }) networks: ReadonlyMap<string, Network> = new Map();

  @state() protected open = false;

  /** Label of the button that opens the list. */
  protected get label(): string {
    if (!this.wallet) return msg('All wallets');
    const { alias, address } = this.wallet;
    return msg(str`Wallet: ${alias}, ${shortText(address)}`);
  }

  protected get listLabel(): string {
    return msg('Wallet');
  }

  #options(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('[role=option]')];
  }

  #toggle(open: boolean): void {
    this.open = open;
    void this.updateComplete.then(() => {
      const target = open
        ? this.renderRoot.querySelector<HTMLElement>('[aria-selected="true"]')
        : this.renderRoot.querySelector<HTMLElement>('.chosen > button');
      target?.focus();
    });
  }

  #choose(id: string): void {
    this.#toggle(false);
    if (id === (this.wallet?.id ?? EVERY_WALLET)) return;
    this.dispatchEvent(new CustomEvent('cbf-wallet', { detail: { id }, bubbles: true, composed: true }));
  }

  readonly #onOpenerKey = (event: KeyboardEvent): void => {
    if (this.open || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
    event.preventDefault();
    this.#toggle(true);
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    const options = this.#options();
    const at = options.indexOf(event.composedPath()[0] as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: options.length - 1 }[event.key];
    if (to !== undefined) options[Math.min(Math.max(to, 0), options.length - 1)]?.focus();
    else if (event.key === 'Enter' || event.key === ' ') options[at]?.click();
    else if (event.key === 'Escape') this.#toggle(false);
    else {
      if (event.key === 'Tab') this.open = false;
      return;
    }
    event.preventDefault();
  };

  readonly #onFocusOut = ({ relatedTarget }: FocusEvent): void => {
    // The list stays open while the user is in another window.
    if (!relatedTarget && !document.hasFocus()) return;
    if (!this.renderRoot.contains(relatedTarget as Node | null)) this.open = false;
  };

  /** `mark`: indicates that there are other wallets. */
  protected draw(wallet: Wallet, mark?: TemplateResult): TemplateResult {
    const { secretType, alias, address, id } = wallet;
    return html`${chainBadge(secretType)}<span class="row-main"
        ><span class="strong name"><span class="trunc">${alias}</span>${mark ?? nothing}</span
        ><span class="sm muted">${shortAddress(address)}${networkTag(this.networks.get(id))}</span></span
      >`;
  }

  /** Above the single ones: all of them, by the names of their chains. */
  #drawAll(mark?: TemplateResult): TemplateResult {
    const chains = new Set(this.wallets.map(({ secretType }) => CHAIN_NAMES[secretType]));
    return html`<span class="all">${icon(iconLayers())}</span><span class="row-main"
        ><span class="strong name"><span class="trunc">${msg('All wallets')}</span>${mark ?? nothing}</span
        ><span class="sm muted trunc">${listOf([...chains])}</span></span
      >`;
  }

  #option(id: string, content: TemplateResult): TemplateResult {
    const isChosen = id === (this.wallet?.id ?? EVERY_WALLET);
    return html`<li
      role="option"
      tabindex="-1"
      aria-selected=${isChosen ? 'true' : 'false'}
      @click=${() => this.#choose(id)}
    >${content}${isChosen ? icon(iconCheck(), 's') : nothing}</li>`;
  }

  protected override render(): TemplateResult {
    const { wallet, wallets, open, all } = this;
    if (wallet && wallets.length < 2) return html`<div class="chosen alone">${this.draw(wallet)}</div>`;
    const mark = icon(iconChevronDown(), 's');
    return html`<div @focusout=${this.#onFocusOut}>
      <div class="chosen ${open ? 'open' : ''}">
        ${wallet ? this.draw(wallet, mark) : this.#drawAll(mark)}
        <button
          type="button"
          aria-label=${this.label}
          aria-haspopup="listbox"
          aria-expanded=${open ? 'true' : 'false'}
          @click=${() => this.#toggle(!open)}
          @keydown=${this.#onOpenerKey}
        ></button>
      </div>
      ${
        open
          ? html`<ul class="list" role="listbox" aria-label=${this.listLabel} @keydown=${this.#onKey}>
              ${all ? this.#option(EVERY_WALLET, this.#drawAll()) : nothing}
              ${wallets.map((one) => this.#option(one.id, this.draw(one)))}
            </ul>`
          : nothing
      }
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-wallet-switch': WalletSwitch;
  }
}

interface WalletFromEvents {
  /** The list was opened: the wallets' balances are needed now. */
  'cbf-wallets-opened': null;
}

/** A field for the wallet to send from, with each wallet's coin balance. */
@customElement('cbf-wallet-from')
export class WalletFrom extends WalletSwitch {
  static override styles = [
    ...WalletSwitch.styles,
    holdingStyles,
    css`
      .chosen { gap: var(--_s3); min-block-size: 60px; padding: var(--_s2) var(--_s3); border: 1px solid var(--_border-strong); border-radius: var(--_r-sm); background: var(--_surface); box-shadow: var(--_shadow-1); }
      .chosen.alone { background: var(--_surface-2); box-shadow: none; }
      .chosen > .i { transition: transform var(--_t); }
      .chosen.open > .i { transform: rotate(180deg); }
      .held { flex: none; }
    `,
  ];

  @property({ attribute: false }) balances: Balances = new Map();

  protected override get label(): string {
    const { alias, address } = this.wallet!;
    return msg(str`From ${alias} ${shortText(address)}`);
  }

  protected override get listLabel(): string {
    return msg('From');
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('open') && this.open)
      this.dispatchEvent(new Event('cbf-wallets-opened' satisfies keyof WalletFromEvents));
  }

  protected override draw(wallet: Wallet, mark?: TemplateResult): TemplateResult {
    const { secretType, alias, address, id } = wallet;
    const coin = this.balances.get(id)?.coin;
    return html`${chainBadge(secretType)}<span class="row-main"
        ><span class="strong trunc">${alias}</span
        ><span class="sm muted">${shortAddress(address)}${networkTag(this.networks.get(id))}${holderMark(wallet)}</span></span
      >${holding(coin && { coin })}${mark ?? nothing}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'cbf-wallet-from': WalletFrom;
  }
}
