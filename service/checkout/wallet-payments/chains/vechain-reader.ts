/**
 * Payments on VeChain: a block lists what each of its transactions moved, coins and tokens, including moves by contracts.
 * https://github.com/vechain/thor/blob/master/api/doc/thor.yaml
 */
import type { Node } from '../../../../src/chains/chain.ts';
import { checksum } from '../../../../src/chains/contracts/evm-address.ts';
import { nonsense } from '../../../../src/chains/nodes/http.ts';
import { restOf } from '../../../../src/chains/rest/rest.ts';
import { count, quantity } from '../../../../src/chains/vechain/node.ts';
import type {
  Block,
  ChainReader,
  ChainTransfer,
  ExpectedTransfer,
  TransactionState,
} from './chain-reader.ts';
import { account, type Fields, fields, id, movedBy } from './node-answers.ts';

function blockOf(block: Fields): Block {
  return {
    number: Number(count(block['number'])),
    hash: id(block['id']),
    parent: id(block['parentID']),
    time: Number(count(block['timestamp'])) * 1000,
  };
}

async function read(node: Node, at: number | 'latest', query = ''): Promise<Fields | undefined> {
  const answer = await restOf(node).get(`/blocks/${at === 'latest' ? 'best' : at}${query}`);
  if (answer === null) return undefined;
  const block = fields(answer);
  if (at !== 'latest' && block['number'] !== at) throw nonsense('the block that was asked for');
  return block;
}

async function readBlock(node: Node, at: number | 'latest'): Promise<Block | undefined> {
  const block = await read(node, at);
  return block && blockOf(block);
}

type FoundTransfer = Pick<ChainTransfer, 'logIndex' | 'sender' | 'to' | 'amount'>;

/** What a transaction moved, in order; indexes of coins are negative. */
function movedIn(outputs: unknown, token: string, addresses: readonly string[]): FoundTransfer[] {
  if (!Array.isArray(outputs)) throw nonsense('what a transaction did');
  const all = outputs.flatMap((output) => {
    const given = fields(output)[token === '' ? 'transfers' : 'events'];
    if (!Array.isArray(given)) throw nonsense('what a transaction did');
    return given.map(fields);
  });
  return all.flatMap((each, index) => {
    const moved = token === '' ? coinsOf(each, addresses) : movedBy(each, token, addresses);
    return moved ? [{ ...moved, logIndex: token === '' ? -1 - index : index }] : [];
  });
}

function coinsOf({ sender, recipient, amount }: Fields, addresses: readonly string[]) {
  const to = account(recipient);
  const value = quantity(amount);
  if (value === 0n || !addresses.some((address) => address.toLowerCase() === to)) return undefined;
  return { sender: checksum(account(sender)), to: checksum(to), amount: value };
}

const blockTransfers: ChainReader['blockTransfers'] = async (node, number, token, addresses) => {
  const answer = await read(node, number, '?expanded=true');
  if (!answer) return undefined;
  const block = blockOf(answer);
  const { transactions } = answer;
  if (!Array.isArray(transactions)) throw nonsense('the transactions of a block');
  const transfers = transactions.map(fields).flatMap((transaction) => {
    if (transaction['reverted'] !== false) return [];
    const where = { hash: id(transaction['id']), block: number, blockHash: block.hash };
    return movedIn(transaction['outputs'], token, addresses).map((moved) => ({ ...moved, ...where }));
  });
  return { block, transfers };
};

interface Receipt {
  block: number;
  blockHash: string;
  succeeded: boolean;
  outputs: unknown;
}

async function readReceipt(node: Node, hash: string): Promise<Receipt | undefined> {
  const answer = await restOf(node).get(`/transactions/${hash}/receipt`);
  if (answer === null) return undefined;
  const { reverted, meta, outputs } = fields(answer);
  const { blockID, blockNumber, txID } = fields(meta);
  if (id(txID) !== hash) throw nonsense('the receipt that was asked for');
  return {
    block: Number(count(blockNumber)),
    blockHash: id(blockID),
    succeeded: reverted === false,
    outputs,
  };
}

const locate: ChainReader['locate'] = async (node, { hash, logIndex }, { token, address, amount }) => {
  const receipt = await readReceipt(node, hash);
  if (!receipt?.succeeded) return undefined;
  const { block, blockHash, outputs } = receipt;
  if ((await readBlock(node, block))?.hash !== blockHash) return undefined;
  const found = movedIn(outputs, token, [address]).filter((moved) => moved.amount === amount);
  const [same = found[0]] = found.filter((moved) => moved.logIndex === logIndex);
  return same && { block, blockHash, logIndex: same.logIndex };
};

/** Clauses may do anything: what they send is known from the block, which comes soon. */
async function transactionState(
  node: Node,
  hash: string,
  { token, address }: ExpectedTransfer,
): Promise<TransactionState> {
  const transaction = await restOf(node).get(`/transactions/${hash}?pending=true`);
  if (transaction === null) return { state: 'unknown' };
  const receipt = await readReceipt(node, hash);
  if (!receipt) return { state: 'waiting' };
  if (!receipt.succeeded) return { state: 'failed' };
  return {
    state: 'mined',
    block: receipt.block,
    sends: movedIn(receipt.outputs, token, [address]).length > 0,
  };
}

export const vechainReader: ChainReader = { readBlock, blockTransfers, locate, transactionState };
