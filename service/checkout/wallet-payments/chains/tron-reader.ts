/**
 * Payments on Tron. TRX count only by a transfer of the account itself: what contracts send inside a call is in no log. TRC-20 tokens count
 * by the logs of the listed contract, whatever else calls itself the same.
 */
import type { Node } from '../../../../src/chains/terms.ts';
import { restOf } from '../../../../src/chains/nodes/rest.ts';
import { bytesOf } from '../../../../src/base/bytes.ts';
import { addressOf } from '../../../../src/chains/tron/address.ts';
import { fields } from '../../../scanning/chains/node-answers.ts';
import {
  type CarriedOut,
  hash as readHash,
  isSolid,
  list,
  movedBy,
  movedInLog,
  readBlock,
  readCarriedOut,
  tronBlocks,
  uint,
} from '../../../scanning/chains/tron-blocks.ts';
import type { ChainReader, ChainTransfer, ExpectedTransfer, TransactionState } from './chain-reader.ts';

/** Stands for the transaction's own transfer, which has no log. */
const OWN_VALUE = -1;

type FoundTransfer = Pick<ChainTransfer, 'logIndex' | 'sender' | 'to' | 'amount'>;

/** What a transaction moves of one coin or token to the addresses; each log is a transfer of its own. */
function movedIn(
  { contract, logs }: Pick<CarriedOut, 'contract' | 'logs'>,
  token: string,
  addresses: readonly string[],
): FoundTransfer[] {
  const key = token === '' ? undefined : tronBlocks.keyOf(token);
  const recipients = new Map(addresses.map((address) => [tronBlocks.keyOf(address), address]));
  const moves =
    key === undefined
      ? [{ moved: movedBy(contract), logIndex: OWN_VALUE }]
      : logs.map((log, logIndex) => ({ moved: movedInLog(log), logIndex }));
  return moves.flatMap(({ moved, logIndex }) => {
    const to = moved && recipients.get(moved.recipient);
    if (to === undefined || moved!.token !== key || moved!.amount === 0n) return [];
    return [{ logIndex, sender: addressOf(bytesOf(`0x${moved!.sender}`)), to, amount: moved!.amount }];
  });
}

const blockTransfers: ChainReader['blockTransfers'] = async (node, number, token, addresses) => {
  const contents = await readCarriedOut(node, number);
  if (!contents) return undefined;
  const { block, transactions } = contents;
  const transfers = transactions.flatMap((transaction) => {
    const where = { hash: transaction.hash, block: number, blockHash: block.hash };
    return movedIn(transaction, token, addresses).map((moved) => ({ ...moved, ...where }));
  });
  return { block, transfers };
};

/** The number of the block that has the transaction. Undefined when none has it. */
async function blockOf(node: Node, hash: string): Promise<number | undefined> {
  const { id, blockNumber } = fields(
    await restOf(node).post('/wallet/gettransactioninfobyid', { value: hash }),
  );
  return id === undefined || readHash(id) !== hash ? undefined : Number(uint(blockNumber));
}

/** In the block that is in the chain now, whatever the node remembers of others. */
const locate: ChainReader['locate'] = async (node, { hash, logIndex }, { token, address, amount }) => {
  const number = await blockOf(node, hash);
  const contents = number === undefined ? undefined : await readCarriedOut(node, number);
  const transaction = contents?.transactions.find((each) => each.hash === hash);
  if (!contents || !transaction) return undefined;
  const transfers = movedIn(transaction, token, [address]).filter((moved) => moved.amount === amount);
  const [same = transfers[0]] = transfers.filter((moved) => moved.logIndex === logIndex);
  return same && { block: number!, blockHash: contents.block.hash, logIndex: same.logIndex };
};

async function transactionState(
  node: Node,
  hash: string,
  expected: ExpectedTransfer,
): Promise<TransactionState> {
  const read = async (path: string) => fields(await restOf(node).post(`/wallet/${path}`, { value: hash }));
  const mined = await read('gettransactionbyid');
  // Not every node tells what waits: then it may.
  const transaction =
    mined['txID'] === undefined ? await read('gettransactionfrompending').catch(() => undefined) : mined;
  if (!transaction) return { state: 'waiting' };
  if (transaction['txID'] === undefined) return { state: 'unknown' };
  const contract = list(fields(transaction['raw_data'])['contract'])[0] ?? {};
  const number = transaction === mined ? await blockOf(node, hash) : undefined;
  if (number === undefined) return { state: asFarAsItSays(contract, expected) };
  if (list(mined['ret'])[0]?.['contractRet'] !== 'SUCCESS') return { state: 'failed' };
  const info = await read('gettransactioninfobyid');
  const { token, address } = expected;
  const sends = movedIn({ contract, logs: list(info['log']) }, token, [address]).length > 0;
  return { state: 'mined', block: number, sends };
}

/** A call may do anything, which only its block shows. */
function asFarAsItSays(
  contract: CarriedOut['contract'],
  { token, address, amount }: ExpectedTransfer,
): 'waiting' | 'other' | 'amount' {
  const moved = movedBy(contract);
  if (!moved) return 'waiting';
  if (token !== '' || moved.token !== undefined || moved.recipient !== tronBlocks.keyOf(address))
    return 'other';
  return moved.amount === amount ? 'waiting' : 'amount';
}

export const tronReader: ChainReader = {
  ignoresDust: true,
  readBlock,
  blockTransfers,
  locate,
  isFinal: (node, { number, hash }) => isSolid(node, number, hash),
  transactionState,
};
