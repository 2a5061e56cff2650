import { html, type PropertyDeclarations } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import { icon, iconWallet } from '../../ui/icons.ts';
import { msg } from '../../base/localize.ts';
import type { PageNetwork } from '../page-network.ts';
import { ConnectElement, type Face, type ViewClass } from '../connect-element.ts';

/**
 * Asks the user which wallets this page may see, and shows the linked ones.
 *
 * @element link-wallets
 * @attr {string} secret-types - Chains to link, separated by spaces or commas: `ETHEREUM VECHAIN`; the property takes a list. All when absent.
 * @attr {string} network - Id of a network of the wallet's `networks.json`: only wallets that are on it are linked and listed. Any when absent.
 * @attr {'on'|'off'} external - `off`: external wallets in the browser are not offered.
 * @attr {'chips'|'list'} layout - How linked wallets are shown; `chips` when absent.
 * @fires {ConnectRequestEvent<'linkWallets'>} connect-request - Before anything opens; cancelable.
 * @fires {ConnectProgressEvent<'linkWallets'>} connect-progress - Progress of the request; `confirmed` and `failed` may come after the result.
 * @fires {ConnectResultEvent<'linkWallets'>} connect-result - `result` is the list of all wallets that are linked now.
 * @fires {ConnectCancelEvent<'linkWallets'>} connect-cancel - The user rejected or closed, or the page cancelled.
 * @fires {ConnectErrorEvent<'linkWallets'>} connect-error - `error.code` tells why.
 * @slot label - Instead of the words Connect wallet.
 * @slot icon - Instead of the icon before them; empty content such as `<span slot="icon"></span>` leaves it out.
 * @csspart button - Connect wallet, Add wallets, Open in a window.
 * @csspart button-primary - The filled ones of them.
 * @csspart button-quiet - The others.
 * @csspart badge - The badge of a chain.
 * @csspart tag - Who holds a wallet's key.
 * @csspart wallets - The linked wallets.
 * @csspart wallet - One of them.
 * @csspart copy - Its copy button.
 * @csspart unlink - Its unlink button.
 * @csspart panel - What went wrong with the request.
 */
export class LinkWallets extends ConnectElement {
  static override properties: PropertyDeclarations = {
    secretTypes: { attribute: 'secret-types', converter: (text) => text?.toUpperCase().match(/\w+/g) },
    network: {},
    layout: { reflect: true },
    external: {},
  };

  declare secretTypes: SecretType[] | undefined;
  declare network: string | undefined;
  declare layout: 'chips' | 'list' | undefined;
  declare external: 'on' | 'off' | undefined;

  /** Set by the view. @internal */
  pageNetwork: PageNetwork | undefined;

  /** The wallets that this page sees, of the chains in `secretTypes`, and on `network`. */
  get wallets(): Wallet[] {
    const types = this.secretTypes;
    return (this.linked ?? []).filter(
      (wallet) =>
        (!types?.length || types.includes(wallet.secretType)) && (this.pageNetwork?.has(wallet) ?? true),
    );
  }

  /** Opens the wallet. Resolves to the linked wallets; to none if the user has none and leaves without one. */
  link(): Promise<Wallet[]> {
    const { secretTypes, network, external } = this;
    const request = {
      ...(secretTypes?.length && { secretTypes }),
      ...(network && { network }),
      ...(external && { external }),
    };
    return this.start('linkWallets', request, (connect, options) => connect.linkWallets(request, options));
  }

  protected override press(): Promise<unknown> {
    return this.link();
  }

  protected override shows(wallets: Wallet[]): unknown {
    return wallets.length;
  }

  protected override loadView(): Promise<ViewClass> {
    return import('./link-wallets-view.ts').then((view) => view.LinkWalletsView);
  }

  protected override face(): Face {
    return [
      html`<slot name="label">${msg('Connect wallet')}</slot>`,
      html`<slot name="icon">${icon(iconWallet())}</slot>`,
      'primary lg',
    ];
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'link-wallets': LinkWallets;
  }
}
