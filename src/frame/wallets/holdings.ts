/** A wallet's holdings: its coins, the tokens listed for its network, and others that it received or used. */
import type { Chain } from '../../chains/chain.ts';
import type { Node } from '../../chains/terms.ts';
import type { Amount } from '../../chains/coin.ts';
import { listedToken } from '../../chains/contracts/listed-token.ts';
import { shortName, unlistedLabel } from '../../chains/contracts/token-facts.ts';
import { partlyRead } from '../../chains/nodes/balances.ts';
import type { Token } from '../../chains/network.ts';
import { coinOf, gasCoinOf } from '../../chains/secret-type.ts';
import type { ActivityRecord, ReceivedRecord } from '../../wallets/types.ts';

/** A coin or token of the wallet. */
export interface Held {
  amount: Amount;
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
  const own = (amount: Amount): Held => ({ amount, name: '', logo: '' });
  const held = [own({ ...coin, raw: BigInt(rawBalance) })];
  if (gasCoin.symbol !== coin.symbol) held.push(own({ ...gasCoin, raw: BigInt(rawGasBalance) }));
  return held;
}

async function heldTokens(
  chain: Chain,
  address: string,
  node: Node,
): Promise<{ held: Held[]; unread: Token[] }> {
  const listed = node.network.tokens;
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
    return [{ amount: { token: contract, symbol, decimals, raw: BigInt(raw) }, name, logo }];
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
    return heldUnlisted(token, BigInt(found?.rawBalance ?? 0), [coinOf(node.network), ...listed]);
  });
  return (await Promise.allSettled(read)).flatMap((one) =>
    one.status === 'fulfilled' && one.value.amount.raw ? [one.value] : [],
  );
}

/** `known`: the network's coin and its listed tokens. */
export function heldUnlisted(
  token: Token,
  raw: bigint,
  known: readonly { symbol: string; name?: string }[],
): Held {
  const { address, decimals } = token;
  const { symbol, imitates } = unlistedLabel(token.symbol, address, known);
  const names = known.map(({ name, symbol: short }) => ({ symbol: name || short }));
  const asNamed = imitates ?? unlistedLabel(token.name, address, names).imitates;
  return {
    amount: { token: address, symbol, decimals, raw },
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

/** Contracts of the tokens that the wallet received, newest first, and of those in transactions that it approved on this network. */
export function usedTokens(
  received: readonly ReceivedRecord[],
  records: readonly ActivityRecord[],
  network: string,
): string[] {
  const approved = records.flatMap(({ summary, draft }) =>
    draft?.network.id === network
      ? [summary.amount, summary.swap?.output, ...(summary.changes ?? []).map(({ amount }) => amount)]
      : [],
  );
  return [...received.map(({ amount }) => amount), ...approved].flatMap((amount) => amount?.token ?? []);
}

/** The value of an amount in units of the user's currency; undefined without a price. */
export type ValueOf = (amount: Amount) => number | undefined;

/** Decimal places: without a price, an amount below one unit of the last place is hidden. */
export const DUST_PLACES = 6;

export interface Sorted {
  shown: readonly Held[];
  hidden: readonly Held[];
}

/**
 * Coins first, then tokens by value, then listed ones without a price, then unknown ones. Hidden: those that are empty, worth less than
 * `dust`, an imitation, or misleadingly named. The wallet's own coin is always shown.
 */
export function sortHeld(held: readonly Held[], valueOf: ValueOf, dust: number): Sorted {
  const isHidden = ({ amount, imitates, unclear }: Held): boolean => {
    if (!amount.raw || imitates !== undefined || unclear) return true;
    const value = valueOf(amount);
    if (value !== undefined) return value < dust;
    const places = amount.decimals ?? 0;
    return places > DUST_PLACES && amount.raw < 10n ** BigInt(places - DUST_PLACES);
  };
  const isKept = (one: Held): boolean => one === held[0] && !one.amount.token;
  const rank = ({ amount, unknown }: Held): number => (amount.token ? (unknown ? 2 : 1) : 0);
  const worth = ({ amount, unknown }: Held): number => (unknown ? -1 : (valueOf(amount) ?? -1));
  const ordered = [...held].sort((a, b) => rank(a) - rank(b) || (rank(a) === 1 ? worth(b) - worth(a) : 0));
  return {
    shown: ordered.filter((one) => isKept(one) || !isHidden(one)),
    hidden: ordered.filter((one) => !isKept(one) && isHidden(one)),
  };
}

export interface Total {
  value: number;
  /** Number of holdings shown without a price. */
  unpriced: number;
}

/** The total of all listed holdings with a price; undefined if none has one. */
export function totalOf(held: readonly Held[], shown: readonly Held[], valueOf: ValueOf): Total | undefined {
  const values = held.flatMap(({ amount, unknown }) => (unknown ? [] : [valueOf(amount)]));
  const priced = values.filter((value) => value !== undefined);
  if (!priced.length) return undefined;
  const isPriced = ({ amount, unknown }: Held): boolean => !unknown && valueOf(amount) !== undefined;
  const unpriced = shown.filter((one) => one.amount.raw && !isPriced(one)).length;
  return { value: priced.reduce((sum, value) => sum + value, 0), unpriced };
}
