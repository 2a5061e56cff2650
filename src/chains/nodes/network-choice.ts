/** Requests that name their own node (`network`). Few do, so this is loaded on demand. */
import type { Network, Networks } from '../network.ts';
import { isLoopback } from '../../base/loopback.ts';
import { type CustomNetwork, type NetworkChoice, networkOf, nodeUrl } from './networks.ts';
import { invalid } from '../requests/payloads.ts';
import type { Home } from '../secret-type.ts';

/**
 * The network of a request: the wallet's own, or the node that the request names, when `customNodes` allows it.
 * `choice` is the request's checked `network` field, and `origin` the page's; undefined at the service, which checks every address that it
 * connects to. Other pages must not reach servers on the user's machine through the wallet.
 */
export function networkFor(
  networks: Networks,
  wallet: Home,
  choice: NetworkChoice | null | undefined,
  origin: string | undefined,
): Network | CustomNetwork {
  const { secretType } = wallet;
  if (choice == null) return networkOf(networks, wallet);
  if (secretType !== 'ETHEREUM') throw invalid('network', 'is only supported for ETHEREUM; leave it out');
  if (!networks.customNodes)
    throw invalid('network', 'is not allowed by this wallet: it uses its own nodes; leave it out');
  const url = nodeUrl(choice.nodeUrl);
  if (origin !== undefined && isLoopback(url) && !isLoopback(new URL(origin)) && !isListed(networks, url))
    throw invalid('network.nodeUrl', 'is on this machine, where only pages on it may name a node');
  const listed = networks.networks.filter((network) => network.secretType === secretType);
  const own = listed.find(({ chainId }) => chainId !== undefined && chainId === choice.chainId);
  return {
    id: 'custom',
    secretType,
    name: choice.name,
    kind: 'testnet',
    ...(choice.chainId == null ? {} : { chainId: choice.chainId }),
    nodes: [url.href],
    tokens: own?.tokens ?? [],
    ...(own?.feeCeiling === undefined ? {} : { feeCeiling: own.feeCeiling }),
    ...(own?.explorer === undefined ? {} : { explorer: own.explorer }),
    ...(own?.coin === undefined ? {} : { coin: own.coin }),
    ...(own?.minTip === undefined ? {} : { minTip: own.minTip }),
    custom: { name: choice.name, host: url.host },
    named: listed,
  };
}

function isListed({ networks }: Networks, { href }: URL): boolean {
  return networks.some(({ nodes }) => nodes.some((node) => new URL(node).href === href));
}
