import type { PropertyDeclarations } from 'lit';
import type { OrderType } from '../../api/swap.ts';
import type { Wallet } from '../../api/wallet.ts';
import type { SecretType } from '../../chains/secret-type.ts';
import type { TransactionResult } from '../../channel/messages.ts';
import { icon, iconSwap } from '../../ui/icons.ts';
import { msg } from '../../base/localize.ts';
import { ConnectElement, type Face, type View, type ViewClass } from '../connect-element.ts';

/** What the element needs of its view. */
interface Panel {
  /** Resolves once the swap has been sent. */
  ask(): Promise<TransactionResult[]>;
}

/**
 * Swaps coins and tokens at the best rate of the network's exchanges, and of those between chains. The panel appears once the page has a linked wallet; until then, and
 * until it is loaded, there is a button. Tokens, amount and order type are initial values that the user may change.
 *
 * @element swap-panel
 * @attr {string} wallet-id - Wallet that pays; the user chooses one when absent.
 * @attr {string} from-secret-type - `ETHEREUM`, `BITCOIN` and so on: wallets of this chain only.
 * @attr {string} to-secret-type - What comes out is on this chain only; when absent the user may choose, initially that of the wallet.
 * @attr {string} network - Id of the network to swap on, from the wallet's `networks.json`; the wallet's default one when absent.
 * @attr {string} from-token - Contract of the token that goes in; empty or absent for the coin.
 * @attr {string} to-token - Contract of the token that comes out; empty for the coin. The first one available when absent.
 * @attr {string} amount - Coins or tokens, in decimals: `1.5`.
 * @attr {'SELL'|'BUY'} order-type - Whether `amount` is what goes in (`SELL`) or what comes out.
 * @attr {string} destination-wallet-id - Wallet that receives what comes out on its chain; when absent the user may choose, initially the one that pays.
 * @attr {string} currency - ISO 4217: the currency of values beside amounts; that of the connect when absent.
 * @attr {number} heading-level - Level of the panel's heading in the page's outline, 1 to 6; 2 when absent.
 * @fires {ConnectRequestEvent<'executeAll'>} connect-request - Before the wallet opens; `request` is the list of transactions. Cancelable.
 * @fires {ConnectProgressEvent<'executeAll'>} connect-progress - Progress of each transaction; `confirmed` and `failed` may come after the result.
 * @fires {ConnectResultEvent<'executeAll'>} connect-result - At broadcast of the last; `result` is `[{ transactionHash }]`, approvals first.
 * @fires {ConnectCancelEvent<'executeAll'>} connect-cancel - The user rejected or closed, or the page cancelled.
 * @fires {ConnectErrorEvent<'executeAll'>} connect-error - `error.details.completed` lists what was sent before.
 * @csspart button - Trigger, Review, Swap, Open in a window, and the buttons at the end.
 * @csspart button-primary - The filled ones of them.
 * @csspart button-quiet - The others.
 * @csspart heading - The panel's heading.
 * @csspart hint - What helps with a field, and how rates are compared.
 * @csspart input - Amounts, wallets and the custom limit.
 * @csspart segment - Each choice of the slippage limit.
 * @csspart rate - One exchange's rate.
 * @csspart tag - Best, and who holds a wallet's key.
 * @csspart badge - The badge of a chain or token.
 * @csspart panel - The panel.
 * @csspart copy - Copy transaction hash.
 */
export class SwapPanel extends ConnectElement {
  static override properties: PropertyDeclarations = {
    walletId: { attribute: 'wallet-id' },
    fromSecretType: { attribute: 'from-secret-type' },
    toSecretType: { attribute: 'to-secret-type' },
    network: {},
    fromToken: { attribute: 'from-token' },
    toToken: { attribute: 'to-token' },
    amount: {},
    orderType: { attribute: 'order-type' },
    destinationWalletId: { attribute: 'destination-wallet-id' },
    currency: {},
    headingLevel: { type: Number, attribute: 'heading-level' },
  };

  declare walletId: string | undefined;
  declare fromSecretType: SecretType | undefined;
  declare toSecretType: SecretType | undefined;
  declare network: string | undefined;
  declare fromToken: string | null | undefined;
  declare toToken: string | null | undefined;
  declare amount: string | number | bigint | undefined;
  declare orderType: OrderType | undefined;
  declare destinationWalletId: string | undefined;
  declare currency: string | undefined;
  /** 1 to 6. */
  declare headingLevel: number | undefined;
  #asking: Promise<TransactionResult[]> | undefined;

  /** Shows the panel. Resolves once the swap has been sent, to a hash for each transaction, the swap's last. */
  swap(): Promise<TransactionResult[]> {
    return (this.#asking ??= this.#ask().finally(() => (this.#asking = undefined)));
  }

  async #ask(): Promise<TransactionResult[]> {
    return ((await this.opened('executeAll')) as View & Panel).ask();
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
