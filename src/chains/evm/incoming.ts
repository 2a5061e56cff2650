/**
 * Incoming tokens of an address, by their contracts' logs. Coins leave none, and nodes have no index of
 * transactions by address: see `incoming-coins.ts`.
 */
import { type FindIncoming, type Incoming, isEnough, MAX_PAGES, mostOf } from '../nodes/incoming.ts';
import { TRANSFER, type TokenTransfer, topicOf, transferOf } from '../contracts/incoming-logs.ts';
import { rpcOf } from './json-rpc.ts';
import { quantity, required, tolerant } from './node.ts';

export { findCoins } from './incoming-coins.ts';

/** Blocks per request: the whole range at first, then fewer each time a node refuses. */
const LENGTHS = [Number.MAX_SAFE_INTEGER, 100_000, 10_000, 2_000, 500];
/** Blocks that may still be reorganised. */
const UNSETTLED = 32;

type Log = Record<string, unknown>;

export const findIncoming: FindIncoming = async (address, node, cursor) => {
  const rpc = rpcOf(node);
  const head = Number(await required(rpc.call('eth_blockNumber'), quantity));
  const first = cursor === undefined ? 0 : Math.max(0, cursor - UNSETTLED);
  const transfers: (TokenTransfer & { log: Log })[] = [];
  let answered = false;
  let length = 0;
  let to = head;
  for (let page = 0; page < MAX_PAGES && to >= first && !isEnough(transfers); page++) {
    const from = Math.max(first, to - LENGTHS[length]! + 1);
    const range = { fromBlock: hex(from), toBlock: hex(to) };
    const some = await rpc
      .call('eth_getLogs', { ...range, topics: [TRANSFER, null, topicOf(address)] })
      // Each node has its own words for a range that is too long, and some close the connection.
      .catch(() => undefined);
    if (!Array.isArray(some)) {
      if (++length === LENGTHS.length) break;
      continue;
    }
    answered = true;
    for (const log of (some as Log[]).reverse()) {
      const transfer = transferOf(log, address, node.network.tokens);
      if (transfer && log['removed'] !== true) transfers.push({ ...transfer, log });
    }
    to = from - 1;
  }
  if (!answered) throw new Error('The node does not search its logs.');
  const kept = mostOf(transfers);
  const logs = kept.map(({ log }) => log);
  const times = await timesOf(logs, (block) =>
    tolerant(rpc.call('eth_getBlockByNumber', block, false), (value) =>
      quantity((value as Log | null)?.['timestamp']),
    ),
  );
  const items = kept.flatMap(({ log, ...transfer }): Incoming[] => {
    const at = times.get(String(log['blockNumber']));
    const { transactionHash: hash, logIndex } = log;
    if (at === undefined || !/^0x[0-9a-f]{64}$/i.test(String(hash))) return [];
    return [
      { id: `${String(hash)}:${String(logIndex)}`, hash: String(hash), at: Number(at) * 1000, ...transfer },
    ];
  });
  return { items, cursor: head };
};

/** By block number. Newer nodes include the time in the log. */
async function timesOf(
  logs: readonly Log[],
  read: (block: string) => Promise<bigint | undefined>,
): Promise<Map<string, bigint>> {
  const times = new Map<string, bigint>();
  const untimedBlocks = new Set<string>();
  for (const { blockNumber, blockTimestamp } of logs) {
    const block = String(blockNumber);
    if (/^0x[0-9a-f]{1,16}$/i.test(String(blockTimestamp))) times.set(block, BigInt(String(blockTimestamp)));
    else untimedBlocks.add(block);
  }
  const missing = [...untimedBlocks].filter((block) => !times.has(block));
  const answers = await Promise.all(missing.map(read));
  missing.forEach((block, i) => {
    if (answers[i] !== undefined) times.set(block, answers[i]);
  });
  return times;
}

function hex(number: number): string {
  return `0x${number.toString(16)}`;
}
