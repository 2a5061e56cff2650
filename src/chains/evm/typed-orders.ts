/** Orders: what they give, what comes for it, and who gets it. Whoever takes one need not take the others. */
import type { Amount } from '../coin.ts';
import type { Bargain, Limit, SigningWarning, Term, TypedField } from '../approval/signing.ts';
import { isUnlimited } from '../contracts/calls.ts';
import { coinOf } from '../secret-type.ts';
import { contractOf, encodeType } from './typed-data.ts';
import {
  type Case,
  contractWarnings,
  danger,
  type Fields,
  itemAmount,
  laterFirst,
  ownerWarnings,
  type Reading,
  record,
  recordsOf,
  Sums,
  TEN_YEARS,
  textAt,
  timeOf,
  tokenAmount,
  valuesAt,
} from './typed-form.ts';
import { type OrderShape, SEAPORT_ORDER, SEAPORTS } from './typed-shapes.ts';

const ZERO = `0x${'00'.repeat(20)}`;
/** Of the coin, where an order names a token. */
const COIN = `0x${'ee'.repeat(20)}`;
/** Of as many orders the prices are asked for. */
const MAX_ASKED = 4;

interface TradeOrder {
  /** Whose it is. */
  owner: string;
  /** At most. */
  gives: Amount[];
  /** At least, by the signer. */
  gets: Amount[];
  others: { address: string; amount: Amount }[];
  start?: bigint;
  until: bigint | 'never';
  /** It names a collection and no item of it. */
  anyItem?: boolean;
  /** Another contract decides what comes for it. */
  open?: boolean;
}

/** A tree of orders that one signature makes; places that are left over hold orders of nobody. */
export function readBulk(it: Case): Promise<Reading> | undefined {
  const { types, message } = it.data;
  const members = types.get('BulkOrder')!;
  if (members.length !== 1 || !/^OrderComponents(?:\[2\])+$/.test(members[0]!.type)) return undefined;
  if (encodeType('OrderComponents', types) !== SEAPORT_ORDER) return undefined;
  let level = [message[0]!];
  while (level[0]!.type !== 'OrderComponents') level = level.flatMap(({ value }) => value as TypedField[]);
  const orders = level.map(({ value }) => value as TypedField[]);
  return readSeaport(
    orders.filter((order) => record(order)['offerer'] !== ZERO),
    it,
  );
}

export function readSeaport(orders: TypedField[][], it: Case): Promise<Reading> {
  return readOrders(
    orders.map((order) => seaportOrder(record(order), it)),
    SEAPORTS,
    it,
  );
}

function seaportOrder(order: Fields, it: Case): TradeOrder {
  const offer = recordsOf(order['offer']);
  const [gives, gets] = [new Sums(), new Sums()];
  const others: TradeOrder['others'] = [];
  for (const item of offer) {
    const [low, high] = range(item);
    // What leaves may rise with time, and what comes may fall.
    gives.add(itemOf(item, low > high ? low : high, it));
  }
  for (const item of recordsOf(order['consideration'])) {
    const [low, high] = range(item);
    const amount = itemOf(item, low < high ? low : high, it);
    const address = item['recipient'] as string;
    if (isSigner(address, it)) gets.add(amount);
    else others.push({ address, amount });
  }
  return {
    owner: order['offerer'] as string,
    gives: gives.all(),
    gets: gets.all(),
    others,
    start: order['startTime'] as bigint,
    until: timeOf(order['endTime'] as bigint),
    anyItem: offer.some((item) => (item['itemType'] as bigint) >= 4n),
  };
}

/** An order that a descriptor puts into words. */
export function readOrder(shape: OrderShape, it: Case): Promise<Reading> {
  const { data, from } = it;
  const integer = (path: string) => valuesAt(data, path)[0] as bigint;
  const assetAt = (path: string, raw: bigint): Amount => {
    const token = textAt(data, path);
    return token.toLowerCase() === COIN
      ? { raw, ...coinOf(it.network) }
      : tokenAmount(token, raw, it.network);
  };
  const owner = shape.owner ? textAt(data, shape.owner) : from;
  const named = textAt(data, shape.receiver);
  // By default it is the order's owner.
  const receiver = named === ZERO ? owner : named;
  const amount = assetAt(shape.gets.token, integer(shape.gets.amount));
  const { until, open } = shape;
  const ends = until && (integer(until.path) >> (until.shift ?? 0n)) & ((1n << (until.bits ?? 256n)) - 1n);
  const openValue = open && valuesAt(data, open.path)[0]!;
  const order: TradeOrder = {
    owner,
    gives: [
      assetAt(
        shape.gives.token,
        shape.gives.amounts.map(integer).reduce((sum, one) => sum + one, 0n),
      ),
    ],
    gets: isSigner(receiver, it) && amount.raw > 0n ? [amount] : [],
    others: isSigner(receiver, it) ? [] : [{ address: receiver, amount }],
    until: ends === undefined ? 'never' : timeOf(ends, until!.zero),
    open:
      typeof openValue === 'bigint'
        ? ((openValue >> open!.bit!) & 1n) === 1n
        : openValue !== undefined && openValue !== '0x',
  };
  return readOrders([order], shape.contracts, it);
}

function isSigner(address: string, { from }: Case): boolean {
  return address.toLowerCase() === from.toLowerCase();
}

async function readOrders(
  orders: readonly TradeOrder[],
  contracts: readonly string[],
  it: Case,
): Promise<Reading> {
  const { now, data } = it;
  const amounts = sumOf(orders.flatMap(({ gives }) => gives)).map(limitTo);
  const until = orders.map((order) => order.until).sort(laterFirst)[0] ?? 0n;
  const starts = orders.flatMap(({ start }) => start ?? []);
  const start = starts.reduce((first, one) => (one < first ? one : first), starts[0] ?? 0n);
  const several = orders.length > 1;
  const contract = contractOf(data);
  const owners = new Set(orders.map(({ owner }) => owner));
  const endless = until === 'never' || until > now + TEN_YEARS;
  return {
    deed: {
      kind: 'trade',
      amounts,
      gets: sumOf(orders.flatMap(({ gets }) => gets)),
      until,
      ...(orders.length !== 1 && { orders: orders.length }),
    },
    terms: [
      ...orders.flatMap((order, i) => [
        ...(several ? [{ code: 'order' as const, number: i + 1, of: orders.length }] : []),
        ...termsOf(order, it),
      ]),
      ...(start ? [{ code: 'valid-from' as const, time: timeOf(start) }] : []),
      { code: 'sign-before', time: until },
      ...(contract ? [{ code: 'contract' as const, address: contract }] : []),
    ],
    warnings: [
      ...(orders.every(({ gets }) => gets.length) && orders.length ? [] : [danger('gets-nothing')]),
      ...(orders.some(({ anyItem }) => anyItem) ? [danger('any-item')] : []),
      ...(orders.some(({ open }) => open) ? [danger('open-price')] : []),
      ...(await bargainWarnings(orders, it)),
      ...(several ? [danger('each-alone', { count: String(orders.length) })] : []),
      ...(endless ? [danger('no-end')] : []),
      ...[...owners].flatMap((owner) => ownerWarnings(owner, it)),
      ...contractWarnings(contracts, it),
    ],
  };
}

function termsOf({ gives, gets, others }: TradeOrder, { from, network }: Case): Term[] {
  // An order that brings nothing says so.
  const least = gets.length || others.length ? gets : [{ raw: 0n, ...coinOf(network) }];
  return [
    ...gives.map((amount): Term => ({ code: 'gives', limit: limitTo(amount) })),
    ...least.map((amount): Term => ({ code: 'gets', address: from, limit: { amount } })),
    ...others.map(({ address, amount }): Term => ({ code: 'others-get', address, limit: { amount } })),
  ];
}

/** Of prices: an order whose two sides nobody can compare could be one for next to nothing. */
async function bargainWarnings(orders: readonly TradeOrder[], { bargain }: Case): Promise<SigningWarning[]> {
  const paid = orders.filter(({ gets }) => gets.length);
  if (paid.length === 0) return [];
  const comparable = bargain && paid.length <= MAX_ASKED ? paid : [];
  const bargains = await Promise.all(comparable.map(({ gives, gets }) => bargain!(gives, gets)));
  if (bargains.includes('poor')) return [danger('poor-price')];
  const isFair =
    bargains.length === paid.length && bargains.every((one: Bargain | undefined) => one === 'fair');
  return isFair ? [] : [danger('no-price')];
}

function limitTo(amount: Amount): Limit {
  return { amount, ...(isUnlimited(amount.raw) && { unlimited: true }) };
}

function sumOf(amounts: readonly Amount[]): Amount[] {
  const sums = new Sums();
  for (const amount of amounts) sums.add(amount);
  return sums.all();
}

function range(item: Fields): [start: bigint, end: bigint] {
  return [item['startAmount'] as bigint, item['endAmount'] as bigint];
}

/** Seaport's `ItemType`: the coin, ERC-20, ERC-721, ERC-1155, and any or some of a collection of either. */
function itemOf(item: Fields, raw: bigint, { network }: Case): Amount {
  const kind = item['itemType'] as bigint;
  const token = item['token'] as string;
  if (kind === 0n) return { raw, ...coinOf(network) };
  if (kind === 1n) return tokenAmount(token, raw, network);
  return itemAmount(token, raw, kind < 4n ? (item['identifierOrCriteria'] as bigint) : undefined, network);
}
