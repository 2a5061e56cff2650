/** What a page asks without showing anything, in one file, because its first request does not need it. */
import type { CreateSwap, ExchangeRates, SwapOutcome, TradingPair } from '../api/swap.ts';
import type { Profile } from '../api/token.ts';
import type { NativeBalance, NonFungible, TokenBalance, Wallet } from '../api/wallet.ts';
import { ConnectError, FrameBlockedError } from '../base/errors.ts';
import type { BuildBody, NativeTransaction } from '../chains/requests.ts';
import { CARDS, type SecretType } from '../chains/secret-type.ts';
import type { TransactionState } from '../chains/terms.ts';
import type { AssetPrices } from '../prices/asset-prices.ts';
import { record } from './arguments.ts';
import type { Context } from './context.ts';
import { linkedWallet, whereabouts } from './linked-wallets.ts';
import { invalid } from './plain.ts';
import { checked, payloadsOf } from './preload.ts';
import { chainRequest } from './requests.ts';
import type { CallOptions, SwapQuery, SwapSides } from './types.ts';

/** A linked wallet with its native balance; `UNAVAILABLE` and without a balance while no node of its network answers. */
export async function wallet(context: Context, id: string, options: CallOptions): Promise<Wallet> {
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
export function balance(context: Context, id: string, options: CallOptions): Promise<NativeBalance> {
  return context.host.read('balance', whereabouts(context, id), options);
}

/** Balances of every token that the network lists. */
export function tokenBalances(context: Context, id: string, options: CallOptions): Promise<TokenBalance[]> {
  return context.host.read('tokenBalances', whereabouts(context, id), options);
}

/** Balance of any token, listed or not. */
export async function tokenBalance(
  context: Context,
  id: string,
  token: string,
  options: CallOptions,
): Promise<TokenBalance> {
  if (typeof token !== 'string' || !token) throw invalid('token', 'is required: the address of a token');
  const where = whereabouts(context, id);
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
  options: CallOptions,
): Promise<NonFungible[]> {
  const where = whereabouts(context, id);
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
export function maxSpendable(
  context: Context,
  id: string,
  to: string | undefined,
  options: CallOptions,
): Promise<string> {
  if (to !== undefined && (typeof to !== 'string' || !to))
    throw invalid('to', 'must be an address, or absent: then what can be sent to any');
  return context.host.read('maxSpendable', { ...whereabouts(context, id), ...(to && { to }) }, options);
}

/** A transaction's state according to the network's nodes. About those sent from here, the wallet knows more than the hash. */
export async function transactionStatus(
  { host, reachesVault }: Context,
  hash: string,
  secretType: SecretType,
  options: CallOptions,
): Promise<TransactionState> {
  if (typeof hash !== 'string' || !hash) throw invalid('hash', 'is required');
  if (typeof secretType !== 'string') throw invalid('secretType', 'is required');
  const params = { hash, secretType };
  try {
    if (await reachesVault()) return await host.readOwn('transactionStatus', params, options);
  } catch (error) {
    if (!(error instanceof FrameBlockedError)) throw error;
  }
  return host.read('transactionStatus', params, options);
}

/** Prices of the coin and listed tokens of a linked wallet's network, from the wallet's own source. */
export function prices(
  context: Context,
  id: string,
  currency: string | undefined,
  options: CallOptions,
): Promise<AssetPrices | null> {
  const { address: _, ...where } = whereabouts(context, id);
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
export function build(context: Context, body: BuildBody, options: CallOptions): Promise<NativeTransaction> {
  const copy = chainRequest(context, body);
  const { type, secretType } = copy;
  return checked(
    context,
    [{ type, secretType }],
    () => payloadsOf(context, copy)?.parse(copy),
    () => {
      const { secretType: _, ...where } = whereabouts(context, copy.walletId);
      return context.host.read('build', { body: copy, ...where }, options);
    },
  );
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
export function swapPairs(context: Context, id: string, options: CallOptions): Promise<TradingPair[]> {
  const { address: _, ...where } = whereabouts(context, id);
  return context.host.read('swapPairs', where, options);
}

/** What every exchange pays for an amount, or charges for it. */
export function swapRates(context: Context, query: SwapQuery, options: CallOptions): Promise<ExchangeRates> {
  const { walletId, ...rest } = record(query, ['fromSecretType', 'toSecretType', 'orderType']);
  if (walletId === undefined) return context.host.read('swapRates', { query: rest }, options);
  const { network } = whereabouts(context, walletId as string);
  return context.host.read('swapRates', { query: rest, network }, options);
}

const TEXTS = ['walletId', 'fromSecretType', 'toSecretType', 'orderType', 'exchange'];

/** The native requests that carry a swap out, in their order. */
export function createSwap(
  context: Context,
  params: CreateSwap,
  options: CallOptions,
): Promise<NativeTransaction[]> {
  const body = record(params, TEXTS) as CreateSwap;
  const { walletId, fromSecretType, toSecretType, destinationWalletId } = body;
  const { secretType, address, network } = whereabouts(context, walletId);
  if (fromSecretType !== secretType)
    throw invalid('fromSecretType', `must be ${secretType}, as that of the wallet`);
  let recipient = address;
  if (destinationWalletId != null) {
    const to = whereabouts(context, destinationWalletId);
    if (to.secretType !== toSecretType)
      throw invalid('destinationWalletId', `must be a wallet of ${toSecretType}`);
    if (to.network !== network)
      throw invalid('destinationWalletId', 'must be on the same network as the wallet');
    recipient = to.address;
  }
  return context.host.read('createSwap', { body, address, recipient, network }, options);
}

/** What a swap actually took and gave, from its transaction; null before it is confirmed. */
export function swapOutcome(
  context: Context,
  hash: string,
  params: SwapSides,
  options: CallOptions,
): Promise<SwapOutcome | null> {
  const { walletId, destinationWalletId, fromToken, toToken, exchange } = record(params, [
    'walletId',
    'exchange',
  ]) as SwapSides;
  const where = whereabouts(context, walletId);
  const { address: recipient } = destinationWalletId ? whereabouts(context, destinationWalletId) : where;
  const tokens = { fromToken: fromToken ?? '', toToken: toToken ?? '' };
  return context.host.read('swapOutcome', { ...where, ...tokens, hash, exchange, recipient }, options);
}

/** The explorer's page for a transaction on the network of a linked wallet; null if the network has no explorer. */
export function transactionUrl(
  context: Context,
  hash: string,
  walletId: string,
  options: CallOptions,
): Promise<string | null> {
  if (typeof hash !== 'string' || !hash) throw invalid('hash', 'is required: the hash of a transaction');
  const { address: _, ...where } = whereabouts(context, walletId);
  return context.host.read('transactionUrl', { ...where, hash }, options);
}
