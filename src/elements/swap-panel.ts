import type { PropertyDeclarations } from 'lit';
import type { OrderType } from '../api/swap.ts';
import type { Wallet } from '../api/wallet.ts';
import type { NativeTransaction } from '../chains/requests.ts';
import type { SecretType } from '../chains/secret-type.ts';
import type { TransactionResult } from '../channel/messages.ts';
import { icon } from '../ui/icon.ts';
import { iconSwap } from '../ui/trigger-icons.ts';
import { msg } from '../ui/localize.ts';
import { ConnectElement, type Face, type ViewClass } from './connect-element.ts';
import type { SwapPanelView } from './swap-panel-view.ts';

/**
 * Swaps coins and tokens at the best rate of the network's exchanges. It shows as soon as the page has a linked wallet; before, and
 * until it is loaded, there is a button. Tokens, amount and order type are where it starts: the user may change them.
 *
 * @element swap-panel
 * @attr {string} wallet-id - Wallet that pays; the user chooses one when absent.
 * @attr {string} from-secret-type - `ETHEREUM`, `GOCHAIN`, `VECHAIN`: wallets of this chain only.
 * @attr {string} to-secret-type - The chain of the output; that of the wallet when absent.
 * @attr {string} from-token - Contract of the token that goes in; empty or absent for the coin.
 * @attr {string} to-token - Contract of the token that comes out; empty for the coin, absent for the first that there is.
 * @attr {string} amount - Coins or tokens, in decimals: `1.5`.
 * @attr {'SELL'|'BUY'} order-type - Whether `amount` is what goes in (`SELL`) or what comes out.
 * @attr {string} destination-wallet-id - Wallet that receives the output; the one that pays when absent.
 * @attr {string} currency - ISO 4217: what amounts are worth is shown in it, where the wallet has prices. Else that of the connect.
 * @attr {string} locale - BCP 47 tag; the page's language when absent. The last one that was set is that of all elements on the page.
 * @attr {'auto'|'light'|'dark'} theme - Follows the page's `color-scheme` when absent.
 * @fires {ConnectRequestEvent} connect-request - Before the wallet opens; `request` is the list of transactions. Cancelable.
 * @fires {ConnectProgressEvent} connect-progress - Of each transaction.
 * @fires {ConnectResultEvent} connect-result - At broadcast of the last; `result` is `[{ transactionHash }]`, approvals first.
 * @fires {ConnectCancelEvent} connect-cancel
 * @fires {ConnectErrorEvent} connect-error - `error.details.completed` has what was sent before.
 * @csspart button - Trigger, Review, Swap, Open in a window, what is offered at the end.
 * @csspart panel - The panel.
 * @csspart copy - Copy transaction hash.
 * @cssproperty --cb-color-accent - Ground of the button. Set it together with `--cb-color-on-accent`, at 4.5:1.
 * @cssproperty --cb-color-on-accent - Text on it.
 * @cssproperty --cb-radius - Base of all corner radii.
 * @cssproperty --cb-font - Font family.
 */
export class SwapPanel extends ConnectElement {
  static override properties: PropertyDeclarations = {
    walletId: { attribute: 'wallet-id' },
    fromSecretType: { attribute: 'from-secret-type' },
    toSecretType: { attribute: 'to-secret-type' },
    fromToken: { attribute: 'from-token' },
    toToken: { attribute: 'to-token' },
    amount: {},
    orderType: { attribute: 'order-type' },
    destinationWalletId: { attribute: 'destination-wallet-id' },
    currency: {},
  };

  declare walletId: string | undefined;
  declare fromSecretType: SecretType | undefined;
  declare toSecretType: SecretType | undefined;
  declare fromToken: string | null | undefined;
  declare toToken: string | null | undefined;
  declare amount: string | number | bigint | undefined;
  declare orderType: OrderType | undefined;
  declare destinationWalletId: string | undefined;
  declare currency: string | undefined;
  #asking: Promise<TransactionResult[]> | undefined;

  /** Shows the panel. Resolves when the user's swap is on its way: one hash for each transaction, the swap's last. */
  swap(): Promise<TransactionResult[]> {
    return (this.#asking ??= this.#ask().finally(() => (this.#asking = undefined)));
  }

  async #ask(): Promise<TransactionResult[]> {
    return ((await this.opened('executeAll')) as SwapPanelView).ask();
  }

  /** @internal Opens the wallet at the reviewed swap, inside the user's press. */
  run(requests: NativeTransaction[], requestId: string): Promise<TransactionResult[]> {
    return this.start('executeAll', requests, (connect, options) =>
      connect.executeAll(requests, { ...options, requestId }),
    );
  }

  protected override press(): Promise<unknown> {
    return this.swap();
  }

  protected override shows(wallets: Wallet[]): unknown {
    return wallets.length;
  }

  protected override loadView(): Promise<ViewClass> {
    return import('./swap-panel-view.ts').then((view): ViewClass => view.SwapPanelView);
  }

  protected override face(): Face {
    return [msg('Swap'), icon(iconSwap()), 'primary'];
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'swap-panel': SwapPanel;
  }
}
