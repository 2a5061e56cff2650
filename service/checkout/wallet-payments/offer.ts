/** Whether a session can be paid by wallet, and with which coins and tokens. */
import type { Coin } from '../../../src/chains/coin.ts';
import { listedToken } from '../../../src/chains/contracts/listed-token.ts';
import type { Network } from '../../../src/chains/network.ts';
import { usableNetworks } from '../../../src/chains/nodes/networks.ts';
import { coinOf } from '../../../src/chains/secret-type.ts';
import { ConnectError } from '../../../src/base/errors.ts';
import type { ReceivingWalletEntry, SessionRow } from '../../database/schema.ts';
import type { Service } from '../../service.ts';
import { findPrice, type Price } from '../../prices/prices.ts';
import { canTakeAddress } from './addresses/take-address.ts';
import { hasKey } from './receiving-keys.ts';
import { findReceivingWallets, fitsMoney } from './receiving-wallets.ts';

/** Minor units: about what it costs to spend a payment of Bitcoin or Litecoin later on. */
const LEAST_TOTAL = 100;

export interface Offer {
  /** Base URL of the frame. */
  frame: string;
  wallet: ReceivingWalletEntry;
  network: Network;
  /** The coin or token that is sent. */
  asset: Coin;
  /** Where the price in the session's currency comes from. */
  price: Price;
}

/** In the shop's order; empty when it cannot. Asks no node: whether there is a price shows with the quote. */
export async function offersFor(
  { db, config, networks }: Pick<Service, 'db' | 'config' | 'networks'>,
  session: Pick<SessionRow, 'application_id' | 'amount_total' | 'livemode' | 'currency'> & { id?: string },
): Promise<Offer[]> {
  const frame = config.frameUrl;
  if (frame === undefined || Number(session.amount_total) === 0) return [];
  const offers: Offer[] = [];
  for (const wallet of await findReceivingWallets(db, session.application_id)) {
    // The operator may have changed the file since the wallet was set.
    const network = usableNetworks(networks.file, wallet.secret_type).find(({ id }) => id === wallet.network);
    if (!network || !fitsMoney(network, session.livemode)) continue;
    if (hasKey(wallet) && Number(session.amount_total) < LEAST_TOTAL) continue;
    if (hasKey(wallet) && !(await canTakeAddress(db, wallet, session.id))) continue;
    const price = findPrice(network, wallet.token_address, session.currency);
    const asset =
      wallet.token_address === '' ? coinOf(network) : listedToken(network.tokens, wallet.token_address);
    if (price && asset) offers.push({ frame, wallet, network, asset, price });
  }
  return offers;
}

export function unavailable(): ConnectError {
  return new ConnectError('checkout.wallet.unavailable', 'This payment cannot be made with a wallet.');
}
