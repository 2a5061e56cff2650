import { css, html, nothing, type TemplateResult } from 'lit';
import type { NativeBalance, Wallet } from '../../api/wallet.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import { nativeText } from '../../ui/amount-text.ts';
import { chainBadge } from '../../ui/chain-badge.ts';
import { icon, iconSettings } from '../../ui/icons.ts';
import { iconExternal, iconStarFilled } from '../../ui/list-icons.ts';
import { msg, str } from '../../base/localize.ts';
import { coinOf } from '../../ui/assets.ts';
import { type Face, ignore, type Status } from '../connect-element.ts';
import type { PageNetwork } from '../page-network.ts';
import type { ManageWallets } from './manage-wallets.ts';
import { emptyStyles, heading, noWallet } from './manage-wallets-rest.ts';
import { markedLines } from '../../ui/parts.ts';
import { PanelView, listStyles } from '../view.ts';
import type { worth } from '../worth.ts';

const SAID_MS = 60_000;
/** A balance changes only once the transaction is in a block: after one is sent, balances are read immediately and after each of these. */
const AGAIN_MS = [2000, 8000, 20_000, 60_000];

/** The heading, wallets and balances of `<manage-wallets>`. */
export class ManageWalletsView extends PanelView<ManageWallets> {
  static override styles = [
    ...PanelView.styles,
    listStyles,
    emptyStyles,
    css`
      .star { display: inline-grid; color: var(--cb-color-star, var(--_caution)); vertical-align: -3px; }
      .balance { text-align: end; line-height: 1.3; }
      .card { container-type: inline-size; }
      /* The heading already names the chain, and a cut-off address could not be recognised. */
      @container (max-width: 329px) { .rows .chain { display: none; } }
      .worth { display: block; color: var(--_text-3); font-weight: 400; }
      .skel { display: inline-block; inline-size: 72px; block-size: .8em; border-radius: 4px; background: var(--_surface-3); animation: pulse 1.4s ease-in-out infinite; }
      .row-main > .skel { inline-size: 92px; }
      .row-main > .skel + .skel { inline-size: 120px; margin-block-start: 6px; }
      @keyframes pulse { 50% { opacity: .5; } }
      @media (prefers-reduced-motion: reduce) { .skel { animation: none; } }
    `,
  ];

  /** By wallet id; null if it could not be read. */
  readonly #balances = new Map<string, NativeBalance | null>();
  readonly #reading = new Set<string>();
  /** Loaded with the first balance. */
  #worth: typeof worth | undefined;
  #saidAt = 0;
  #seen: readonly Wallet[] | undefined;
  #timer = 0;
  /** The network of the balances. */
  #network: string | undefined;
  /** Loaded if the page has set a network. */
  #pageNetwork: PageNetwork | undefined;

  get #chain(): SecretType {
    return this.host.chain?.toUpperCase() as SecretType;
  }

  get #wallets(): Wallet[] | undefined {
    return this.host.linked
      ?.filter(({ secretType }) => secretType === this.#chain)
      .sort((a, b) => Number(b.primary) - Number(a.primary));
  }

  override hostUpdate(): void {
    super.hostUpdate();
    const { network } = this.host;
    if (network !== this.#network) {
      this.#network = network;
      this.#balances.clear();
      this.#reading.clear();
    }
    if (this.#pageNetwork) this.#pageNetwork.follow(this.#chain);
    else if (network)
      import('../page-network.ts').then(({ PageNetwork }) => {
        this.#pageNetwork ??= new PageNetwork(this.host, 'manageWallets');
        this.host.requestUpdate();
      }, ignore);
  }

  override hostUpdated(): void {
    super.hostUpdated();
    const { linked } = this.host;
    if (this.#seen && linked !== this.#seen) this.#readAgain(AGAIN_MS);
    this.#seen = linked;
    for (const { id } of this.#wallets ?? []) if (!this.#balances.has(id)) this.#read(id);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }

  protected override settled({ kind }: Status): void {
    if (kind === 'done') this.#readAgain([]);
  }

  #readAgain([next, ...later]: readonly number[]): void {
    for (const { id } of this.#wallets ?? []) this.#read(id);
    if (!next) return;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#readAgain(later), next);
  }

  async #read(id: string): Promise<void> {
    if (this.#reading.has(id)) return;
    this.#reading.add(id);
    const network = this.#network;
    const balance = await this.host.current.balance(id, network ? { network } : {}).catch(() => null);
    if (network !== this.#network) return;
    const earlier = this.#balances.get(id);
    this.#balances.set(id, balance?.available ? balance : null);
    this.#reading.delete(id);
    this.host.requestUpdate();
    if (balance)
      import('../worth.ts').then((loaded) => {
        this.#worth = loaded.worth;
        this.host.requestUpdate();
      }, ignore);
    const changed = earlier && balance && earlier.rawBalance !== balance.rawBalance;
    if (changed && !this.#reading.size && Date.now() - this.#saidAt > SAID_MS) {
      this.#saidAt = Date.now();
      this.say(msg('Balances updated'));
    }
  }

  face(): Face | undefined {
    return this.busyFace('secondary') ?? [msg('Manage wallets'), icon(iconSettings(), 's'), 'secondary'];
  }

  override after(): unknown {
    return this.host.status.kind === 'waiting' ? this.cancelButton() : nothing;
  }

  /** Whether there is no wallet; the card below then has the button. */
  get #empty(): boolean {
    return this.#wallets?.length === 0 && this.host.status.kind !== 'waiting';
  }

  override hides(): boolean {
    return super.hides() || this.#empty;
  }

  above(): TemplateResult {
    return html`${this.hides() ? html`<div class="gap">${heading(this.host)}</div>` : nothing}${this.troubleAbove()}`;
  }

  before(): TemplateResult {
    return heading(this.host);
  }

  below(): TemplateResult {
    const wallets = this.#wallets;
    if (this.#empty && this.host.status.kind !== 'blocked') return html`${noWallet(this.host)}${this.live()}`;
    const rows = wallets
      ? html`<ul class="rows" part="wallets">${wallets.map((wallet) => this.#row(wallet))}</ul>`
      : html`<ul class="rows"><li>${chainBadge(this.#chain)}<span class="row-main"><span class="skel"></span><span class="skel"></span></span><span class="skel"></span></li></ul>`;
    return html`${
      wallets?.length === 0
        ? nothing
        : html`<div
          class="card after"
          aria-busy=${String(!wallets)}
        >${rows}</div>${this.#ownPage()}`
    }${this.live()}`;
  }

  #ownPage(): TemplateResult | typeof nothing {
    const { walletPage } = this.host.current;
    return walletPage
      ? html`<a
        part="wallet-page"
        class="btn text"
        href=${walletPage}
        target="_blank"
        rel="noopener noreferrer"
      >${icon(iconExternal(), 's')}<span>${msg('Open my wallet')}</span></a>`
      : nothing;
  }

  #row(wallet: Wallet): TemplateResult {
    const { alias, address, primary, secretType } = wallet;
    const star = html` <span class="star">${icon(iconStarFilled(), 's')}</span><span class="sr">${msg('Primary')}</span>`;
    return html`<li part="wallet">${chainBadge(secretType)}<span class="row-main"
      >${markedLines(wallet, html`${alias}${primary ? star : nothing}`)}</span
      ><span class="num sm strong balance">${this.#balance(wallet)}</span
      ><span class="tools">${this.copyAddress(address, msg(str`Copy address of ${alias}`))}</span></li>`;
  }

  #balance(wallet: Wallet): TemplateResult {
    const balance = this.#balances.get(wallet.id);
    if (balance)
      return html`${nativeText(balance)}${this.#worth?.(this.host, wallet, coinOf(wallet.secretType, balance))}`;
    return balance === null
      ? html`<span aria-hidden="true">–</span><span class="sr">${msg('Balance not available')}</span>`
      : html`<span class="skel"></span><span class="sr">${msg('Loading balance')}</span>`;
  }
}
