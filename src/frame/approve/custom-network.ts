/** The network of a request that names its own node. Loaded with the first one. */
import type { Wallet } from '../../api/wallet.ts';
import type { Network } from '../../chains/network.ts';
import { networkFor } from '../../chains/nodes/network-choice.ts';
import type { CustomNetwork, NetworkChoice } from '../../chains/nodes/networks.ts';
import { invalid } from '../../chains/requests/payloads.ts';
import type { Frame } from '../frame.ts';

/**
 * For browser wallets only: the service uses nodes of its own. Throws `request.invalid` at `network`,
 * before that node is queried.
 */
export function customNetwork(
  { networks, link }: Frame,
  wallet: Wallet,
  choice: NetworkChoice,
): Network | CustomNetwork {
  if (wallet.walletType !== 'BROWSER')
    throw invalid('network', 'is only supported for wallets of the browser; leave it out');
  return networkFor(networks, wallet, choice, link.origin);
}
