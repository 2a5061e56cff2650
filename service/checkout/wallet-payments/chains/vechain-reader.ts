/**
 * Payments on VeChain: a block lists what each of its transactions moved, coins and tokens, including moves by contracts.
 * https://github.com/vechain/thor/blob/master/api/doc/thor.yaml
 */
import type { Node } from '../../../../src/chains/terms.ts';
import { checksum } from '../../../../src/chains/contracts/evm-address.ts';
import { nonsense } from '../../../../src/chains/nodes/http.ts';
import { restOf } from '../../../../src/chains/nodes/rest.ts';
import { count } from '../../../../src/chains/vechain/node.ts';
import { fields, id } from '../../../scanning/chains/node-answers.ts';
import {
  coinIn,
  type Effects,
  effectsOf,
  readBlock,
  readCarriedOut,
} from '../../../scanning/chains/vechain-blocks.ts';
import type { ChainReader, ChainTransfer, ExpectedTransfer, TransactionState } from './chain-reader.ts';
import { movedTo } from './moved-to.ts';

type FoundTransfer = Pick<ChainTransfer, 'logIndex' | 'sender' | 'to' | 'amount'>;

/** What a transaction moved, in order; indexes of coins are negative. */
function movedIn(
  { transfers, events }: Effects,
  token: string,
  addresses: readonly string[],
): FoundTransfer[] {
  const moves =
    token === ''
      ? transfers.map((each) => coinsTo(each, addresses))
      : events.map((each) => movedTo(each, token, addresses));
  return moves.flatMap((moved, index) =>
    moved ? [{ ...moved, logIndex: token === '' ? -1 - index : index }] : [],
  );
}

function coinsTo(transfer: Effects['transfers'][number], addresses: readonly string[]) {
  const { sender, recipient, amount } = coinIn(transfer);
  if (amount === 0n || !addresses.some((address) => address.toLowerCase() === recipient)) return undefined;
  return { sender: checksum(sender), to: checksum(recipient), amount };
}

const blockTransfers: ChainReader['blockTransfers'] = async (node, number, token, addresses) => {
  const contents = await readCarriedOut(node, number);
  if (!contents) return undefined;
  const { block, transactions } = contents;
  const transfers = transactions.flatMap(({ hash, effects }) => {
    const where = { hash, block: number, blockHash: block.hash };
    return movedIn(effects, token, addresses).map((moved) => ({ ...moved, ...where }));
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
  const transfers = movedIn(effectsOf(outputs), token, [address]).filter((moved) => moved.amount === amount);
  const [same = transfers[0]] = transfers.filter((moved) => moved.logIndex === logIndex);
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
    sends: movedIn(effectsOf(receipt.outputs), token, [address]).length > 0,
  };
}

export const vechainReader: ChainReader = { readBlock, blockTransfers, locate, transactionState };
