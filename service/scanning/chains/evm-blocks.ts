/** Blocks of Ethereum and GoChain: coins are in their transactions, tokens in their logs. */
import { keccak256 } from 'ethers/crypto';
import type { Node } from '../../../src/chains/terms.ts';
import { checksum } from '../../../src/chains/contracts/evm-address.ts';
import { rpcOf } from '../../../src/chains/evm/json-rpc.ts';
import { RpcError, rpcErrorIn } from '../../../src/chains/evm/rpc-error.ts';
import { quantity } from '../../../src/chains/evm/node.ts';
import { readPayouts } from '../../../src/chains/evm/payout-logs.ts';
import { nonsense } from '../../../src/chains/nodes/http.ts';
import { type Block, type BlockReader, fromOthers, placesIn, type Transfer } from './block-reader.ts';
import { account, type Fields, fields, id, movedIn, TRANSFER } from './node-answers.ts';

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
): Promise<{ block: Block; transactions: unknown[]; bloom: unknown } | undefined> {
  const answer = await rpcOf(node).call('eth_getBlockByNumber', toQuantity(number), true);
  if (answer === null) return undefined;
  const block = blockOf(answer);
  const { transactions, logsBloom: bloom } = fields(answer);
  if (block.number !== number || !Array.isArray(transactions)) throw nonsense('the block that was asked for');
  return { block, transactions, bloom };
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
async function readLogs(node: Node, at: object): Promise<unknown[]> {
  const contracts = node.network.tokens.map(({ address }) => address.toLowerCase());
  const answers = await Promise.all(
    Array.from({ length: Math.ceil(contracts.length / CONTRACTS) }, (_, i) =>
      rpcOf(node).call('eth_getLogs', {
        address: contracts.slice(i * CONTRACTS, (i + 1) * CONTRACTS),
        topics: [TRANSFER],
        ...at,
      }),
    ),
  );
  return answers.flatMap((answer) => {
    if (!Array.isArray(answer)) throw nonsense('logs');
    return answer as unknown[];
  });
}

/** The three bits that a log with `TRANSFER` sets in the bloom filter of its block: pairs of bytes of its hash. */
const BITS = [0, 1, 2].map(
  (pair) => parseInt(keccak256(TRANSFER).slice(2 + 4 * pair, 6 + 4 * pair), 16) & 2047,
);

/** Whether the block may have logs of transfers, by its header. False if it does not say. */
function mayHaveTransfers(bloom: unknown): boolean {
  if (typeof bloom !== 'string' || bloom.length !== 514) return false;
  return BITS.every((bit) => (parseInt(bloom[513 - (bit >> 2)]!, 16) >> (bit & 3)) & 1);
}

/**
 * A node that does not have the block yet may say that it has no logs, even beside another of the same host that has the block. By the hash,
 * it has to say which (EIP-234). Undefined if it does not have the block; a node that does not know this kind of query is believed.
 */
async function readLogsByHash(node: Node, blockHash: string): Promise<unknown[] | undefined> {
  try {
    const logs = await readLogs(node, { blockHash });
    return logs.every((log) => fields(log)['blockHash'] === blockHash) ? logs : [];
  } catch (error) {
    const said = rpcErrorIn(error);
    if (said && /unknown|not (be )?found|unavailable/i.test(said.message)) return undefined;
    if (error instanceof RpcError) return [];
    throw error;
  }
}

const readTransfers: BlockReader['readTransfers'] = async (node, number, payers = []) => {
  const at = toQuantity(number);
  // The node that has the block answers for its logs, too.
  const [found, first, payouts] = await rpcOf(node).fromOneNode(() =>
    Promise.all([
      readFullBlock(node, number),
      readLogs(node, { fromBlock: at, toBlock: at }),
      payers.length > 0 ? readPayouts(rpcOf(node), payers, { block: number }) : [],
    ]),
  );
  if (!found) return undefined;
  const { block, transactions, bloom } = found;
  const isDoubtful = first.length === 0 && node.network.tokens.length > 0 && mayHaveTransfers(bloom);
  const logs = isDoubtful ? await readLogsByHash(node, block.hash) : first;
  if (!logs) return undefined;
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
  for (const { hash, blockHash, vault, to, amount } of payouts) {
    if (blockHash !== block.hash) return undefined;
    add({
      hash: id(hash),
      sender: account(vault),
      recipient: account(to),
      token: undefined,
      amount,
      told: true,
    });
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
  return withoutBounced(node, block, carried);
};

/** Leaves out what a contract says that it paid, where the recipient's balance did not rise by as much. Undefined if the block is gone. */
async function withoutBounced(
  node: Node,
  block: Block,
  transfers: readonly Transfer[],
): Promise<readonly Transfer[] | undefined> {
  const kept = new Set(transfers);
  for (const recipient of new Set(transfers.flatMap((one) => (one.told ? one.recipient : [])))) {
    const payouts = transfers.filter((one) => one.told && one.recipient === recipient);
    const unexplained = await unexplainedIn(node, block, recipient);
    if (unexplained === 'gone') return undefined;
    if (payouts.reduce((sum, { amount }) => sum + amount, 0n) > unexplained)
      for (const payout of payouts) kept.delete(payout);
  }
  return [...kept];
}

/**
 * By how much an account's balance rose in a block beyond what the block's transactions and withdrawals moved. 0 if the node does not have the
 * balances of that time any more.
 */
async function unexplainedIn(
  node: Node,
  { number, hash }: Block,
  recipient: string,
): Promise<bigint | 'gone'> {
  const rpc = rpcOf(node);
  const balanceAt = async (at: number): Promise<bigint | undefined> => {
    try {
      return quantity(await rpc.call('eth_getBalance', recipient, toQuantity(at)));
    } catch (error) {
      if (error instanceof RpcError) return undefined;
      throw error;
    }
  };
  const [answer, before, after] = await rpc.fromOneNode(() =>
    Promise.all([
      rpc.call('eth_getBlockByNumber', toQuantity(number), true),
      balanceAt(number - 1),
      balanceAt(number),
    ]),
  );
  if (answer === null || blockOf(answer).hash !== hash) return 'gone';
  if (before === undefined || after === undefined) return 0n;
  const { transactions, withdrawals = [] } = fields(answer);
  if (!Array.isArray(transactions) || !Array.isArray(withdrawals))
    throw nonsense('the block that was asked for');
  let explained = 0n;
  for (const each of withdrawals as unknown[]) {
    const { address, amount } = fields(each);
    if (account(address) === recipient) explained += quantity(amount) * GWEI;
  }
  for (const each of transactions as unknown[]) {
    const moved = await movedFor(node, fields(each), { recipient, blockHash: hash });
    if (moved === 'gone') return 'gone';
    explained += moved;
  }
  return after - before - explained;
}

/** Withdrawals are in billionths. */
const GWEI = 10n ** 9n;

/** What a transaction by itself adds to an account's balance, less what it takes, its fee included. */
async function movedFor(
  node: Node,
  { from, to, value, hash, gasPrice }: Fields,
  { recipient, blockHash }: { recipient: string; blockHash: string },
): Promise<bigint | 'gone'> {
  const isOwn = account(from) === recipient;
  const isPaid = to != null && account(to) === recipient;
  if (!isOwn && !(isPaid && quantity(value) > 0n)) return 0n;
  const receipt = await rpcOf(node).call('eth_getTransactionReceipt', id(hash));
  const { blockHash: at, status, gasUsed, effectiveGasPrice = gasPrice } = fields(receipt ?? {});
  if (at !== blockHash) return 'gone';
  const amount = status === '0x0' ? 0n : quantity(value);
  const fee = isOwn ? quantity(gasUsed) * quantity(effectiveGasPrice) : 0n;
  return (isPaid ? amount : 0n) - (isOwn ? amount + fee : 0n);
}

export const evmBlocks: BlockReader = {
  everyMs: 5_000,
  clockMs: 60_000,
  keyOf: (address) => address.toLowerCase(),
  addressOf: checksum,
  readBlock,
  readTransfers,
  carriedOut,
};
