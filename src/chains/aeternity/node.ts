/** What this chain asks its nodes. Quantities are validated here: a node is not trusted to return numbers. */
import type { NativeBalance } from '../answers.ts';
import type { Node, Receipt, Sender, Signed, TransactionState } from '../terms.ts';
import type { Network } from '../network.ts';
import { nativeBalance } from '../nodes/balances.ts';
import { broadcastTo, type RefusalTable } from '../nodes/broadcast.ts';
import { confirmationsOn, isNonceOvertaken, minedIn, stateOn } from '../nodes/confirmations.ts';
import { type HttpAnswer, NodeFailure } from '../nodes/http.ts';
import {
  couldNotAnswer,
  type NodeAnswer,
  parseExact,
  refusalsBy,
  Rest,
  RestError,
  restOf,
  type RestOptions,
} from '../nodes/rest.ts';
import { COIN } from './draft.ts';
import { MIN_GAS_PRICE } from './spend.ts';

type Json = Record<string, unknown>;

/** The official SDK's maximum, whatever a node says. */
const MAX_GAS_PRICE = MIN_GAS_PRICE * 100_000n;

export function nodeOf(network: Network, options: RestOptions = {}): Rest {
  const identity = {
    path: '/v3/status',
    read(answer: HttpAnswer) {
      const id = bodyOf(answer)['network_id'];
      return typeof id === 'string' && id !== '' ? id : undefined;
    },
  };
  return new Rest(network, { ...options, identity, refusal });
}

/** What a node may not have. */
const MISSING =
  /^(Account|Transaction|Tx|Block|Key block|Micro block|Generation|Name)\b.* (not (found|mined)|revoked)$/i;

/** A node refuses with a reason. `/mdw` is another program, which may not be there. */
function refusal(answer: HttpAnswer): string | undefined {
  const { reason } = bodyOf(answer);
  const isOwn = answer.status === 404 ? MISSING.test(String(reason)) : [400, 410].includes(answer.status);
  return isOwn && typeof reason === 'string' ? wordsOf(answer) : undefined;
}

export interface Account {
  balance: bigint;
  /** Of its last transaction in a block. */
  nonce: number;
  /** See `Facts.generalized`. */
  generalized: boolean;
}

/** An account that has received nothing yet is not found: it has nothing. */
export function readAccount(node: Node, address: string): Promise<Account> {
  return ask(
    node,
    `/v3/accounts/${address}`,
    (value) => {
      const { balance, nonce, kind } = value as Json;
      return { balance: uint(balance), nonce: safe(nonce), generalized: kind === 'generalized' };
    },
    whenGone({ balance: 0n, nonce: 0, generalized: false }),
  );
}

/** After the pending transactions in the node's pool. */
export function readNextNonce(node: Node, address: string): Promise<number> {
  const read = (value: unknown) => safe((value as Json)['next_nonce']);
  return ask(node, `/v3/accounts/${address}/next-nonce`, read, whenGone(1));
}

/** Aettos that the account's pending transactions will take, by nonce: of two with the same one the dearer counts. */
export function readWaiting(node: Node, address: string): Promise<Map<number, bigint>> {
  return ask(
    node,
    `/v3/accounts/${address}/transactions/pending`,
    (value) => {
      const costs = new Map<number, { fee: bigint; cost: bigint }>();
      for (const { tx } of list((value as Json)['transactions']) as { tx: Json }[]) {
        const nonce = safe(tx['nonce'] ?? 0);
        const fee = uint(tx['fee'] ?? 0);
        const cost = fee + uint(tx['type'] === 'SpendTx' ? tx['amount'] : 0);
        if (fee >= (costs.get(nonce)?.fee ?? 0n)) costs.set(nonce, { fee, cost });
      }
      return new Map([...costs].map(([nonce, { cost }]) => [nonce, cost]));
    },
    whenGone(new Map<number, bigint>()),
  );
}

export function readHeight(node: Node): Promise<number> {
  return ask(node, '/v3/key-blocks/current/height', heightIn);
}

function heightIn(value: unknown): number {
  return safe((value as Json)['height']);
}

/**
 * Aettos per gas: the minimum or, if the last minute's blocks were nearly full, a hundredth above what was
 * paid in them.
 */
export function readGasPrice(node: Node): Promise<bigint> {
  return ask(
    node,
    '/v3/recent-gas-prices',
    (value) => {
      const { min_gas_price, utilization } = (list(value)[0] ?? {}) as Json;
      if (uint(utilization) < 70n) return MIN_GAS_PRICE;
      const price = (uint(min_gas_price) * 101n) / 100n;
      return price < MIN_GAS_PRICE ? MIN_GAS_PRICE : price > MAX_GAS_PRICE ? MAX_GAS_PRICE : price;
    },
    whenGone(MIN_GAS_PRICE, 'Block unexpectedly not found'),
  );
}

export async function balance(address: string, node: Node): Promise<NativeBalance> {
  return nativeBalance('AETERNITY', COIN, (await readAccount(node, address)).balance);
}

/** Broadcasts, and explains a refusal. "Already known" is success. */
export function broadcast(signed: Signed, node: Node): Promise<string> {
  const { raw, hash } = signed;
  return broadcastTo(node, signed, {
    send: () =>
      restOf(node).send('/v3/transactions', { tx: raw }, (answer) => {
        const { tx_hash, reason } = bodyOf(answer);
        if (answer.status < 400 ? tx_hash === hash : wordsOf(answer) === 'already_accepted') return;
        if (answer.status < 400 || reason === undefined) throw new NodeFailure('did not answer the call');
        throw new RestError(answer, wordsOf(answer));
      }),
    read: refusalsBy(REFUSALS),
    isThere: async () => (await status(hash, node)) !== 'unknown',
    isExpired: async () => (await receipt(hash, node, raw)).expired === true,
    say: (words) => WORDS[words] ?? words,
  });
}

export async function status(hash: string, node: Node, raw?: string): Promise<TransactionState> {
  return stateOn(node.network, await receipt(hash, node, raw));
}

/**
 * A spend in a block has succeeded. One that the node does not have is unknown: it was dropped, replaced or
 * expired; after its expiry, by the same node, it can no longer get into a block.
 */
export async function receipt(hash: string, node: Node, raw?: string): Promise<Receipt> {
  const [found, now] = await Promise.all([
    ask<Receipt & { block?: number; missingAt?: string | undefined }>(
      node,
      `/v3/transactions/${hash}`,
      (value) => {
        const { block_hash, block_height, tx, hash: itsHash } = value as Json;
        if (itsHash !== undefined && itsHash !== hash) throw new TypeError('another transaction');
        if (block_hash === 'none' || Number(block_height) < 0) return { state: 'pending' };
        return { state: 'confirmed', block: safe(block_height), fee: uint((tx as Json)['fee']) };
      },
      (refusal) =>
        // 410: it was there, and the node has dropped it.
        refusal.status === 410
          ? { state: 'unknown' }
          : whenGone(
              { state: 'unknown', missingAt: refusal.host } as const,
              'Transaction not found',
            )(refusal),
    ),
    ask(node, '/v3/key-blocks/current/height', (value, { host }) => ({
      height: heightIn(value),
      host,
    })).catch(() => undefined),
  ]);
  const { block, missingAt, ...known } = found;
  if (block !== undefined) return { ...known, mined: minedIn(block, now?.height) };
  if (missingAt === undefined || raw === undefined || now?.host !== missingAt) return known;
  const ttl = (await import('./ttl.ts')).ttlOf(raw);
  const isOver = ttl !== 0 && now.height - ttl >= confirmationsOn(node.network);
  return isOver ? { state: 'failed', expired: true } : known;
}

export function isOvertaken(
  hash: string,
  { address, claims: { nonce } }: Sender,
  node: Node,
): Promise<boolean> {
  return isNonceOvertaken(restOf(node).each(), nonce, {
    head: readHeight,
    nextNonce: (one, height) =>
      ask(
        one,
        `/v3/accounts/${address}/height/${height}`,
        (value) => safe((value as Json)['nonce']) + 1,
        whenGone(1),
      ),
    receipt: (one) => receipt(hash, one),
  });
}

/** What the node's refusal stands for, of which it says that it does not have it. */
type WhenMissing<T> = (refusal: RestError) => T | undefined;

function whenGone<T>(value: T, reason = 'Account not found'): WhenMissing<T> {
  return ({ body }) => (bodyOf({ status: 404, text: body })['reason'] === reason ? value : undefined);
}

async function ask<T>(
  node: Node,
  path: string,
  read: (value: unknown, answer: NodeAnswer) => T,
  missing?: WhenMissing<T>,
): Promise<T> {
  try {
    return await restOf(node).get(path, read);
  } catch (error) {
    const fallback = error instanceof RestError ? missing?.(error) : undefined;
    if (fallback === undefined) throw couldNotAnswer(error);
    return fallback;
  }
}

/** `{}` if it is not a JSON object. */
function bodyOf({ text }: HttpAnswer): Json {
  try {
    return { ...(parseExact(text) as Json) };
  } catch {
    return {};
  }
}

/** The code of a refused transaction; without one, the reason. */
function wordsOf(answer: HttpAnswer): string {
  const { error_code, reason } = bodyOf(answer);
  return String(error_code ?? reason ?? answer.text);
}

function list(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw new TypeError('not a list');
}

/** Large numbers come as text: see `parseExact`. */
function uint(value: unknown): bigint {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return BigInt(value as number);
  if (typeof value === 'string' && /^\d{1,78}$/.test(value)) return BigInt(value);
  throw new TypeError('not a number');
}

function safe(value: unknown): number {
  const number = Number(uint(value));
  if (Number.isSafeInteger(number)) return number;
  throw new TypeError('not a number');
}

/**
 * What nodes answer to `POST /v3/transactions`, by `error_code` or else by `reason`. Sources: aeternity `aehttp_dispatch_ext.erl`,
 * `aec_tx_pool.erl`, `aetx.erl`.
 */
export const REFUSALS: RefusalTable = [
  [/^already_accepted$/, 'known'],
  // Also of what the pool has dropped.
  [/^already_known$/, 'seen'],
  [/^(nonce_too_low|ttl_expired)$/, 'over'],
  // Of the chain; `too_low_gas_price_for_miner` is the node's own.
  [/^(too_low_fee|too_low_gas_price)$/, 'transaction'],
  [/^(account_is_not_payable|could_not_resolve_recipient|signature_check_failed|broken_tx)$/, 'transaction'],
  [/^(generalized_account_cant_sign_non_meta_tx|invalid_encoding|Invalid api encoding)$/, 'transaction'],
];

/** Refusals that a user can do something about. */
export const WORDS: Readonly<Record<string, string>> = {
  already_known: 'it was sent before, and dropped',
  nonce_too_low: 'its nonce was used by another one',
  nonce_too_high: 'too many of the wallet’s transactions wait before it',
  too_low_gas_price_for_miner: 'the fee is too low',
  too_low_fee: 'the fee is too low',
  ttl_expired: 'it was sent too late; make a new one',
  account_is_not_payable: 'the recipient takes no coins',
};
