/** Which of our networks an external wallet is on, or should be on. */
import type { ChainNetworks } from '../channel/node-methods.ts';
import type { ChainCard } from '../chains/card.ts';
import type { SecretType } from '../chains/secret-type.ts';
import { ConnectError, RequestInvalidError } from '../base/errors.ts';
import { externalError, notSupported } from './external-error.ts';
import type { Account, ExternalHost, Wish } from './types.ts';

export type NamedNetwork = ChainNetworks['networks'][number];

/** Namespaces of CAIP-2 in which wallets elsewhere are asked for accounts: https://chainagnostic.org/CAIPs/caip-2 */
export type NamespaceName = 'eip155' | 'bip122' | 'tron' | 'vechain';

/** Of a chain's networks; undefined for chains that no wallet elsewhere is linked for. */
export function namespaceOf({ contracts, uriScheme }: ChainCard): NamespaceName | undefined {
  if (contracts) return contracts === 'evm' ? 'eip155' : contracts;
  return uriScheme === 'bitcoin' ? 'bip122' : undefined;
}

/** The networks of `networks.json` that have nodes. */
export async function networksOf(host: ExternalHost, secretType: SecretType): Promise<NamedNetwork[]> {
  const answer = await host.rpc({ secretType, method: 'carabiner_networks', params: [] });
  return 'result' in answer ? (answer.result as ChainNetworks).networks : [];
}

/** The network that a linked wallet is on. `name`: the external wallet's. */
export async function networkOf(
  host: ExternalHost,
  { secretType, network }: Pick<Account, 'secretType'> & { network?: string | undefined },
  name: string,
): Promise<NamedNetwork> {
  const all = await networksOf(host, secretType);
  const own = network === undefined ? all[0] : all.find(({ id }) => id === network);
  if (own) return own;
  throw notSupported(name, `${secretType} on a network that networks.json has no node for`);
}

/** The requested network; else the wallet's current one, if it is one of ours; else the first. */
export async function networkFor(
  host: ExternalHost,
  { secretTypes, network }: Wish,
  name: string,
  current: () => Promise<(network: NamedNetwork) => boolean>,
): Promise<Omit<Account, 'address'>> {
  const lists = await Promise.all(
    secretTypes.map(async (secretType) =>
      (await networksOf(host, secretType)).map((each) => ({ secretType, each })),
    ),
  );
  const all = lists.flat();
  if (network !== undefined) {
    const match = all.find(({ each }) => each.id === network);
    if (match) return { secretType: match.secretType, network };
    throw new RequestInvalidError([
      { path: 'network', message: `is not a network of ${secretTypes.join(' or ')}` },
    ]);
  }
  const isCurrent = await current();
  const nearest = all.find(({ each }) => isCurrent(each)) ?? all[0];
  if (nearest) return { secretType: nearest.secretType, network: nearest.each.id };
  throw notSupported(name, secretTypes.join(' or '));
}

/** The wallet does not know the network (EIP-3326). */
const UNKNOWN_CHAIN = 4902;

/** Asks the wallet to switch to the network (EIP-3326), and checks that it did. */
export async function switchTo(
  { chainId, name: network }: { chainId: string; name: string },
  wallet: { name: string; request(asked: { method: string; params: unknown[] }): Promise<unknown> },
  isThere: () => Promise<boolean>,
): Promise<void> {
  if (await isThere()) return;
  const { name } = wallet;
  const details = { chainId: Number(chainId) };
  try {
    await wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] });
  } catch (error) {
    // MetaMask's app wraps the code (https://github.com/MetaMask/metamask-mobile/issues/2944).
    const { code, data } = error as { code?: unknown; data?: { originalError?: { code?: unknown } } };
    if (code !== UNKNOWN_CHAIN && data?.originalError?.code !== UNKNOWN_CHAIN)
      throw externalError(error, name);
    throw new ConnectError(
      'chain.not-supported',
      `${name} does not know the network ${network} (chain id ${details.chainId}). Add it there.`,
      details,
    );
  }
  if (await isThere()) return;
  throw new ConnectError('chain.not-supported', `${name} did not switch to ${network}.`, details);
}
