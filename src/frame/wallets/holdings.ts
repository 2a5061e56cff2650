/** A wallet's holdings on each of its networks: its coins, the tokens listed there, and others that it received or used. */
import type { Wallet } from '../../api/wallet.ts';
import type { Chain } from '../../chains/chain.ts';
import type { Node } from '../../chains/terms.ts';
import type { Amount } from '../../chains/coin.ts';
import { listedToken } from '../../chains/contracts/listed-token.ts';
import { shortName, unlistedLabel } from '../../chains/contracts/token-facts.ts';
import { partlyRead } from '../../chains/nodes/balances.ts';
import { coinOf, gasCoinOf } from '../../chains/secret-type.ts';
import type { Network, Token } from '../../chains/network.ts';
import type { ActivityRecord, ReceivedRecord } from '../../wallets/types.ts';

/** A coin or token of the wallet. */
export interface Held {
  amount: Amount;
  network: Network;
  /** Where several wallets are shown: the one that has it. */
  wallet?: Wallet;
  /** `USD Coin`; empty for a coin, which its network identifies. */
  name: string;
  /** As listed by the operator. */
  logo: string;
  /** Unlisted: name, symbol and decimals are only its contract's claims. */
  unknown?: boolean;
  /** What it could be mistaken for. */
  imitates?: string | undefined;
  /** Its name or symbol could mislead: it advertises a site, or is not plain letters and digits. */
  unclear?: boolean;
}

export type PartName = 'coins' | 'tokens';

/** On one network. */
export interface Holdings {
  held: readonly Held[];
  /** What could not be read. */
  failed: readonly PartName[];
  /** Listed tokens that could not be read, where others could. */
  unread?: readonly Token[];
}

/** Maximum number of unlisted tokens queried. */
const MAX_UNKNOWN = 20;

/** `used`: contracts of tokens that the wallet received or used. Coins first, then listed tokens in the order of `networks.json`. */
export async function readHoldings(
  chain: Chain,
  address: string,
  node: Node,
  used: readonly string[],
): Promise<Holdings> {
  const [coins, tokens, unknown] = await Promise.all([
    heldCoins(chain, address, node).catch(() => undefined),
    heldTokens(chain, address, node).catch(() => undefined),
    heldUnknown(chain, address, node, used).catch(() => []),
  ]);
  return {
    held: [...(coins ?? []), ...(tokens?.held ?? []), ...unknown],
    unread: tokens?.unread ?? [],
    failed: [...(coins ? [] : ['coins' as const]), ...(tokens ? [] : ['tokens' as const])],
  };
}

async function heldCoins(chain: Chain, address: string, node: Node): Promise<Held[]> {
  const [coin, gasCoin] = [coinOf(node.network), gasCoinOf(node.network)];
  const { rawBalance, rawGasBalance } = await chain.balance(address, node);
  const { network } = node;
  const own = (amount: Amount): Held => ({ amount, network, name: '', logo: '' });
  const held = [own({ ...coin, raw: BigInt(rawBalance) })];
  if (gasCoin.symbol !== coin.symbol) held.push(own({ ...gasCoin, raw: BigInt(rawGasBalance) }));
  return held;
}

async function heldTokens(
  chain: Chain,
  address: string,
  node: Node,
): Promise<{ held: Held[]; unread: Token[] }> {
  const { network } = node;
  const listed = network.tokens;
  const { balances, unread } = await chain
    .tokenBalances(address, listed, node)
    .then((all) => ({ balances: all, unread: [] as readonly string[] }), partlyRead);
  const raws = new Map(
    balances.map(({ tokenAddress, rawBalance }) => [tokenAddress.toLowerCase(), rawBalance]),
  );
  const held = listed.flatMap((token) => {
    const raw = raws.get(token.address.toLowerCase());
    if (raw === undefined) return [];
    const { address: contract, symbol, decimals, name, logo } = token;
    return [{ amount: { token: contract, symbol, decimals, raw: BigInt(raw) }, network, name, logo }];
  });
  return { held, unread: listed.filter((token) => unread.includes(token.address)) };
}

/** Only tokens that the wallet holds. Contracts with no answer, or an invalid one, are skipped. */
async function heldUnknown(
  chain: Chain,
  address: string,
  node: Node,
  used: readonly string[],
): Promise<Held[]> {
  const listed = node.network.tokens;
  const contracts = [...new Map(used.map((one) => [one.toLowerCase(), one])).values()]
    .filter((contract) => !listedToken(listed, contract))
    .slice(0, MAX_UNKNOWN);
  const read = contracts.map(async (contract) => {
    const token = await chain.token(contract, node);
    const [found] = await chain.tokenBalances(address, [token], node);
    return heldUnlisted(token, BigInt(found?.rawBalance ?? 0), node.network);
  });
  return (await Promise.allSettled(read)).flatMap((one) =>
    one.status === 'fulfilled' && one.value.amount.raw ? [one.value] : [],
  );
}

export function heldUnlisted(token: Token, raw: bigint, network: Network): Held {
  const { address, decimals } = token;
  const knownTokens: readonly { symbol: string; name?: string }[] = [coinOf(network), ...network.tokens];
  const { symbol, imitates } = unlistedLabel(token.symbol, address, knownTokens);
  const names = knownTokens.map(({ name, symbol: short }) => ({ symbol: name || short }));
  const asNamed = imitates ?? unlistedLabel(token.name, address, names).imitates;
  return {
    amount: { token: address, symbol, decimals, raw },
    network,
    name: '',
    logo: '',
    unknown: true,
    ...(asNamed !== undefined && { imitates: asNamed }),
    ...((symbol === shortName(address) || [token.symbol, token.name].some(leadsAway)) && { unclear: true }),
  };
}

/** `claim at usdc-bonus.io` */
const leadsAway = (label: string): boolean =>
  /https?:|www\.|[\p{L}\p{N}]\.[a-z]{2,}(?![\p{L}\p{N}])/iu.test(label);

/**
 * Contracts of the tokens that the wallet received on a network, newest first, and of those in transactions that it approved there. `isThere`:
 * whether a record's `network` is this one.
 */
export function usedTokens(
  received: readonly ReceivedRecord[],
  records: readonly ActivityRecord[],
  isThere: (network: string | undefined) => boolean,
): string[] {
  const approved = records
    .filter(({ network }) => isThere(network))
    .flatMap(({ summary }) => [
      summary.amount,
      summary.swap?.output,
      ...(summary.changes ?? []).map(({ amount }) => amount),
    ]);
  const arrived = received.filter(({ network }) => isThere(network)).map(({ amount }) => amount);
  return [...arrived, ...approved].flatMap((amount) => amount?.token ?? []);
}

/** Keeps earlier results for what the node does not answer now. */
export function withEarlier(now: Holdings, before: readonly Held[]): Holdings {
  const { held, failed, unread = [] } = now;
  const earlier = before.filter(
    ({ amount, unknown }) =>
      !unknown &&
      (failed.includes(amount.token ? 'tokens' : 'coins') ||
        unread.some(({ address }) => address === amount.token)),
  );
  return { failed, unread, held: coinsFirst([...earlier, ...held]) };
}

const isCoin = ({ amount }: Held): boolean => !amount.token;
const coinsFirst = (held: readonly Held[]): Held[] => [
  ...held.filter(isCoin),
  ...held.filter((one) => !isCoin(one)),
];

/** What several wallets have on one network. */
export function together(all: readonly (Holdings & { wallet: Wallet })[]): Holdings {
  return {
    held: coinsFirst(all.flatMap(({ held, wallet }) => held.map((one) => ({ ...one, wallet })))),
    failed: [...new Set(all.flatMap(({ failed }) => failed))],
    unread: [...new Set(all.flatMap(({ unread = [] }) => unread))],
  };
}

/** What is missing of one network: nothing is known of it, not even from before. */
export interface Gaps {
  coins: boolean;
  tokens: boolean;
  /** Single listed tokens. */
  unread: readonly Token[];
  /** Some of what is shown was read before: the node does not answer now. */
  stale: boolean;
}

export function gapsOf({ held, failed, unread = [] }: Holdings): Gaps {
  const coins = failed.includes('coins') && !held.some(isCoin);
  const tokens = failed.includes('tokens') && !held.some(({ amount, unknown }) => amount.token && !unknown);
  const missing = unread.filter(({ address }) => !held.some(({ amount }) => amount.token === address));
  const stale = failed.length > Number(coins) + Number(tokens) || unread.length > missing.length;
  return { coins, tokens, unread: missing, stale };
}

/** The value of a holding in units of the user's currency; undefined without a price. */
export type ValueOf = (held: Held) => number | undefined;

/** Decimal places: without a price, an amount below one unit of the last place is hidden. */
export const DUST_PLACES = 6;

export interface Sorted {
  shown: readonly Held[];
  hidden: readonly Held[];
}

/**
 * Coins first, then tokens by value, then listed ones without a price, then unknown ones; the same in the order of the networks. Hidden:
 * those that are empty, worth less than `dust`, an imitation, or misleadingly named. The coin of `home`, the id of a network, is always
 * shown.
 */
export function sortHeld(
  held: readonly Held[],
  valueOf: ValueOf,
  dust: number,
  home = held[0]?.network.id,
): Sorted {
  const isHidden = (one: Held): boolean => {
    const { amount, imitates, unclear } = one;
    if (!amount.raw || imitates !== undefined || unclear) return true;
    const value = valueOf(one);
    if (value !== undefined) return value < dust;
    const places = amount.decimals ?? 0;
    return places > DUST_PLACES && amount.raw < 10n ** BigInt(places - DUST_PLACES);
  };
  const main = held.find(({ network, amount }) => network.id === home && !amount.token);
  const rank = ({ amount, unknown }: Held): number => (amount.token ? (unknown ? 2 : 1) : 0);
  const worth = (one: Held): number => (one.unknown ? -1 : (valueOf(one) ?? -1));
  const ordered = [...held].sort((a, b) => rank(a) - rank(b) || (rank(a) === 1 ? worth(b) - worth(a) : 0));
  return {
    shown: ordered.filter((one) => one === main || !isHidden(one)),
    hidden: ordered.filter((one) => one !== main && isHidden(one)),
  };
}

export interface Total {
  value: number;
  /** Number of holdings shown without a price. */
  unpriced: number;
}

/** The total of all listed holdings with a price; undefined if none has one. */
export function totalOf(held: readonly Held[], shown: readonly Held[], valueOf: ValueOf): Total | undefined {
  const values = held.flatMap((one) => (one.unknown ? [] : [valueOf(one)]));
  const priced = values.filter((value) => value !== undefined);
  if (!priced.length) return undefined;
  const isPriced = (one: Held): boolean => !one.unknown && valueOf(one) !== undefined;
  const unpriced = shown.filter((one) => one.amount.raw && !isPriced(one)).length;
  return { value: priced.reduce((sum, value) => sum + value, 0), unpriced };
}

/** What a total is of. Test networks and local ones have nothing of value, unless a wallet is on no others. */
export function valuedNetworks(networks: readonly Network[]): readonly Network[] {
  const live = networks.filter(({ kind }) => kind === 'mainnet');
  return live.length ? live : networks;
}
