/** Broadcasting transactions, and their outcome. */
import type { Node, Receipt, Signed, TransactionState } from '../terms.ts';
import { arrivals } from '../contracts/arrivals.ts';
import { broadcastTo, refusalOf, type RefusalTable } from '../nodes/broadcast.ts';
import { confirmationsOn, minedIn, stateOn } from '../nodes/confirmations.ts';
import { NodeFailure } from '../nodes/http.ts';
import { type NodeAnswer, refusalsBy, RestError, restOf } from '../nodes/rest.ts';
import { GAS_COIN } from './draft.ts';
import { lastBlock, lastBlockOf } from './envelope.ts';
import { bytes, count, quantity, readBest, record, required } from './node.ts';

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
  const hosts = new Set<string>();
  const orNone =
    <T>(read: (value: Record<string, unknown>) => T) =>
    (value: unknown, { host }: NodeAnswer): T | undefined => {
      hosts.add(host);
      return value === null ? undefined : read(record(value));
    };
  const [mined, last, best] = await Promise.all([
    required(rest.get(`/transactions/${hash}/receipt`, orNone(receiptIn))),
    required(rest.get(`/transactions/${hash}?pending=true`, orNone(lastBlockIn))),
    readBest(node, hosts),
  ]);
  if (mined) return { ...mined.receipt, mined: minedIn(mined.block, best.number) };
  const final = last ?? (raw === undefined ? undefined : lastBlockOf(raw));
  // Another node may be behind the one whose block it is.
  if (hosts.size === 1 && final !== undefined && best.number - final >= confirmationsOn(node.network))
    return { state: 'failed', expired: true };
  return { state: last === undefined ? 'unknown' : 'pending' };
}

function receiptIn({ reverted, gasPayer, paid, meta, outputs }: Record<string, unknown>): {
  block: number;
  receipt: Receipt;
} {
  const { txOrigin, blockNumber } = record(meta);
  const fee = gasPayer === txOrigin ? quantity(paid) : 0n;
  const block = Number(count(blockNumber));
  if (reverted === true) return { block, receipt: { state: 'failed', fee } };
  const events = Array.isArray(outputs) ? outputs.flatMap((one) => record(one)['events']) : [];
  return { block, receipt: { state: 'confirmed', fee, arrivals: arrivals(events) } };
}

function lastBlockIn({ blockRef, expiration }: Record<string, unknown>): number {
  return lastBlock({ blockRef: bytes(blockRef), expiration: Number(count(expiration)) });
}

/**
 * What nodes answer to `POST /transactions`. Sources: thor `api/transactions`, `txpool/tx_pool.go`, `txpool/tx_object.go`, `runtime/resolved_tx.go`.
 */
export const REFUSALS: RefusalTable = [
  [/^tx rejected: known tx$/, 'known'],
  [/^tx rejected: expired$/, 'over'],
  [/^tx rejected: insufficient energy/, 'funds'],
  [/^bad tx: /, 'transaction'],
  [
    /^tx rejected: .*(exceeds block gas limit|block base fee|not supported|unsupported|reserved slot)/,
    'transaction',
  ],
  [/^tx rejected: .*(dep reverted|size too large)/, 'transaction'],
];
