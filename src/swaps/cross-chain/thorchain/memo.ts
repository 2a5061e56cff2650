/**
 * The memo of a swap: made here of what the user approves, never taken from a node, and read from the text alone, as nodes do:
 * https://gitlab.com/thorchain/thornode, `x/thorchain/memo/memo_swap.go`. What they would read otherwise than a person, or not at all, is unreadable here.
 */
import {
  chainOf,
  MEMO_BYTES,
  readAsset,
  THOR_CHAINS,
  type ThorChain,
  memoName,
  NotAvailable,
  type Pools,
  resolveAsset,
} from './assets.ts';

/** The order of a memo. */
export interface MemoSwap {
  /** In capitals: `BTC.BTC`, `ETH.USDC-06EB48`. `resolveAsset` says which asset that is now. */
  asset: string;
  /** Undefined for a chain that the wallet does not have; then `recipient` is as it was written. */
  chain: ThorChain | undefined;
  /** Undefined for the sender. */
  recipient: string | undefined;
  /** Where a refund goes; undefined for the sender. A node that cannot read it takes the sender, too. */
  refundTo: string | undefined;
  /** The least output, in hundred-millionths; 0 for any. */
  limit: bigint;
  /** In how many parts, and how many blocks apart; a quantity of 0 leaves it to the nodes. */
  streaming: { interval: bigint; quantity: bigint } | undefined;
  /** Who else gets a share, in ten-thousandths. */
  affiliates: readonly { name: string; share: number }[];
}

export type UnreadablePart =
  | 'text'
  | 'order'
  | 'asset'
  | 'recipient'
  | 'limit'
  | 'streaming'
  | 'affiliates'
  | 'contract';

/** A swap that cannot be read: at best it comes back. */
export interface UnreadableMemo {
  unreadable: UnreadablePart;
}

const SWAP = /^(?:=|s|swap)$/i;
/** Limit orders, and changes of them. */
const OTHER_ORDERS = /^m?=<$/i;

/** Names that memos have for coins, in this case only; `chainOf` knows which the wallet has. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(THOR_CHAINS.map(({ shortName, coin }) => [shortName, coin])),
  a: 'AVAX.AVAX',
  c: 'BCH.BCH',
  d: 'DOGE.DOGE',
  f: 'BASE.ETH',
  g: 'GAIA.ATOM',
  r: 'THOR.RUNE',
  s: 'BSC.BNB',
  x: 'XRP.XRP',
};

/** Undefined for a text that is no order to swap. */
export function readMemo(text: string): MemoSwap | UnreadableMemo | undefined {
  // After a bar there is something that THORChain only passes on.
  const [order = ''] = text.split('|');
  const parts = order.split(':');
  const [action = '', name = '', addresses = '', price = ''] = parts;
  if (OTHER_ORDERS.test(action)) return { unreadable: 'order' };
  if (!SWAP.test(action)) return undefined;
  if (!/^[\x20-\x7e]*$/.test(text) || text.length > MEMO_BYTES || parts.length > 9)
    return { unreadable: 'text' };
  const asset = (Object.hasOwn(SHORT_NAMES, name) ? SHORT_NAMES[name]! : name).toUpperCase();
  if (!readAsset(asset)) return { unreadable: 'asset' };
  if (parts.slice(6).some(Boolean)) return { unreadable: 'contract' };

  const chain = chainOf(asset);
  const people = readPeople(addresses, chain);
  if (!people) return { unreadable: 'recipient' };
  const [least = '', ...pace] = price.split('/');
  const limit = readLimit(least);
  if (limit === undefined) return { unreadable: 'limit' };
  const streaming = pace.length > 0 ? readStreaming(pace) : undefined;
  if (pace.length > 0 && !streaming) return { unreadable: 'streaming' };
  const affiliates = readAffiliates(parts[4], parts[5]);
  if (!affiliates) return { unreadable: 'affiliates' };
  return { asset, chain, ...people, limit, streaming, affiliates };
}

function readPeople(
  addresses: string,
  chain: ThorChain | undefined,
): Pick<MemoSwap, 'recipient' | 'refundTo'> | undefined {
  const slash = addresses.indexOf('/');
  const [to, refund] =
    slash === -1 ? [addresses, ''] : [addresses.slice(0, slash), addresses.slice(slash + 1)];
  if (!to) return refund ? undefined : { recipient: undefined, refundTo: undefined };
  try {
    return { recipient: chain ? chain.readAddress(to) : to, refundTo: refund || undefined };
  } catch {
    // Also a name of THORChain, whose owner says where it leads.
    return undefined;
  }
}

/** Whole, or scientific: `161e6`, `1.5e8`. Nodes drop a fraction, and what 64 bits do not hold. */
function readLimit(text: string): bigint | undefined {
  if (!text) return 0n;
  const [, whole = '', fraction = '', power = '0'] =
    /^(\d{1,40})(?:\.(\d{1,40}))?(?:e\+?(-?\d{1,2}))?$/i.exec(text) ?? [];
  if (!whole) return undefined;
  const places = Number(power) - fraction.length;
  const digits = BigInt(whole + fraction);
  const limit = places < 0 ? digits / 10n ** BigInt(-places) : digits * 10n ** BigInt(places);
  const excess = BigInt(Math.max(0, limit.toString(2).length - 64));
  return (limit >> excess) << excess;
}

const UINT64 = 2n ** 64n;

/** Of what follows the limit: `/interval/quantity`. */
function readStreaming(pace: readonly string[]): MemoSwap['streaming'] {
  if (pace.length > 2) return undefined;
  const numbers = pace.map((text) => (/^\d{0,20}$/.test(text) ? BigInt(text || '0') : UINT64));
  if (numbers.some((number) => number >= UINT64)) return undefined;
  const [interval = 0n, quantity = 0n] = numbers;
  return { interval, quantity };
}

const WHOLE_BPS = 10_000;
const MOST_AFFILIATES = 5;

function readAffiliates(names = '', shares = ''): MemoSwap['affiliates'] | undefined {
  const named = names ? names.split('/') : [];
  const written = shares ? shares.split('/') : [];
  const each = written.length === 1 ? named.map(() => written[0]!) : written;
  if (named.length !== each.length || named.length > MOST_AFFILIATES) return undefined;
  if (!each.every((text) => /^\d{1,5}$/.test(text))) return undefined;
  if (each.reduce((sum, text) => sum + Number(text), 0) > WHOLE_BPS) return undefined;
  return named.map((name, i) => ({ name, share: Number(each[i]) }));
}

export interface MemoOrder {
  /** THORChain's full name of what is bought. */
  to: string;
  recipient: string;
  /** The least output, in hundred-millionths. */
  limit: bigint;
}

/**
 * Without affiliates, and without an address for refunds, which a data output has no room for: they go to the sender. Throws `NotAvailable` if
 * it has more than `bytes`, or would be read as anything else than the order.
 */
export function writeMemo({ to, recipient, limit }: MemoOrder, pools: Pools, bytes: number): string {
  const name = memoName(to, pools);
  const chain = chainOf(to);
  if (!name || !chain) throw new NotAvailable('pool', `There is no pool of ${to}.`);
  const memo = `=:${name}:${recipient}:${limit}`;
  if (memo.length > bytes)
    throw new NotAvailable('memo', `Its order has ${memo.length} bytes, of ${bytes} at most.`);
  const order = readMemo(memo);
  const isRead =
    order &&
    !('unreadable' in order) &&
    resolveAsset(order.asset, pools) === to &&
    order.recipient === recipient &&
    order.limit === limit &&
    limit > 0n &&
    !order.refundTo &&
    !order.streaming &&
    order.affiliates.length === 0;
  if (!isRead) throw new NotAvailable('memo', 'THORChain would read something else than the order.');
  return memo;
}
