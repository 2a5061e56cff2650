/** What a page asks without showing anything, in one file, because its first request does not need it. */
import type { CreateSwap, ExchangeRates, SwapOutcome, TradingPair } from '../api/swap.ts';
import type { Profile } from '../api/token.ts';
import type { NativeBalance, NonFungible, TokenBalance, Wallet } from '../api/wallet.ts';
import { ConnectError, FrameBlockedError } from '../base/errors.ts';
import type { BuildBody, NativeTransaction } from '../chains/requests.ts';
import { CARDS, CHAIN_NAMES, type SecretType, walletNetworks } from '../chains/secret-type.ts';
import type { ChainRequest, TransactionState } from '../chains/terms.ts';
import type { ChainNetworks } from '../channel/node-methods.ts';
import type { AssetPrices } from '../prices/prices.ts';
import { chainFields, record } from './arguments.ts';
import type { Context } from './context.ts';
import { linkedWallet, whereabouts } from './linked-wallets.ts';
import { invalid } from './plain.ts';
import { checked, payloadsOf } from './preload.ts';
import { chainRequest } from './requests.ts';
import type { CallOptions, MaxOptions, ReadOptions, SwapQuery, SwapSides, WalletNetwork } from './types.ts';

/** A linked wallet with its native balance; `UNAVAILABLE` and without a balance while no node of its network answers. */
export async function wallet(context: Context, id: string, options: ReadOptions): Promise<Wallet> {
  const entry = linkedWallet(context, id);
  try {
    return { ...entry, balance: await balance(context, id, options) };
  } catch (error) {
    if (error instanceof ConnectError && error.code === 'node.unreachable')
      return { ...entry, status: 'UNAVAILABLE' };
    throw error;
  }
}

/** Native balance of a linked wallet, from the network's node. */
export async function balance(context: Context, id: string, options: ReadOptions): Promise<NativeBalance> {
  return context.host.read('balance', await placeOf(context, id, options), options);
}

/** Balances of every token that the network lists. */
export async function tokenBalances(
  context: Context,
  id: string,
  options: ReadOptions,
): Promise<TokenBalance[]> {
  return context.host.read('tokenBalances', await placeOf(context, id, options), options);
}

/** Balance of any token, listed or not. */
export async function tokenBalance(
  context: Context,
  id: string,
  token: string,
  options: ReadOptions,
): Promise<TokenBalance> {
  if (typeof token !== 'string' || !token) throw invalid('token', 'is required: the address of a token');
  const where = await placeOf(context, id, options);
  const [balance] = await context.host.read('tokenBalances', { ...where, token }, options);
  if (balance) return balance;
  throw new ConnectError('internal.error', 'The wallet answered no balance.');
}

const MAX = 100;

/** Non-fungible tokens of a linked wallet, in the given contracts, else in those that the network lists. */
export async function nonFungibles(
  context: Context,
  id: string,
  contracts: readonly string[] | undefined,
  options: ReadOptions,
): Promise<NonFungible[]> {
  const where = await placeOf(context, id, options);
  if (!CARDS[where.secretType].nonFungibles)
    throw new ConnectError('chain.not-supported', 'Non-fungible tokens are listed for ETHEREUM only.', {
      secretType: where.secretType,
    });
  if (contracts == null) return context.host.read('nonFungibles', where, options);
  if (!Array.isArray(contracts) || contracts.length > MAX)
    throw invalid('contracts', `must be a list of at most ${MAX} addresses`);
  const bad = contracts.findIndex((contract) => typeof contract !== 'string' || !contract);
  if (bad >= 0) throw invalid(`contracts.${bad}`, 'must be an address as text');
  return context.host.read('nonFungibles', { ...where, contracts: [...contracts] }, options);
}

/** The maximum amount of the coin that a transfer can send now, in coins. */
export async function maxSpendable(
  context: Context,
  id: string,
  to: string | undefined,
  options: MaxOptions,
): Promise<string> {
  if (to !== undefined && (typeof to !== 'string' || !to))
    throw invalid('to', 'must be an address, or absent: then what can be sent to any');
  const { data } = options;
  if (data !== undefined && typeof data !== 'string') throw invalid('data', 'must be text, or absent');
  const where = await placeOf(context, id, options);
  return context.host.read('maxSpendable', { ...where, ...(to && { to }), ...(data && { data }) }, options);
}

/** A transaction's state according to the network's nodes. About those sent from here, the wallet knows more than the hash. */
export async function transactionStatus(
  context: Context,
  hash: string,
  secretType: SecretType,
  options: ReadOptions,
): Promise<TransactionState> {
  if (typeof hash !== 'string' || !hash) throw invalid('hash', 'is required');
  if (typeof secretType !== 'string') throw invalid('secretType', 'is required');
  const { network } = options;
  await assertNetwork(context, secretType, options);
  const params = { hash, secretType };
  if (network === undefined) return readStatus(context, params, options);
  return readStatus(context, { ...params, network }, options).catch((error: ConnectError) => {
    if (error.code !== 'request.invalid') throw error;
    // A frame of an older version takes no network, and asks all of them.
    return readStatus(context, params, options);
  });
}

/** From the vault where the page reaches it, else from the nodes. */
async function readStatus(
  { host, reachesVault }: Context,
  params: { hash: string; secretType: SecretType; network?: string },
  options: ReadOptions,
): Promise<TransactionState> {
  try {
    if (await reachesVault()) return await host.readOwn('transactionStatus', params, options);
  } catch (error) {
    if (!(error instanceof FrameBlockedError)) throw error;
  }
  return host.read('transactionStatus', params, options);
}

/** Prices of the coin and listed tokens of a linked wallet's network, from the wallet's own source. */
export async function prices(
  context: Context,
  id: string,
  currency: string | undefined,
  options: ReadOptions,
): Promise<AssetPrices | null> {
  const { address: _, ...where } = await placeOf(context, id, options);
  const { currency: usual, locale: language } = context.options;
  return context.host.read('prices', { ...where, currency: currency ?? usual, language }, options);
}

/**
 * The user, as the wallet service knows them. Without the service, the answer describes this browser, and reveals
 * whether it has a PIN only to a page with a linked wallet.
 */
export async function profile(
  { host, record, options: { getAccessToken } }: Context,
  options: CallOptions,
): Promise<Profile> {
  if (getAccessToken) return host.read('profile', {}, options);
  return {
    userId: 'browser',
    hasMasterPin: record.read().wallets.length > 0,
    username: null,
    email: null,
    firstName: null,
    lastName: null,
  };
}

/** Turns a TRANSFER, GAS_TRANSFER, TOKEN_TRANSFER, NFT_TRANSFER or CONTRACT_EXECUTION body into the native request for `execute`. */
export function build(context: Context, params: BuildBody, options: CallOptions): Promise<NativeTransaction> {
  const request = chainRequest(context, params);
  const { type, secretType, walletId, network } = request;
  const networkId = typeof network === 'string' ? network : undefined;
  const body = chainFields(request) as ChainRequest;
  return checked(
    context,
    [{ type, secretType }],
    () => payloadsOf(context, body)?.parse(body),
    async () => {
      const { secretType: _, ...where } = await placeOf(context, walletId, onNetwork(networkId));
      const native = await context.host.read('build', { body, ...where }, options);
      return named(native, networkId);
    },
  );
}

const onNetwork = (network: string | undefined): ReadOptions => (network === undefined ? {} : { network });

/** For the same network. */
function named(native: NativeTransaction, network: string | undefined): NativeTransaction {
  return { ...native, ...onNetwork(network) } as NativeTransaction;
}

/**
 * Once the vault knows of an unlinking, removes it from the list that the wallet gets on its next opening. A
 * window that is already open may have read the vault before, and gets the list in any case.
 */
export async function tellUnlinked(
  { host, record, reachesVault }: Context,
  walletId: string,
  options: CallOptions,
): Promise<void> {
  if (!(await reachesVault())) return;
  await host.readOwn('unlink', { walletId }, options);
  if (!host.isOpen()) record.change((it) => (it.unlinked = it.unlinked.filter((id) => id !== walletId)));
}

/** What can be swapped for what on the network of a linked wallet. Empty if it has no exchange. */
export async function swapPairs(context: Context, id: string, options: ReadOptions): Promise<TradingPair[]> {
  const { address: _, ...where } = await placeOf(context, id, options);
  return context.host.read('swapPairs', where, options);
}

/** What every exchange pays for an amount, or charges for it. */
export async function swapRates(
  context: Context,
  params: SwapQuery,
  options: CallOptions,
): Promise<ExchangeRates> {
  const { walletId, network, ...query } = record(params, ['fromSecretType', 'toSecretType', 'orderType']);
  const named = onNetwork(network as string | undefined);
  if (walletId !== undefined) Object.assign(named, await placeOf(context, walletId as string, named));
  else await assertNetwork(context, query['fromSecretType'] as SecretType, named);
  return context.host.read('swapRates', { query, ...onNetwork(named.network) }, options);
}

const TEXTS = ['walletId', 'fromSecretType', 'toSecretType', 'orderType', 'exchange'];

/** The native requests that carry a swap out, in their order. */
export async function createSwap(
  context: Context,
  params: CreateSwap,
  options: CallOptions,
): Promise<NativeTransaction[]> {
  const { network: given, ...body } = record(params, TEXTS) as CreateSwap;
  const networkId = given ?? undefined;
  const { walletId, fromSecretType, toSecretType, destinationWalletId } = body;
  const { secretType, address, network } = await placeOf(context, walletId, onNetwork(networkId));
  if (fromSecretType !== secretType)
    throw invalid('fromSecretType', `must be ${secretType}, as that of the wallet`);
  let recipient = address;
  const crosses = toSecretType !== secretType;
  if (destinationWalletId != null) {
    const to = linkedWallet(context, destinationWalletId);
    if (to.secretType !== toSecretType)
      throw invalid('destinationWalletId', `must be a wallet of ${toSecretType}`);
    if (!crosses && to.network !== network) await assertReceives(context, destinationWalletId, network);
    recipient = to.address;
  } else if (crosses && Object.hasOwn(CARDS, toSecretType))
    throw invalid('destinationWalletId', `is required: a linked wallet of ${toSecretType}`);
  const natives = await context.host.read(
    'createSwap',
    { body, address, recipient, ...onNetwork(network) },
    options,
  );
  return natives.map((native) => named(native, networkId));
}

/** A wallet whose default network is another one can be on this one, too. */
async function assertReceives(
  context: Context,
  walletId: string,
  network: string | undefined,
): Promise<void> {
  const { secretType } = linkedWallet(context, walletId);
  const [first] = await networks(context, secretType);
  const there = await networks(context, walletId);
  if (!there.some(({ id }) => id === (network ?? first?.id)))
    throw invalid('destinationWalletId', 'must be on the same network as the wallet');
}

/** What a swap actually took and gave, from its transaction; null before it is confirmed. */
export async function swapOutcome(
  context: Context,
  hash: string,
  params: SwapSides,
  options: CallOptions,
): Promise<SwapOutcome | null> {
  const { walletId, destinationWalletId, fromToken, toToken, exchange, network } = record(params, [
    'walletId',
    'exchange',
  ]) as SwapSides;
  const where = await placeOf(context, walletId, onNetwork(network ?? undefined));
  const { address: recipient } = destinationWalletId ? linkedWallet(context, destinationWalletId) : where;
  const tokens = { fromToken: fromToken ?? '', toToken: toToken ?? '' };
  return context.host.read('swapOutcome', { ...where, ...tokens, hash, exchange, recipient }, options);
}

/** The explorer's page for a transaction on the network of a linked wallet; null if the network has no explorer. */
export async function transactionUrl(
  context: Context,
  hash: string,
  walletId: string,
  options: ReadOptions,
): Promise<string | null> {
  if (typeof hash !== 'string' || !hash) throw invalid('hash', 'is required: the hash of a transaction');
  const { address: _, ...where } = await placeOf(context, walletId, options);
  return context.host.read('transactionUrl', { ...where, hash }, options);
}

// The networks of linked wallets, as the wallet's `networks.json` lists them.

/** By chain. */
const lists = new WeakMap<Context, Map<SecretType, Promise<ChainNetworks>>>();

/** The networks with nodes that a linked wallet is on, its default one first; for a `secretType`, all of them, in the order of the file. */
export async function networks(context: Context, of: string): Promise<WalletNetwork[]> {
  const isChain = Object.hasOwn(CARDS, of);
  const wallet = isChain ? undefined : linkedWallet(context, of);
  const all = await networkList(context, isChain ? (of as SecretType) : wallet!.secretType);
  return (wallet ? networksOf(wallet, all) : all.networks).map(({ id, name, kind, chainId }) => ({
    id,
    name,
    kind,
    ...(chainId !== undefined && { chainId }),
  }));
}

/** As the wallet has it: on one network in another program, and in a wallet of an older version. */
function networksOf(wallet: Wallet, { networks: all, portable }: ChainNetworks): ChainNetworks['networks'] {
  return walletNetworks(wallet, all, !portable || wallet.walletType === 'EXTERNAL');
}

function networkList(context: Context, secretType: SecretType): Promise<ChainNetworks> {
  const byChain = lists.get(context) ?? new Map<SecretType, Promise<ChainNetworks>>();
  lists.set(context, byChain);
  const earlier = byChain.get(secretType);
  if (earlier) return earlier;
  const list = readNetworkList(context, secretType);
  byChain.set(secretType, list);
  list.catch(() => byChain.delete(secretType));
  return list;
}

async function readNetworkList({ host }: Context, secretType: SecretType): Promise<ChainNetworks> {
  const answer = await host.read('rpc', { secretType, method: 'carabiner_networks', params: [] });
  if ('result' in answer) return answer.result as ChainNetworks;
  throw new ConnectError('internal.error', 'The wallet answered no networks.');
}

/** What a read of a wallet needs, on the network that the call names or on the wallet's own. Throws `request.invalid` at `network`. */
export async function placeOf(
  context: Context,
  id: string,
  { network }: ReadOptions,
): Promise<ReturnType<typeof whereabouts>> {
  const place = whereabouts(context, id);
  if (network === undefined || network === place.network) return place;
  assertText(network);
  const all = await networks(context, id);
  if (all.some((each) => each.id === network)) return { ...place, network };
  throw notOn(place.secretType, all);
}

/** The same for what is read of a chain, without a wallet. */
export async function assertNetwork(
  context: Context,
  secretType: SecretType,
  { network }: ReadOptions,
): Promise<void> {
  if (network === undefined) return;
  assertText(network);
  const all = await networks(context, secretType);
  if (!all.some(({ id }) => id === network)) throw notOn(secretType, all);
}

function assertText(network: unknown): void {
  if (typeof network !== 'string' || !network)
    throw invalid('network', 'must be the id of a network, such as "ethereum", or absent');
}

function notOn(secretType: SecretType, all: readonly WalletNetwork[]): Error {
  const ids = all.map(({ id }) => id).join(', ') || 'none';
  return invalid('network', `is not a network of this ${CHAIN_NAMES[secretType]} wallet. It is on: ${ids}`);
}
