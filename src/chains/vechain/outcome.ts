/** Broadcasting transactions, and their outcome. */
import { arrivals } from '../contracts/arrivals.ts';
import type { Node, Receipt, Signed, TransactionState } from '../chain.ts';
import { broadcastTo, refusalOf } from '../nodes/broadcast.ts';
import { confirmationsOn, minedIn, stateOn } from '../nodes/confirmations.ts';
import { NodeFailure } from '../nodes/http.ts';
import { refusalsBy, RestError, restOf } from '../rest/rest.ts';
import { GAS_COIN } from './draft.ts';
import { lastBlock, lastBlockOf } from './envelope.ts';
import { bytes, count, quantity, readBest, record, required } from './node.ts';
import { REFUSALS } from './refusals.ts';

/** Broadcasts, and explains a refusal. "Already known" is success. */
export function broadcast(signed: Signed, node: Node): Promise<string> {
  const { raw, hash } = signed;
  return broadcastTo(node, signed, {
    send: () =>
      restOf(node).send('/transactions', { raw }, (answer) => {
        const { status, text } = answer;
        if (status < 400 && !text.includes(hash)) throw new NodeFailure('answered for another transaction');
        if (status >= 400 && refusalOf(REFUSALS, text.trim()).means !== 'known') throw new RestError(answer);
      }),
    read: refusalsBy(REFUSALS),
    // Sent again after its last block, also one that is in a block is refused as expired.
    isThere: async () => (await status(hash, node)) !== 'unknown',
    short: `Who pays the fee does not hold enough ${GAS_COIN.symbol} for it.`,
  });
}

export async function status(hash: string, node: Node, raw?: string): Promise<TransactionState> {
  return stateOn(node.network, await receipt(hash, node, raw));
}

/** One round trip. A transaction without receipt whose last block has its confirmations has failed: no block will ever take it. */
export async function receipt(hash: string, node: Node, raw?: string): Promise<Receipt> {
  const rest = restOf(node);
  const [mined, transaction, best] = await Promise.all([
    required(rest.get(`/transactions/${hash}/receipt`)),
    required(rest.get(`/transactions/${hash}?pending=true`)),
    readBest(node),
  ]);
  if (mined !== null) {
    const { reverted, gasPayer, paid, meta, outputs } = record(mined);
    const { txOrigin, blockNumber } = record(meta);
    const fee = gasPayer === txOrigin ? quantity(paid) : 0n;
    const at = { mined: minedIn(Number(count(blockNumber)), best.number), fee };
    if (reverted === true) return { state: 'failed', ...at };
    const events = Array.isArray(outputs) ? outputs.flatMap((one) => record(one)['events']) : [];
    return { state: 'confirmed', ...at, arrivals: arrivals(events) };
  }
  const last = transaction === null ? raw && lastBlockOf(raw) : lastBlockIn(record(transaction));
  if (typeof last === 'number' && best.number - last >= confirmationsOn(node.network))
    return { state: 'failed', expired: true };
  return { state: transaction === null ? 'unknown' : 'pending' };
}

function lastBlockIn({ blockRef, expiration }: Record<string, unknown>): number {
  return lastBlock({ blockRef: bytes(blockRef), expiration: Number(count(expiration)) });
}
