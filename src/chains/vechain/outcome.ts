/** Broadcasting transactions, and their outcome. */
import { ConnectError } from '../../errors.ts';
import { arrivals } from '../contracts/arrivals.ts';
import type { Node, Receipt, Signed, TransactionState } from '../chain.ts';
import { NodeFailure } from '../nodes/http.ts';
import { RestError, restOf } from '../rest/rest.ts';
import { GAS_COIN } from './draft.ts';
import { lastBlock, lastBlockOf } from './envelope.ts';
import { bytes, count, quantity, readBest, record, required } from './node.ts';

/** Blocks after a transaction's last one until a fork that contains it can be ruled out. */
const SETTLED = 6;

/** Broadcasts, and explains a refusal. "Already known" is success. */
export async function broadcast({ raw, hash }: Signed, node: Node): Promise<string> {
  const rest = restOf(node);
  try {
    return await rest.send('/transactions', { raw }, (answer) => {
      const { status, text } = answer;
      if (status < 400 ? text.includes(hash) : text.trim() === 'tx rejected: known tx') return hash;
      throw status < 400 ? new NodeFailure('answered for another transaction') : new RestError(answer);
    });
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    const reason = error.message;
    // Resent after its last block, also one that is in a block is refused as expired.
    if (reason.endsWith('expired') && (await status(hash, node)) !== 'unknown') return hash;
    const short = reason.includes('insufficient energy');
    throw new ConnectError(
      short ? 'transaction.insufficient-funds' : 'transaction.refused',
      short
        ? `Who pays the fee does not hold enough ${GAS_COIN.symbol} for it.`
        : `The network refused the transaction: ${reason}.`,
      { reason, host: rest.host },
      { cause: error },
    );
  }
}

export async function status(hash: string, node: Node, raw?: string): Promise<TransactionState> {
  return (await receipt(hash, node, raw)).state;
}

/** One round trip. A transaction without receipt whose last block is past has failed: no block will ever take it. */
export async function receipt(hash: string, node: Node, raw?: string): Promise<Receipt> {
  const rest = restOf(node);
  const [mined, transaction, best] = await Promise.all([
    required(rest.get(`/transactions/${hash}/receipt`)),
    required(rest.get(`/transactions/${hash}?pending=true`)),
    readBest(node),
  ]);
  if (mined !== null) {
    const { reverted, gasPayer, paid, meta, outputs } = record(mined);
    const fee = gasPayer === record(meta)['txOrigin'] ? quantity(paid) : 0n;
    if (reverted === true) return { state: 'failed', fee };
    const events = Array.isArray(outputs) ? outputs.flatMap((one) => record(one)['events']) : [];
    return { state: 'confirmed', fee, arrivals: arrivals(events) };
  }
  const last = transaction === null ? raw && lastBlockOf(raw) : lastBlockIn(record(transaction));
  if (typeof last === 'number' && best.number > last + SETTLED) return { state: 'failed', expired: true };
  return { state: transaction === null ? 'unknown' : 'pending' };
}

function lastBlockIn({ blockRef, expiration }: Record<string, unknown>): number {
  return lastBlock({ blockRef: bytes(blockRef), expiration: Number(count(expiration)) });
}
