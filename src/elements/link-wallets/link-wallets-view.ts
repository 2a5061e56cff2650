import { html, nothing, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import { CHAIN_NAMES } from '../../chains/secret-type.ts';
import { chainBadge } from '../../ui/chain-badge.ts';
import { icon, iconClose, iconPlus } from '../../ui/icons.ts';
import { iconUnlink } from '../../ui/list-icons.ts';
import { msg, plural, str } from '../../base/localize.ts';
import { type Face, ignore, type Status } from '../connect-element.ts';
import type { LinkWallets } from './link-wallets.ts';
import { markedLines } from '../../ui/parts.ts';
import { PanelView, listStyles } from '../view.ts';

const UNDO_MS = 8000;

/** The linked wallets of `<link-wallets>`, and unlinking, which can be undone for a while. */
export class LinkWalletsView extends PanelView<LinkWallets> {
  static override styles = [...PanelView.styles, listStyles];

  /** Already hidden, but still linked until the time to undo is over. */
  #unlinked: Wallet | undefined;
  /** Being unlinked: hidden until the record is updated. */
  readonly #leaving = new Set<string>();
  #timer = 0;

  readonly #commit = (): void => {
    const wallet = this.#unlinked;
    if (!wallet) return;
    clearTimeout(this.#timer);
    this.#unlinked = undefined;
    this.#leaving.add(wallet.id);
    this.host.current
      .unlink(wallet.id)
      .catch(ignore) // it reappears, because the record still has it
      .finally(() => {
        this.#leaving.delete(wallet.id);
        this.host.requestUpdate();
      });
    this.host.requestUpdate();
  };

  hostConnected(): void {
    addEventListener('pagehide', this.#commit);
  }

  hostDisconnected(): void {
    removeEventListener('pagehide', this.#commit);
    this.#commit();
  }

  override hostUpdate(): void {
    super.hostUpdate();
    const { host } = this;
    // Without a wallet there is nothing to list, and the request tells whether there is such a network.
    if (!host.linked?.length) return;
    if (host.pageNetwork) host.pageNetwork.follow();
    else if (host.network)
      import('../page-network.ts').then(({ PageNetwork }) => {
        host.pageNetwork ??= new PageNetwork(host, 'linkWallets');
        host.requestUpdate();
      }, ignore);
  }

  protected override settled({ kind }: Status): void {
    if (kind !== 'done') return;
    const { length } = this.#shown;
    this.say(plural(length, msg('1 wallet linked'), msg(str`${length} wallets linked`)));
  }

  get #shown(): Wallet[] {
    return this.host.wallets.filter(({ id }) => id !== this.#unlinked?.id && !this.#leaving.has(id));
  }

  #unlink(wallet: Wallet): void {
    this.#commit();
    this.#unlinked = wallet;
    this.#timer = window.setTimeout(this.#commit, UNDO_MS);
    this.host.requestUpdate();
    this.host.updateComplete.then(() => this.root.querySelector<HTMLElement>('.undo')?.focus(), ignore);
  }

  #undo(): void {
    const { id } = this.#unlinked!;
    clearTimeout(this.#timer);
    this.#unlinked = undefined;
    this.host.requestUpdate();
    this.host.updateComplete.then(
      () => this.root.querySelector<HTMLElement>(`[data-unlink="${CSS.escape(id)}"]`)?.focus(),
      ignore,
    );
  }

  face(): Face | undefined {
    return (
      this.busyFace('primary lg') ??
      (this.#shown.length ? [msg('Add wallets'), icon(iconPlus(), 's'), 'text'] : undefined)
    );
  }

  above(): TemplateResult {
    const wallets = this.#shown;
    const chips = this.host.layout !== 'list';
    const list = html`<ul
      class=${chips ? 'chips' : 'rows'}
      part="wallets"
    >${wallets.map((wallet) => this.#wallet(wallet, chips))}</ul>`;
    return html`${wallets.length ? html`<div class="gap ${chips ? '' : 'card'}">${list}</div>` : nothing}
      <div role="status">${this.#undoable()}</div>${this.troubleAbove()}`;
  }

  #wallet(wallet: Wallet, chips: boolean): TemplateResult {
    const { alias, address, secretType, id } = wallet;
    const unlink = () => this.#unlink(this.host.wallets.find((each) => each.id === id)!);
    return html`<li part="wallet">${chainBadge(secretType, chips ? 'm' : '')}<span class="row-main"
      >${markedLines(wallet, html`${alias}<span class="sr"> ${CHAIN_NAMES[secretType]}</span>`)}</span
      ><span class="tools">${this.copyAddress(address, msg(str`Copy address of ${alias}`))}<button
        type="button"
        part="unlink"
        class="btn icon"
        data-unlink=${id}
        aria-label=${msg(str`Unlink ${alias}`)}
        title=${msg('Unlink')}
        @click=${unlink}
      >${icon(iconClose())}</button></span></li>`;
  }

  #undoable(): TemplateResult | typeof nothing {
    if (!this.#unlinked) return nothing;
    const { alias } = this.#unlinked;
    return html`<div class="alert mid gap">${icon(iconUnlink())}<p class="grow">${msg(str`“${alias}” is no longer linked to this site.`)}</p
      ><button type="button" class="btn text undo" @click=${() => this.#undo()}>${msg('Undo')}</button></div>`;
  }

  below(): TemplateResult {
    const waiting = this.host.status.kind === 'waiting';
    return html`<div role="status">${waiting ? html`<p class="sm muted after">${msg('Finish in the wallet window.')}</p>` : nothing}</div>${this.live()}`;
  }
}
