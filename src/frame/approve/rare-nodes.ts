/** A request's node where it is not the usual one: a node that the site names, or none that answers. Loaded when it is needed. */
import type { Wallet } from '../../api/wallet.ts';
import type { Network } from '../../chains/network.ts';
import { networkFor } from '../../chains/nodes/network-choice.ts';
import type { CustomNetwork, NetworkChoice } from '../../chains/nodes/networks.ts';
import { invalid } from '../../chains/requests/payloads.ts';
import { CHAIN_NAMES, type SecretType } from '../../chains/secret-type.ts';
import type { Frame } from '../frame.ts';
import type { OpenOptions } from '../ui/screen.ts';

/**
 * For a request that names its own node. For browser wallets only: the service uses nodes of its own. Throws `request.invalid` at `network`,
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

const RETRY = 10_000;

/** No node answers: waits for Retry or 10 seconds. Rejects with `user.rejected`. */
export async function retryNode(frame: Frame, secretType: SecretType, options: OpenOptions): Promise<void> {
  const { nodeDown } = await import('../shell/obstacles-flow.ts');
  const view = nodeDown(CHAIN_NAMES[secretType], frame.clock, frame.clock.date() + RETRY);
  await frame.stage.open(view, options).next('cbf-retry');
}
