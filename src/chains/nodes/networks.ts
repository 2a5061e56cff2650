/** Reading `networks.json`, and choosing the network a request goes to. */
import { ConnectError } from '../../base/errors.ts';
import { type Network, Networks } from '../network.ts';
import { invalid } from '../requests/payloads.ts';
import { CHAIN_NAMES, type Home, type SecretType, walletNetworks } from '../secret-type.ts';

/** A network whose node the site chose. Only `chainName` may name it to the user. */
export interface CustomNetwork extends Network {
  custom: { name: string; host: string };
  /** Those of its chain in `networks.json`, which name chain ids. */
  named: readonly Network[];
}

/** `network` of a native request: a node that the page names. */
export interface NetworkChoice {
  name: string;
  nodeUrl: string;
  chainId?: number | null | undefined;
}

/** Checks the text or object of a `networks.json`. Throws `internal.error` that names what is wrong with it. */
export function parseNetworks(json: unknown): Networks {
  const result = Networks.safeParse(typeof json === 'string' ? JSON.parse(json) : json);
  if (result.success) return result.data;
  const where = result.error.issues.map((issue) => issue.path.join('.')).join(', ');
  throw new ConnectError('internal.error', `networks.json is not valid at: ${where}`);
}

export async function loadNetworks(url: string | URL): Promise<Networks> {
  let response: Response;
  try {
    response = await fetch(url, { credentials: 'omit' });
  } catch (cause) {
    throw new ConnectError('node.unreachable', 'The list of networks could not be loaded.', {}, { cause });
  }
  if (!response.ok)
    throw new ConnectError('node.unreachable', `The list of networks answered HTTP ${response.status}.`);
  return parseNetworks(await response.json());
}

/** The networks of this secret type that have nodes, in the order of the file. */
export function usableNetworks({ networks }: Networks, secretType: SecretType): Network[] {
  return networks.filter((n) => n.secretType === secretType && n.nodes.length > 0);
}

/** The default network of new wallets of this secret type: the first one with nodes. */
export function activeNetwork(networks: Networks, secretType: SecretType): Network {
  const [found] = usableNetworks(networks, secretType);
  if (found) return found;
  throw new ConnectError(
    'chain.not-supported',
    `This wallet has no node for ${CHAIN_NAMES[secretType]}. Add one to networks.json.`,
    { secretType },
  );
}

/** The default network of a wallet. Throws `chain.not-supported` when `networks.json` no longer has it, or has no node for it. */
export function networkOf(networks: Networks, { secretType, network }: Home): Network {
  if (network === undefined) return activeNetwork(networks, secretType);
  const match = usableNetworks(networks, secretType).find((n) => n.id === network);
  if (match) return match;
  throw new ConnectError(
    'chain.not-supported',
    `networks.json no longer has a node for “${network}”, this wallet’s network. Add it again to use the wallet.`,
    { secretType, network },
  );
}

/** Every network that a wallet is on, its default one first. Empty if none of them has a node. */
export function networksOf(networks: Networks, home: Home): Network[] {
  return walletNetworks(home, usableNetworks(networks, home.secretType));
}

/**
 * The network that a request names by its id; without one, the wallet's default network. Throws `request.invalid` at `network` if the wallet
 * is not on it.
 */
export function networkOn(networks: Networks, home: Home, id: string | null | undefined): Network {
  if (id == null) return networkOf(networks, home);
  const network = networksOf(networks, home).find((each) => each.id === id);
  if (network) return network;
  throw invalid('network', 'is not a network of this wallet');
}

/** Splits a request's `network`: the id of a network, or what else it is, which the chain's own schema checks. */
export function splitNetwork<T extends object>(request: T): { networkId: string | undefined; body: T } {
  const { network, ...body } = request as { network?: unknown };
  if (typeof network !== 'string') return { networkId: undefined, body: request };
  return { networkId: network, body: body as T };
}

export function isCustom(network: Network): network is CustomNetwork {
  return 'custom' in network;
}

/** Throws `request.invalid` at `network.nodeUrl` unless it is an http(s) address without credentials. */
export function nodeUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw invalid('network.nodeUrl', 'must be a full URL, for example https://node.example/rpc');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw invalid('network.nodeUrl', 'must begin with https:// or http://');
  if (url.username || url.password)
    throw invalid('network.nodeUrl', 'must not carry a user name or password');
  return url;
}
