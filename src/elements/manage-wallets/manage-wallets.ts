import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { Wallet } from '../../api/wallet.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import { msg } from '../../base/localize.ts';
import { ConnectElement, type Face, type ViewClass } from '../connect-element.ts';

/**
 * Shows the linked wallets of one chain with their balances, and opens the wallet to create, import and manage them.
 *
 * @element manage-wallets
 * @attr {string} chain - `ethereum`, `vechain`, …
 * @attr {string} network - Id of the network whose balances are shown, from the wallet's `networks.json`; each wallet's default one when absent.
 * @attr {string} currency - ISO 4217: the currency of values beside balances; that of the connect when absent.
 * @attr {number} heading-level - Level of the heading in the page's outline, 1 to 6; 3 when absent.
 * @fires {ConnectRequestEvent<'manageWallets'>} connect-request - Before anything opens; cancelable.
 * @fires {ConnectProgressEvent<'manageWallets'>} connect-progress - Progress of the request; `confirmed` and `failed` may come after the result.
 * @fires {ConnectResultEvent<'manageWallets'>} connect-result - `result` is the wallet that the user created, imported or used.
 * @fires {ConnectCancelEvent<'manageWallets'>} connect-cancel - The user rejected or closed, or the page cancelled.
 * @fires {ConnectErrorEvent<'manageWallets'>} connect-error - `error.code` tells why.
 * @csspart button - Manage wallets.
 * @csspart button-primary - The filled ones of them.
 * @csspart button-quiet - The others.
 * @csspart heading - The name of the chain.
 * @csspart hint - The sentence below it while there is no wallet.
 * @csspart badge - The badge of a chain.
 * @csspart tag - Who holds a wallet's key.
 * @csspart wallets - The list.
 * @csspart wallet - One row.
 * @csspart copy - Its copy button.
 * @csspart wallet-page - Open my wallet, the link to the wallet's own page.
 * @csspart panel - What went wrong with the request.
 */
export class ManageWallets extends ConnectElement {
  static override properties: PropertyDeclarations = {
    chain: {},
    network: {},
    currency: {},
    headingLevel: { type: Number, attribute: 'heading-level' },
  };

  declare chain: string;
  declare network: string | undefined;
  declare currency: string | undefined;
  /** 1 to 6. */
  declare headingLevel: number | undefined;

  /** Opens the wallet at its list for this chain. */
  manage(): Promise<Wallet> {
    const request = { chain: this.chain?.toUpperCase() as SecretType };
    return this.start('manageWallets', request, (connect, options) =>
      connect.manageWallets(request, options),
    );
  }

  protected override press(): Promise<unknown> {
    return this.manage();
  }

  protected override shows(wallets: Wallet[]): unknown {
    return wallets.length;
  }

  protected override loadRest(): Promise<ViewClass> {
    return import('./manage-wallets-rest.ts').then((rest) => rest.ManageWalletsRest);
  }

  /** Reserves the heading's place until the view draws it, so that the button does not move. */
  protected override trigger(): TemplateResult {
    return html`${this.view ? nothing : html`<i class="grow"></i>`}${super.trigger()}`;
  }

  protected override loadView(): Promise<ViewClass> {
    return import('./manage-wallets-view.ts').then((view) => view.ManageWalletsView);
  }

  protected override face(): Face {
    return [msg('Manage wallets'), undefined, ''];
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'manage-wallets': ManageWallets;
  }
}
