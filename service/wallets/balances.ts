/** Balances of service wallets, from their nodes. */
import type { NativeBalance, TokenBalance } from '../../src/api/wallet.ts';
import { nativeBalance, partlyRead } from '../../src/chains/nodes/balances.ts';
import type { Network, Token } from '../../src/chains/network.ts';
import { invalid } from '../../src/chains/requests/payloads.ts';
import { CARDS, coinOf, gasCoinOf } from '../../src/chains/secret-type.ts';
import { ConnectError, RequestInvalidError } from '../../src/base/errors.ts';
import type { WalletRow } from '../database/schema.ts';
import type { Reach, ServiceNetworks } from '../networks/service-networks.ts';

type Place = Pick<WalletRow, 'secret_type' | 'address' | 'network'>;

/** A chain without a network has the coin of its card. */
function unavailable(network: Pick<Network, 'secretType' | 'coin'>): NativeBalance {
  const gas = { coin: gasCoinOf(network), raw: 0n };
  return { ...nativeBalance(network.secretType, coinOf(network), 0n, gas), available: false };
}

/** `available: false` while no node answers; `down` is called with the reason. Throws `wallet.balance.not.supported.yet`. */
export async function readNative(
  networks: ServiceNetworks,
  { secret_type: secretType, address, network }: Place,
  down: (why: unknown) => void,
): Promise<NativeBalance> {
  const { chain, node } = await networks.reach(secretType, network);
  try {
    return await chain.balance(address, node);
  } catch (error) {
    if (!(error instanceof ConnectError && error.code === 'node.unreachable')) throw error;
    down(error);
    return unavailable(node.network);
  }
}

/** The same for a whole wallet: without a configured node its balance is not available either. */
export async function readNativeIfAny(
  networks: ServiceNetworks,
  wallet: Place,
  down: (why: unknown) => void,
): Promise<NativeBalance> {
  return networks.has(wallet.secret_type, wallet.network)
    ? readNative(networks, wallet, down)
    : unavailable({ secretType: wallet.secret_type });
}

/**
 * Balances of every token that the network lists. Throws `wallet.balance.not.supported.yet`, and `node.unreachable` if not all could be
 * read; if some are enough (`isPartial`), only if none could.
 */
export async function readListedTokens(
  networks: ServiceNetworks,
  wallet: Place,
  isPartial: boolean,
): Promise<{ balances: TokenBalance[]; unread: readonly string[] }> {
  const { chain, node } = await networks.reach(wallet.secret_type, wallet.network);
  const { tokens } = node.network;
  if (tokens.length === 0) return { balances: [], unread: [] };
  try {
    return { balances: await chain.tokenBalances(wallet.address, tokens, node), unread: [] };
  } catch (error) {
    if (!isPartial) throw error;
    return partlyRead(error);
  }
}

/** The balance of any token. Also throws `request.invalid` at `token`. */
export async function readToken(
  networks: ServiceNetworks,
  wallet: Place,
  address: string,
): Promise<TokenBalance> {
  const reach = await networks.reach(wallet.secret_type, wallet.network);
  const token = await tokenAt(reach, address);
  const [balance] = await reach.chain.tokenBalances(wallet.address, [token], reach.node);
  return balance!;
}

/** Addresses are checked first: one bad call may make a node refuse the rest of the batch. */
async function tokenAt({ chain, node }: Reach, address: string): Promise<Token> {
  const { secretType } = chain;
  if (!chain.isAddress(address, node.network.kind) && !CARDS[secretType].tokenId?.test(address))
    throw invalid('token', `is not the address of a token of ${secretType}`);
  try {
    return await chain.token(address, node);
  } catch (error) {
    // The chain names the field of a body; here it is part of the path.
    if (!(error instanceof RequestInvalidError)) throw error;
    throw new RequestInvalidError(
      error.issues.map(({ path, message }) => ({ path: path === 'tokenAddress' ? 'token' : path, message })),
    );
  }
}
