/** Broadcasting, and the outcome. */
import type { Arrival, Node, Receipt, Signed, TransactionState } from '../terms.ts';
import { arrivals } from '../contracts/arrivals.ts';
import { broadcastTo, refusalOf, type RefusalTable } from '../nodes/broadcast.ts';
import { minedIn, stateOn } from '../nodes/confirmations.ts';
import { type HttpAnswer, NodeFailure } from '../nodes/http.ts';
import { parseExact, RestError, restOf } from '../nodes/rest.ts';
import { fromEvm } from './address.ts';
import { expirationOf } from './envelope.ts';
import { decodeWords, list, quantity, readHead, readTransaction, record, refusal } from './node.ts';

/** Milliseconds of blocks after the expiration until it is final: nodes may be some blocks apart. */
const MARGIN = 60_000;

/** `message`: `TAPOS_ERROR Tapos check error.`, as the table of refusals has it. */
class CodedRefusal extends RestError {
  constructor(
    answer: HttpAnswer,
    code: string,
    readonly words: string,
  ) {
    super(answer, `${code} ${words}`);
  }
}

/** Broadcasts, and explains a refusal. "Already known" is success. */
export function broadcast(signed: Signed, node: Node): Promise<string> {
  return broadcastTo(node, signed, {
    send: () =>
      restOf(node).send('/wallet/broadcasthex', { transaction: signed.raw.slice(2) }, (answer) =>
        accept(answer, signed.hash),
      ),
    read(error) {
      if (!(error instanceof RestError)) return undefined;
      const isCoded = error instanceof CodedRefusal;
      const { means } = refusalOf(REFUSALS, isCoded ? error.message : error.body);
      return { means, words: isCoded ? error.words : error.message };
    },
    // A node also remembers the ids of what it refused, and checks the lifetime first, then, two days later, the block that the transaction
    // builds on: only the chain and the pool are reliable.
    isThere: async () => (await status(signed.hash, node)) !== 'unknown',
    isExpired: async () => (await receipt(signed.hash, node, signed.raw)).expired === true,
  });
}

function accept(answer: HttpAnswer, hash: string): void {
  const words = refusal(answer);
  if (words !== undefined) throw new RestError(answer, words);
  let body: Record<string, unknown>;
  try {
    body = record(parseExact(answer.text));
  } catch {
    throw new NodeFailure('answered something that is not JSON');
  }
  const { result, code, txid } = body;
  if (result === true && (txid === undefined || txid === hash)) return;
  if (typeof code !== 'string') throw new NodeFailure('did not answer the call');
  throw new CodedRefusal(answer, code, decodeWords(body['message']) || code);
}

export async function status(hash: string, node: Node, raw?: string): Promise<TransactionState> {
  return stateOn(node.network, await receipt(hash, node, raw));
}

/** One round trip. With the wire bytes, a transaction that is in no block when it expires counts as failed. */
export async function receipt(hash: string, node: Node, raw?: string): Promise<Receipt> {
  const hosts = new Set<string>();
  const [info, mined, pooled, head] = await Promise.all([
    readTransaction(node, 'gettransactioninfobyid', hash, hosts),
    readTransaction(node, 'gettransactionbyid', hash, hosts),
    // Not every node shows pending transactions: then it is unknown.
    readTransaction(node, 'gettransactionfrompending', hash).catch((): Record<string, unknown> => ({})),
    readHead(node, hosts).catch(() => undefined),
  ]);
  if (info['id'] === hash) {
    const result = record(info['receipt'] ?? {})['result'] ?? 'SUCCESS';
    const failed = info['result'] === 'FAILED' || result !== 'SUCCESS';
    const mined = minedIn(Number(quantity(info['blockNumber'])), head?.number);
    const fee = quantity(info['fee']);
    if (failed) return { state: 'failed', mined, fee };
    return { state: 'confirmed', mined, fee, arrivals: arrivalsIn(info['log']) };
  }
  if (mined['txID'] === hash || pooled['txID'] === hash) return { state: 'pending' };
  const expiration = raw === undefined ? undefined : expirationOf(raw);
  // Another node may be behind the one whose head it is.
  if (hosts.size === 1 && head && expiration !== undefined && head.time > expiration + MARGIN)
    return { state: 'failed', expired: true };
  return { state: 'unknown' };
}

/** Of a node's logs, which have 20 bytes for an address and no `0x`. */
function arrivalsIn(logs: unknown): Arrival[] {
  const own = list(logs).map(({ address, topics, data }) => ({
    address: `0x${String(address)}`,
    topics: Array.isArray(topics) && topics.map((topic) => `0x${String(topic)}`),
    data: `0x${String(data)}`,
  }));
  return arrivals(own).flatMap(({ token, from, to, raw }) =>
    /^0x[0-9a-f]{40}$/.test(token)
      ? [{ token: fromEvm(token), from: fromEvm(from), to: fromEvm(to), raw }]
      : [],
  );
}

/**
 * What nodes answer to `/wallet/broadcasthex`, as code and words, or to bytes that they cannot read, the exception. Sources:
 * java-tron `api.proto` (`Return.response_code`), `Wallet.broadcastTransaction`, and the actuators' `validate`.
 */
export const REFUSALS: RefusalTable = [
  [/^DUP_TRANSACTION_ERROR /, 'seen'],
  [/^(TRANSACTION_EXPIRATION_ERROR|TAPOS_ERROR) /, 'over'],
  [/^BANDWITH_ERROR |is not sufficient|insufficient fee/i, 'funds'],
  [/^(SIGERROR|CONTRACT_VALIDATE_ERROR|CONTRACT_EXE_ERROR|TOO_BIG_TRANSACTION_ERROR) /, 'transaction'],
  [/InvalidProtocolBufferException|DecoderException/, 'transaction'],
];
