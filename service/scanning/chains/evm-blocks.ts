/** Blocks of Ethereum and GoChain: coins are in their transactions, tokens in their logs. */
import type { Node } from '../../../src/chains/chain.ts';
import { checksum } from '../../../src/chains/contracts/evm-address.ts';
import { rpcOf } from '../../../src/chains/evm/json-rpc.ts';
import { quantity } from '../../../src/chains/evm/node.ts';
import { nonsense } from '../../../src/chains/nodes/http.ts';
import { type Block, type BlockReader, fromOthers, placesIn, type Transfer } from './block-reader.ts';
import { account, fields, id, movedIn, TRANSFER } from './node-answers.ts';

/** Contracts in one query of logs: nodes take a thousand. */
const CONTRACTS = 500;

export function count(value: unknown): number {
  const n = quantity(value);
  if (n > BigInt(Number.MAX_SAFE_INTEGER)) throw nonsense('a number of a block');
  return Number(n);
}

export function toQuantity(n: number): string {
  return `0x${n.toString(16)}`;
}

function blockOf(value: unknown): Block {
  const block = fields(value);
  return {
    number: count(block['number']),
    hash: id(block['hash']),
    parent: id(block['parentHash']),
    time: count(block['timestamp']) * 1000,
  };
}

export async function readBlock(node: Node, at: number | 'latest'): Promise<Block | undefined> {
  const answer = await rpcOf(node).call('eth_getBlockByNumber', at === 'latest' ? at : toQuantity(at), false);
  if (answer === null) return undefined;
  const block = blockOf(answer);
  if (at !== 'latest' && block.number !== at) throw nonsense('the block that was asked for');
  return block;
}

/** With its transactions. Undefined when the node does not have it. */
export async function readFullBlock(
  node: Node,
  number: number,
): Promise<{ block: Block; transactions: unknown[] } | undefined> {
  const answer = await rpcOf(node).call('eth_getBlockByNumber', toQuantity(number), true);
  if (answer === null) return undefined;
  const block = blockOf(answer);
  const transactions = fields(answer)['transactions'];
  if (block.number !== number || !Array.isArray(transactions)) throw nonsense('the block that was asked for');
  return { block, transactions };
}

interface Receipt {
  block: number;
  blockHash: string;
  succeeded: boolean;
  logs: readonly unknown[];
}

export async function readReceipt(node: Node, hash: string): Promise<Receipt | undefined> {
  const answer = await rpcOf(node).call('eth_getTransactionReceipt', hash);
  if (answer === null) return undefined;
  const { blockNumber, blockHash, status, logs, transactionHash } = fields(answer);
  if (id(transactionHash) !== hash) throw nonsense('the receipt that was asked for');
  // Some nodes have receipts of transactions that are in no block yet.
  if (blockNumber == null || blockHash == null) return undefined;
  return {
    block: count(blockNumber),
    blockHash: id(blockHash),
    succeeded: status === '0x1',
    logs: Array.isArray(logs) ? logs : [],
  };
}

/** Only logs of listed tokens' contracts: anybody can fill a block with logs of others. */
async function readLogs(node: Node, number: number): Promise<unknown[]> {
  const contracts = node.network.tokens.map(({ address }) => address.toLowerCase());
  const at = toQuantity(number);
  const answers = await Promise.all(
    Array.from({ length: Math.ceil(contracts.length / CONTRACTS) }, (_, i) =>
      rpcOf(node).call('eth_getLogs', {
        address: contracts.slice(i * CONTRACTS, (i + 1) * CONTRACTS),
        topics: [TRANSFER],
        fromBlock: at,
        toBlock: at,
      }),
    ),
  );
  return answers.flatMap((answer) => {
    if (!Array.isArray(answer)) throw nonsense('logs');
    return answer as unknown[];
  });
}

const readTransfers: BlockReader['readTransfers'] = async (node, number) => {
  // In one batch, so that the node that has the block answers for its logs, too.
  const [found, logs] = await Promise.all([readFullBlock(node, number), readLogs(node, number)]);
  if (!found) return undefined;
  const { block, transactions } = found;
  const placeOf = placesIn();
  const transfers: Transfer[] = [];
  const add = (transfer: Omit<Transfer, 'place'>): void =>
    void transfers.push({ ...transfer, place: placeOf(transfer) });
  // A node that repeats an entry must not make two deposits of it.
  const seen = new Set<string>();
  const isNew = (key: string): boolean => !seen.has(key) && seen.add(key) !== undefined;
  for (const each of transactions) {
    const { to, value, hash, from } = fields(each);
    const amount = quantity(value);
    // Without a recipient it makes a contract.
    if (amount > 0n && to != null && isNew(id(hash)))
      add({ hash: id(hash), sender: account(from), recipient: account(to), token: undefined, amount });
  }
  for (const each of logs) {
    const log = fields(each);
    // The chain was reorganised in the meantime.
    if (id(log['blockHash']) !== block.hash) return undefined;
    const moved = movedIn(log);
    if (moved && isNew(`log ${count(log['logIndex'])}`)) add({ hash: id(log['transactionHash']), ...moved });
  }
  return { block, transfers };
};

/** A failed transaction leaves no logs, but it did not move its coins either. */
const carriedOut: BlockReader['carriedOut'] = async (node, block, found) => {
  const transfers = await fromOthers(node, block, found);
  const receipts = await Promise.all(
    transfers!.map(({ token, hash }) => (token === undefined ? readReceipt(node, hash) : undefined)),
  );
  const carried: Transfer[] = [];
  for (const [i, transfer] of transfers!.entries()) {
    const receipt = receipts[i];
    if (transfer.token === undefined && receipt?.blockHash !== block.hash) return undefined;
    if (receipt?.succeeded !== false) carried.push(transfer);
  }
  return carried;
};

export const evmBlocks: BlockReader = {
  confirmations: 12,
  everyMs: 5_000,
  clockMs: 60_000,
  keyOf: (address) => address.toLowerCase(),
  addressOf: checksum,
  readBlock,
  readTransfers,
  carriedOut,
};
