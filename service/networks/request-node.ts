/** The node for a request: the one that it names, behind the address guard, else the service's own. */
import type { Node } from '../../src/chains/terms.ts';
import { JsonRpc } from '../../src/chains/evm/json-rpc.ts';
import { networkFor } from '../../src/chains/nodes/network-choice.ts';
import { isCustom, type NetworkChoice } from '../../src/chains/nodes/networks.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import type { WalletRow } from '../database/schema.ts';
import type { ServiceNetworks } from './service-networks.ts';
import { type Outbound, RefusedAddress } from '../outbound/outbound.ts';

/** `choice` is the request's validated `network`. Throws `request.invalid` at it, and `chain.not-supported` when there is no node. */
export async function nodeFor(
  { networks, outbound }: { networks: ServiceNetworks; outbound: Outbound },
  { secret_type: secretType, network: id }: Pick<WalletRow, 'secret_type' | 'network'>,
  choice?: NetworkChoice | null,
): Promise<Node> {
  const network = networkFor(networks.file, { secretType, network: id ?? undefined }, choice, undefined);
  if (!isCustom(network)) return (await networks.reach(secretType, id)).node;
  try {
    for (const url of network.nodes) outbound.check(new URL(url));
  } catch (error) {
    if (error instanceof RefusedAddress) throw invalid('network.nodeUrl', 'must be on the public internet');
    throw error;
  }
  return new JsonRpc(network, { fetch: outbound.fetch });
}
