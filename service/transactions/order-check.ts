/** Orders to swap between chains among what wallets sign: none that two nodes of the exchange do not vouch for right before. */
import type { EvmDraft } from '../../src/chains/evm/draft.ts';
import type { Network } from '../../src/chains/network.ts';
import { usableNetworks } from '../../src/chains/nodes/networks.ts';
import type { Draft, Node } from '../../src/chains/terms.ts';
import { thorchainsOf } from '../../src/swaps/cross-chain/entry.ts';
import { chainOf, NotAvailable } from '../../src/swaps/cross-chain/thorchain/assets.ts';
import type { ThorchainEntry } from '../../src/swaps/cross-chain/thorchain/entry.ts';
import { unavailable } from '../../src/swaps/cross-chain/thorchain/exchange.ts';
import { OrderGuard } from '../../src/swaps/cross-chain/thorchain/review.ts';
import {
  entryOn,
  type OrderTerms,
  readCallOrder,
  readOrder,
} from '../../src/swaps/cross-chain/thorchain/terms.ts';
import type { ServiceNetworks } from '../networks/service-networks.ts';
import type { SpendOrder } from '../policies/check-spend.ts';

/** An order that may be signed now. */
export interface CheckedOrder extends SpendOrder {
  /** Throws `swap.<dex>.unavailable`. Asks nobody within seconds of the first check. */
  assertOpen(): Promise<void>;
}

/** What is about to be signed: a draft, or a call that there is no draft of. */
export type Signable = Draft | Pick<EvmDraft, 'to' | 'value' | 'data'>;

/** What sends an order, and whose file says whom to ask. */
interface OrderSource {
  networks: Pick<ServiceNetworks, 'file' | 'nodesOf' | 'reach'>;
  node: Node;
  sender: string;
}

/** Which exchange's codes refuse an order where none is listed. */
const UNLISTED_EXCHANGE = 'THORChain';

/** Undefined for what carries no order. Throws `swap.<dex>.unavailable` and `node.unreachable`. */
export async function checkOrder(
  signable: Signable,
  { networks, node, sender }: OrderSource,
): Promise<CheckedOrder | undefined> {
  const { file } = networks;
  const entries = thorchainsOf(file);
  const terms =
    'secretType' in signable ? readOrder(signable, entries) : readCallOrder(signable, node.network, entries);
  if (!terms) return undefined;
  const entry = entryOn(node.network, entries);
  if (!entry)
    throw unavailable(
      UNLISTED_EXCHANGE,
      new NotAvailable(
        'unlisted',
        'It carries an order to swap between chains, and networks.json lists no exchange that could be asked about it.',
      ),
    );
  const place = {
    entry,
    nodes: networks.nodesOf(entry),
    networks: file.networks,
    node,
    reach: async ({ secretType, id }: Network) => (await networks.reach(secretType, id)).node,
    sender,
  };
  const guard = new OrderGuard(place, terms);
  guard.ask();
  await guard.assertOpen();
  if ('unreadable' in terms.memo)
    throw unavailable(
      entry.name,
      new NotAvailable('memo', 'Its order cannot be read: at best the coins come back, less a fee.'),
    );
  return { terms, destination: destinationOf(terms, entry, file), assertOpen: () => guard.assertOpen() };
}

/** Where the recipient is that the memo names. */
function destinationOf(
  { memo }: OrderTerms,
  { assets }: ThorchainEntry,
  file: ServiceNetworks['file'],
): SpendOrder['destination'] {
  const chain = 'unreadable' in memo ? undefined : chainOf(memo.asset);
  const network = assets.find(({ name }) => chain && chainOf(name) === chain)?.network;
  if (!chain || network === undefined) return undefined;
  const { secretType } = chain;
  return { secretType, network, byDefault: usableNetworks(file, secretType)[0]?.id === network };
}
