/** Payments on Ethereum and GoChain: coins are found in blocks, tokens in logs. */
import type { Node } from '../../../../src/chains/terms.ts';
import { checksum } from '../../../../src/chains/contracts/evm-address.ts';
import { bytes, quantity } from '../../../../src/chains/evm/node.ts';
import { nonsense } from '../../../../src/chains/nodes/http.ts';
import { rpcOf } from '../../../../src/chains/evm/json-rpc.ts';
import {
  count,
  readBlock,
  readFullBlock,
  readReceipt,
  toQuantity,
} from '../../../scanning/chains/evm-blocks.ts';
import { account, type Fields, fields, id, TRANSFER, word } from '../../../scanning/chains/node-answers.ts';
import type { ChainReader, ChainTransfer, ExpectedTransfer, TransactionState } from './chain-reader.ts';
import { movedTo } from './moved-to.ts';

/** `transfer(address,uint256)`. */
const SEND = '0xa9059cbb';
/** Stands for the coin, which has no log. */
const OWN_VALUE = -1;

/** Finds coins only: tokens are in the logs. */
async function blockTransfers(
  node: Node,
  number: number,
  _token: string,
  given: readonly string[],
): ReturnType<ChainReader['blockTransfers']> {
  const addresses = new Set(given.map((address) => address.toLowerCase()));
  const contents = await readFullBlock(node, number);
  if (!contents) return undefined;
  const { block, transactions } = contents;
  const transfers: ChainTransfer[] = [];
  for (const each of transactions) {
    const { to, value, hash, from } = fields(each);
    if (typeof to !== 'string' || !addresses.has(to.toLowerCase())) continue;
    const amount = quantity(value);
    if (amount === 0n) continue;
    const receipt = await readReceipt(node, id(hash));
    // The chain was reorganised in the meantime, or this node is behind the previous one.
    if (receipt?.blockHash !== block.hash) return undefined;
    if (!receipt.succeeded) continue;
    transfers.push({
      hash: id(hash),
      logIndex: OWN_VALUE,
      block: number,
      blockHash: block.hash,
      sender: checksum(account(from)),
      to: checksum(to),
      amount,
    });
  }
  return { block, transfers };
}

async function tokenTransfers(
  node: Node,
  token: string,
  addresses: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<ChainTransfer[]> {
  const answer = await rpcOf(node).call('eth_getLogs', {
    address: token.toLowerCase(),
    topics: [TRANSFER, null, addresses.map(word)],
    fromBlock: toQuantity(from),
    toBlock: toQuantity(to),
  });
  if (!Array.isArray(answer)) throw nonsense('logs');
  return answer.flatMap((log) => transferOf(log, token, addresses) ?? []);
}

function transferOf(value: unknown, token: string, addresses: readonly string[]): ChainTransfer | undefined {
  const log = fields(value);
  const moved = log['removed'] === true ? undefined : movedTo(log, token, addresses);
  return (
    moved && {
      ...moved,
      hash: id(log['transactionHash']),
      logIndex: count(log['logIndex']),
      block: count(log['blockNumber']),
      blockHash: id(log['blockHash']),
    }
  );
}

async function readTransaction(node: Node, hash: string): Promise<Fields | undefined> {
  const answer = await rpcOf(node).call('eth_getTransactionByHash', hash);
  if (answer === null) return undefined;
  const transaction = fields(answer);
  if (id(transaction['hash']) !== hash) throw nonsense('the transaction that was asked for');
  return transaction;
}

async function locate(
  node: Node,
  { hash, logIndex }: { hash: string; logIndex: number },
  { token, address, amount }: ExpectedTransfer,
): Promise<{ block: number; blockHash: string; logIndex: number } | undefined> {
  const receipt = await readReceipt(node, hash);
  if (!receipt?.succeeded) return undefined;
  const { block, blockHash } = receipt;
  // A node may keep receipts of blocks that are no longer in the chain.
  if ((await readBlock(node, block))?.hash !== blockHash) return undefined;
  if (logIndex === OWN_VALUE) {
    const transaction = await readTransaction(node, hash);
    return transaction && isTo(transaction, address) && quantity(transaction['value']) === amount
      ? { block, blockHash, logIndex }
      : undefined;
  }
  // In another block the log may have another index.
  const transfers = receipt.logs
    .flatMap((log) => transferOf(log, token, [address]) ?? [])
    .filter((transfer) => transfer.amount === amount);
  const [same = transfers[0]] = transfers.filter((transfer) => transfer.logIndex === logIndex);
  return same && { block, blockHash, logIndex: same.logIndex };
}

function isTo({ to }: Fields, address: string): boolean {
  return typeof to === 'string' && to.toLowerCase() === address.toLowerCase();
}

async function transactionState(
  node: Node,
  hash: string,
  expected: ExpectedTransfer,
): Promise<TransactionState> {
  const transaction = await readTransaction(node, hash);
  if (!transaction) return { state: 'unknown' };
  const receipt = await readReceipt(node, hash);
  if (receipt && !receipt.succeeded) return { state: 'failed' };
  const coins = expected.token === '' && isTo(transaction, expected.address);
  if (!receipt) return { state: asFarAsItSays(transaction, expected) };
  const sends = coins
    ? quantity(transaction['value']) > 0n
    : expected.token !== '' &&
      receipt.logs.some((log) => transferOf(log, expected.token, [expected.address]));
  return { state: 'mined', block: receipt.block, sends };
}

/** A contract call other than a plain transfer may do anything, which only its block shows. */
function asFarAsItSays(
  transaction: Fields,
  { token, address, amount }: ExpectedTransfer,
): 'waiting' | 'other' | 'amount' {
  if (token === '') {
    if (!isTo(transaction, address)) return 'other';
    return quantity(transaction['value']) === amount ? 'waiting' : 'amount';
  }
  const input = bytes(transaction['input']);
  if (!isTo(transaction, token) || !input.startsWith(SEND) || input.length !== 138) return 'waiting';
  if (`0x${input.slice(10, 74)}` !== word(address)) return 'other';
  return BigInt(`0x${input.slice(74)}`) === amount ? 'waiting' : 'amount';
}

export const evmReader: ChainReader = { readBlock, blockTransfers, tokenTransfers, locate, transactionState };
