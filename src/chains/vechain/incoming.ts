/** Coins and tokens that came to an address: thor keeps an index of both. */
import { TRANSFER, topicOf, transferOf } from '../incoming-logs/incoming-logs.ts';
import { checksum } from '../contracts/evm-address.ts';
import { type FindIncoming, type Incoming, isDust, MOST_INCOMING } from '../incoming/incoming.ts';
import { restOf } from '../rest/rest.ts';
import { count, quantity, record } from './node.ts';

/** Blocks that may still be replaced by others. */
const UNSETTLED = 12;

export const findIncoming: FindIncoming = async (address, node, cursor, coin) => {
  const rest = restOf(node);
  const own = address.toLowerCase();
  const filter = (criterion: Record<string, string>) => ({
    range: { unit: 'block', from: Math.max(0, (cursor ?? 0) - UNSETTLED) },
    options: { offset: 0, limit: MOST_INCOMING },
    criteriaSet: [criterion],
    order: 'desc',
  });
  const [coins, tokens] = (await Promise.all([
    rest.post('/logs/transfer', filter({ recipient: own })),
    rest.post('/logs/event', filter({ topic0: TRANSFER, topic2: topicOf(own) })),
  ])) as [unknown[], unknown[]];
  let last = cursor ?? 0;
  const placed = (log: unknown, i: number, kind: string) => {
    const { txID, blockNumber, blockTimestamp, clauseIndex, logIndex } = record(record(log)['meta']);
    last = Math.max(last, Number(count(blockNumber)));
    const hash = String(txID);
    // Older nodes number no logs: those of one transaction stay in their order.
    const place = `${String(clauseIndex)}.${String(logIndex ?? i)}`;
    return { id: `${hash}:${kind}${place}`, hash, at: Number(count(blockTimestamp)) * 1000 };
  };
  const items: Incoming[] = coins.flatMap((log, i) => {
    const { sender, amount: value } = record(log);
    const from = String(sender).toLowerCase();
    if (from === own || !/^0x[0-9a-f]{40}$/.test(from)) return [];
    const amount = { raw: quantity(value), ...coin };
    return [
      {
        ...placed(log, indexIn(coins, i), 'c'),
        from: checksum(from),
        amount,
        ...(isDust(amount) && { dust: true }),
      },
    ];
  });
  for (const [i, log] of tokens.entries()) {
    const found = transferOf(log, own, node.network.tokens);
    if (found) items.push({ ...placed(log, indexIn(tokens, i), 't'), ...found });
  }
  return { items, cursor: last };
};

/** Which of its transaction's logs it is, from the last: the same in every answer, as all of a block come together. */
function indexIn(logs: readonly unknown[], place: number): number {
  const idOf = (log: unknown): unknown => record(record(log)['meta'])['txID'];
  const id = idOf(logs[place]);
  return logs.slice(0, place).filter((log) => idOf(log) === id).length;
}
