/**
 * Payments on Aeternity: spends from account to account, read with the key block that seals them. What contracts send, and spends to names,
 * are not seen. A payload may name the session: wallets that pay for the payment page write it.
 */
import type { Node } from '../../../../src/chains/terms.ts';
import { decode64 } from '../../../../src/chains/aeternity/encoding.ts';
import { nonsense } from '../../../../src/chains/nodes/http.ts';
import {
  read,
  readKeyBlock,
  readSealed,
  type Spend,
  spendIn,
} from '../../../scanning/chains/aeternity-blocks.ts';
import type { ChainReader, ExpectedTransfer, TransactionState } from './chain-reader.ts';

/** A spend is all that its transaction does. */
const OWN_VALUE = -1;

const SESSION = /^cs_[\w-]{1,120}$/;
/** Base64 of up to 150 bytes, with the checksum. */
const PAYLOAD = /^ba_([A-Za-z\d+/]{4}){0,49}([A-Za-z\d+/]{4}|[A-Za-z\d+/]{3}=|[A-Za-z\d+/]{2}==)$/;

/** A payload may be anything, in any form. */
function sessionIn({ payload }: Spend): { session?: string } {
  if (typeof payload !== 'string' || !PAYLOAD.test(payload)) return {};
  const text = new TextDecoder().decode(decode64(payload));
  return SESSION.test(text) ? { session: text } : {};
}

const blockTransfers: ChainReader['blockTransfers'] = async (node, number, token, addresses) => {
  const contents = await readSealed(node, number);
  if (!contents) return undefined;
  const { block, spends } = contents;
  const transfers = spends
    .filter(({ recipient }) => token === '' && addresses.includes(recipient))
    .map((spend) => ({
      hash: spend.hash,
      logIndex: OWN_VALUE,
      block: number,
      blockHash: block.hash,
      sender: spend.sender,
      to: spend.recipient,
      amount: spend.amount,
      ...sessionIn(spend),
    }));
  return { block, transfers };
};

interface KnownTransaction {
  spend: Spend | undefined;
  /** Of the key block that seals it, which may not be there yet. Undefined while it is in no micro block. */
  seal: number | undefined;
}

/** Undefined when the node does not have it. */
async function readTransaction(node: Node, hash: string): Promise<KnownTransaction | undefined> {
  const answer = await read(node, `transactions/${hash}`);
  if (!answer) return undefined;
  if (answer['hash'] !== hash) throw nonsense('the transaction that was asked for');
  const { block_hash: micro, block_height: height } = answer;
  const isMined = micro !== 'none' && Number.isSafeInteger(height) && Number(height) >= 0;
  return { spend: spendIn(answer), seal: isMined ? Number(height) + 1 : undefined };
}

const locate: ChainReader['locate'] = async (node, { hash, logIndex }, { address, amount }) => {
  const seal = (await readTransaction(node, hash))?.seal;
  const contents = seal === undefined ? undefined : await readSealed(node, seal);
  const same = contents?.spends.find((spend) => spend.hash === hash);
  return same?.recipient === address && same.amount === amount
    ? { block: seal!, blockHash: contents!.block.hash, logIndex }
    : undefined;
};

async function transactionState(
  node: Node,
  hash: string,
  { address, amount }: ExpectedTransfer,
): Promise<TransactionState> {
  const transaction = await readTransaction(node, hash);
  if (!transaction) return { state: 'unknown' };
  const { spend, seal } = transaction;
  const sends = spend?.recipient === address;
  if (seal !== undefined) return { state: 'mined', block: seal, sends };
  if (!sends) return { state: 'other' };
  return { state: spend.amount === amount ? 'waiting' : 'amount' };
}

export const aeternityReader: ChainReader = {
  isSealed: true,
  readBlock: readKeyBlock,
  blockTransfers,
  locate,
  transactionState,
};
