/** Broadcasting, and the outcome. */
import { ConnectError } from '../../errors.ts';
import type { Node, Receipt, Signed, TransactionState } from '../chain.ts';
import { type HttpAnswer, NodeFailure } from '../nodes/http.ts';
import { parseExact, RestError, restOf } from '../rest/rest.ts';
import { expirationOf } from './envelope.ts';
import { check, decodeWords, quantity, readHead, readTransaction, record } from './node.ts';

/** This node cannot take it now; another may. */
const BUSY = ['SERVER_BUSY', 'NO_CONNECTION', 'NOT_ENOUGH_EFFECTIVE_CONNECTION', 'BLOCK_UNSOLIDIFIED'];

/** Milliseconds of blocks after the expiration until it is final: nodes may be some blocks apart. */
const MARGIN = 60_000;

class Refusal extends RestError {
  constructor(
    answer: HttpAnswer,
    readonly code: string,
    words: string,
  ) {
    super(answer, words || code);
  }
}

/** Broadcasts, and explains a refusal. "Already known" is success. */
export async function broadcast(signed: Signed, node: Node): Promise<string> {
  const rest = restOf(node);
  try {
    await rest.send('/wallet/broadcasthex', { transaction: signed.raw.slice(2) }, accept);
    return signed.hash;
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    const code = error instanceof Refusal ? error.code : '';
    const reason = error.message;
    // A node also remembers the ids of what it refused, and checks the lifetime first, then, two days later, the block that the transaction
    // builds on: only the chain and the pool are reliable.
    if (/^DUP_|EXPIRATION|TAPOS/.test(code) && (await status(signed.hash, node)) !== 'unknown')
      return signed.hash;
    if (code === 'DUP_TRANSACTION_ERROR')
      throw new ConnectError(
        'node.unreachable',
        'The node was given this transaction before and does not say what became of it.',
        { reason, host: rest.host },
        { cause: error },
      );
    if (code === 'BANDWITH_ERROR' || /is not sufficient|insufficient fee/i.test(reason))
      throw new ConnectError(
        'transaction.insufficient-funds',
        'The wallet does not hold enough for the amount and the fee.',
        { reason, host: rest.host },
        { cause: error },
      );
    throw new ConnectError(
      'transaction.refused',
      `The network refused the transaction: ${reason.replace(/\.$/, '')}.`,
      { reason, host: rest.host },
      { cause: error },
    );
  }
}

function accept(answer: HttpAnswer): void {
  check(answer);
  let body: Record<string, unknown>;
  try {
    body = record(parseExact(answer.text));
  } catch {
    throw new NodeFailure('answered something that is not JSON');
  }
  if (body['result'] === true) return;
  const code = String(body['code'] ?? '');
  if (BUSY.includes(code)) throw new NodeFailure(`answered ${code}`);
  throw new Refusal(answer, code, decodeWords(body['message']));
}

export async function status(hash: string, node: Node, raw?: string): Promise<TransactionState> {
  return (await receipt(hash, node, raw)).state;
}

/** One round trip. With the wire bytes, a transaction that is in no block when it expires counts as failed. */
export async function receipt(hash: string, node: Node, raw?: string): Promise<Receipt> {
  const [info, mined, pooled, head] = await Promise.all([
    readTransaction(node, 'gettransactioninfobyid', hash),
    readTransaction(node, 'gettransactionbyid', hash),
    // Not every node shows pending transactions: then it is unknown.
    readTransaction(node, 'gettransactionfrompending', hash).catch((): Record<string, unknown> => ({})),
    raw === undefined ? undefined : readHead(node),
  ]);
  if (info['id'] === hash) {
    const result = record(info['receipt'] ?? {})['result'] ?? 'SUCCESS';
    const failed = info['result'] === 'FAILED' || result !== 'SUCCESS';
    return { state: failed ? 'failed' : 'confirmed', fee: quantity(info['fee']) };
  }
  if (mined['txID'] === hash || pooled['txID'] === hash) return { state: 'pending' };
  const expiration = raw === undefined ? undefined : expirationOf(raw);
  if (head && expiration !== undefined && head.time > expiration + MARGIN)
    return { state: 'failed', expired: true };
  return { state: 'unknown' };
}
