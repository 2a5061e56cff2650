/** Reading `networks.json`, and choosing the network a request goes to. */
import { ConnectError } from '../../base/errors.ts';
import { type Network, Networks } from '../network.ts';
import { invalid } from '../requests/payloads.ts';
import { CHAIN_NAMES, type SecretType } from '../secret-type.ts';
import type { KnownChain } from '../evm/well-known.ts';

/** A network whose node the site chose. Only `chainName` may name it to the user. */
export interface CustomNetwork extends Network {
  custom: { name: string; host: string };
  /** The names in `networks.json` of known chain ids. */
  named: KnownChain[];
}

/** Spec 4.3.1 `network`. */
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

/** Where a wallet is. `network` is an id of `networks.json`; without one, as older versions made it, it is on the first of its chain. */
export interface Home {
  secretType: SecretType;
  network?: string | undefined;
}

/** The networks that wallets of this secret type can be on: those with nodes, in the order of the file. */
export function usableNetworks({ networks }: Networks, secretType: SecretType): Network[] {
  return networks.filter((n) => n.secretType === secretType && n.nodes.length > 0);
}

/** The network that a wallet of this secret type is on unless the user chooses another: the first one with nodes. */
export function activeNetwork(networks: Networks, secretType: SecretType): Network {
  const [found] = usableNetworks(networks, secretType);
  if (found) return found;
  throw new ConnectError(
    'chain.not-supported',
    `This wallet has no node for ${CHAIN_NAMES[secretType]}. Add one to networks.json.`,
    { secretType },
  );
}

/** The network of a wallet. Throws `chain.not-supported` when `networks.json` no longer has it, or has no node for it. */
export function networkOf(networks: Networks, { secretType, network }: Home): Network {
  if (network === undefined) return activeNetwork(networks, secretType);
  const match = usableNetworks(networks, secretType).find((n) => n.id === network);
  if (match) return match;
  throw new ConnectError(
    'chain.not-supported',
    `This wallet is on the network “${network}”, for which networks.json no longer has a node. Add the network again to use the wallet.`,
    { secretType, network },
  );
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
