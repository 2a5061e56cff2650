/** Incoming coins and tokens of an address: thor keeps an index of both. */
import { TRANSFER, type TokenTransfer, topicOf, transferOf } from '../contracts/incoming-logs.ts';
import { checksum } from '../contracts/evm-address.ts';
import {
  type FindIncoming,
  type Incoming,
  isDust,
  isEnough,
  MAX_INCOMING,
  MAX_PAGES,
  mostOf,
} from '../nodes/incoming.ts';
import { restOf } from '../nodes/rest.ts';
import { count, quantity, record } from './node.ts';

/** Blocks that may still be reorganised. */
const UNSETTLED = 12;

export const findIncoming: FindIncoming = async (address, node, cursor, coin) => {
  const rest = restOf(node);
  const own = address.toLowerCase();
  const range = { unit: 'block', from: Math.max(0, (cursor ?? 0) - UNSETTLED) };
  let last = cursor ?? 0;
  /** Newest first. `read`: what a log reports; undefined if it is not incoming. */
  const list = async (
    kind: 'transfer' | 'event',
    criterion: Record<string, string>,
    read: (log: unknown) => TokenTransfer | undefined,
  ): Promise<Incoming[]> => {
    const logs: unknown[] = [];
    let transfers: Incoming[] = [];
    for (let page = 0; page < MAX_PAGES && !isEnough(transfers); page++) {
      const options = { offset: page * MAX_INCOMING, limit: MAX_INCOMING };
      const some = (await rest.post(`/logs/${kind}`, {
        range,
        options,
        criteriaSet: [criterion],
        order: 'desc',
      })) as unknown[];
      logs.push(...some);
      transfers = logs.flatMap((log, place) => {
        const transfer = read(log);
        return transfer
          ? [{ ...placed(log, indexIn(logs, place), kind === 'event' ? 't' : 'c'), ...transfer }]
          : [];
      });
      if (some.length < MAX_INCOMING) break;
    }
    return mostOf(transfers);
  };
  const placed = (log: unknown, i: number, kind: string) => {
    const { txID, blockNumber, blockTimestamp, clauseIndex, logIndex } = record(record(log)['meta']);
    last = Math.max(last, Number(count(blockNumber)));
    const hash = String(txID);
    // Older nodes do not number logs: those of one transaction stay in order.
    const place = `${String(clauseIndex)}.${String(logIndex ?? i)}`;
    return { id: `${hash}:${kind}${place}`, hash, at: Number(count(blockTimestamp)) * 1000 };
  };
  const items = await Promise.all([
    list('transfer', { recipient: own }, (log) => {
      const { sender, amount: value } = record(log);
      const from = String(sender).toLowerCase();
      if (from === own || !/^0x[0-9a-f]{40}$/.test(from)) return undefined;
      const amount = { raw: quantity(value), ...coin };
      return { from: checksum(from), amount, ...(isDust(amount) && { dust: true }) };
    }),
    list('event', { topic0: TRANSFER, topic2: topicOf(own) }, (log) =>
      transferOf(log, own, node.network.tokens),
    ),
  ]);
  return { items: items.flat(), cursor: last };
};

/** The log's index in its transaction, counted from the last: stable, as all logs of a block come together. */
function indexIn(logs: readonly unknown[], place: number): number {
  const idOf = (log: unknown): unknown => record(record(log)['meta'])['txID'];
  const id = idOf(logs[place]);
  return logs.slice(0, place).filter((log) => idOf(log) === id).length;
}
