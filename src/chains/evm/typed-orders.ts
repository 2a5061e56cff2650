/** Orders of Seaport: what they give, what comes for it, and who gets it. */
import type { Amount } from '../chain.ts';
import type { Limit, Term, TypedField } from '../approval/signing.ts';
import { isUnlimited } from '../contracts/calls.ts';
import { listedToken } from '../contracts/listed-token.ts';
import { contractOf, encodeType } from './typed-data.ts';
import {
  type Case,
  caution,
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
  timeOf,
  tokenAmount,
} from './typed-form.ts';
import { SEAPORT_ORDER, SEAPORTS } from './typed-shapes.ts';

const ZERO = `0x${'00'.repeat(20)}`;

/** A tree of orders that one signature makes; places that are left over hold orders of nobody. */
export function readBulk(it: Case): Reading | undefined {
  const { types, message } = it.data;
  const members = types.get('BulkOrder')!;
  if (members.length !== 1 || !/^OrderComponents(?:\[2\])+$/.test(members[0]!.type)) return undefined;
  if (encodeType('OrderComponents', types) !== SEAPORT_ORDER) return undefined;
  let level = [message[0]!];
  while (level[0]!.type !== 'OrderComponents') level = level.flatMap(({ value }) => value as TypedField[]);
  const orders = level.map(({ value }) => value as TypedField[]);
  return readOrders(
    orders.filter((order) => record(order)['offerer'] !== ZERO),
    it,
  );
}

export function readOrders(orders: TypedField[][], it: Case): Reading {
  const gives = new Sums();
  const gets = new Sums();
  const others: Term[] = [];
  const offerers = new Set<string>();
  let anyItem = false;
  let freeOrder = orders.length === 0;
  let start: bigint | undefined;
  let until: bigint | 'never' = 0n;
  for (const fields of orders) {
    const order = record(fields);
    const offerer = order['offerer'] as string;
    offerers.add(offerer);
    for (const item of recordsOf(order['offer'])) {
      anyItem ||= (item['itemType'] as bigint) >= 4n;
      const [low, high] = range(item);
      // What leaves may rise with time, and what comes may fall.
      gives.add(itemOf(item, low > high ? low : high, it));
    }
    let comes = 0n;
    for (const item of recordsOf(order['consideration'])) {
      const [low, high] = range(item);
      const amount = itemOf(item, low < high ? low : high, it);
      const receiver = item['recipient'] as string;
      if (receiver.toLowerCase() === it.from.toLowerCase()) {
        gets.add(amount);
        comes += amount.raw;
      } else others.push({ code: 'others-get', address: receiver, limit: { amount } });
    }
    freeOrder ||= comes === 0n;
    const from = order['startTime'] as bigint;
    start = start === undefined || from < start ? from : start;
    until = [until, timeOf(order['endTime'] as bigint)].sort(laterFirst)[0]!;
  }
  const amounts = gives
    .all()
    .map((amount): Limit => ({ amount, ...(isUnlimited(amount.raw) && { unlimited: true }) }));
  const received = gets.all();
  const { network, now } = it;
  const isKnown = ({ token }: Amount) => !token || listedToken(network.tokens, token) !== undefined;
  return {
    deed: {
      kind: 'trade',
      amounts,
      gets: received,
      until,
      ...(orders.length !== 1 && { orders: orders.length }),
    },
    terms: [
      ...amounts.map((limit): Term => ({ code: 'gives', limit })),
      ...received.map((amount): Term => ({ code: 'gets', address: it.from, limit: { amount } })),
      ...others,
      ...(start ? [{ code: 'valid-from' as const, time: timeOf(start) }] : []),
      { code: 'sign-before', time: until },
      ...(contractOf(it.data) ? [{ code: 'contract' as const, address: contractOf(it.data)! }] : []),
    ],
    warnings: [
      ...(freeOrder ? [danger('gets-nothing')] : []),
      ...(anyItem ? [danger('any-item')] : []),
      ...(until === 'never' || until > now + TEN_YEARS ? [danger('no-end')] : []),
      ...(!freeOrder && !received.some(isKnown) ? [caution('gets-unknown')] : []),
      ...[...offerers].flatMap((offerer) => ownerWarnings(offerer, it)),
      ...contractWarnings(SEAPORTS, it),
    ],
  };
}

function range(item: Fields): [start: bigint, end: bigint] {
  return [item['startAmount'] as bigint, item['endAmount'] as bigint];
}

/** Seaport's `ItemType`: the coin, ERC-20, ERC-721, ERC-1155, and any or some of a collection of either. */
function itemOf(item: Fields, raw: bigint, { network, profile }: Case): Amount {
  const kind = item['itemType'] as bigint;
  const token = item['token'] as string;
  if (kind === 0n) return { raw, ...profile.coin };
  if (kind === 1n) return tokenAmount(token, raw, network);
  return itemAmount(token, raw, kind < 4n ? (item['identifierOrCriteria'] as bigint) : undefined, network);
}
