/**
 * What these chains ask their nodes: the HTTP API of Esplora (https://github.com/Blockstream/esplora/blob/master/API.md). Answers are
 * checked here: a node is not trusted.
 */
import { parseUnits } from '../../base/amount.ts';
import { ConnectError } from '../../base/errors.ts';
import type { NativeBalance } from '../answers.ts';
import type { Node, NodeOptions, Receipt, Signed } from '../terms.ts';
import type { Network } from '../network.ts';
import { nativeBalance } from '../nodes/balances.ts';
import { broadcastTo, refusalOf, type RefusalTable } from '../nodes/broadcast.ts';
import { minedIn } from '../nodes/confirmations.ts';
import { type HttpAnswer, NodeFailure } from '../nodes/http.ts';
import { couldNotAnswer, refusalsBy, Rest, RestError, restOf } from '../nodes/rest.ts';
import type { Utxo } from './draft.ts';
import { MIN_RATE } from './payload.ts';
import type { UtxoProfile } from './profile.ts';
import { type Previous, readPrevious } from './read-transaction.ts';

/** Satoshi per 1000 vB: the rate if the node has no estimate, and the maximum estimate believed. */
const USUAL_RATE = 10_000n;
const HIGHEST_ESTIMATE = 2_000_000n;
/** Blocks in which a payment should be confirmed; a node may know only some of these. */
const TARGETS = ['3', '4', '5', '6', '2', '1', '10', '25'];

/** Maximum supply, of the chain that has more. */
const MAX = 84_000_000n * 10n ** 8n;

const HASH = /^[0-9a-f]{64}$/;

export interface FoundUtxo extends Utxo {
  confirmed: boolean;
}

export function nodeOf(network: Network, options: NodeOptions = {}): Rest {
  return new Rest(network, {
    ...options,
    identity: {
      path: '/block-height/0',
      read: ({ status, text }) => (status === 200 && HASH.test(text.trim()) ? text.trim() : undefined),
    },
    refusal: ({ status, text }) => ([400, 404].includes(status) && REFUSED.test(text) ? text : undefined),
  });
}

const NO_TRANSACTION = 'Transaction not found';

/** What Esplora's servers refuse with (electrs `src/rest.rs`), in a line of text. */
const REFUSED =
  /^(((Transaction|Block|Merkle \w+) not found|endpoint does not exist|Too many|Invalid|Address on|start index|fee)\b[^<{\n]*\n?$|sendrawtransaction RPC error: )/;

/** Unspent outputs of an address; `script` is the address's own, not what the node says. */
export function readUtxos(node: Node, address: string, script: string): Promise<FoundUtxo[]> {
  return required(
    restOf(node).get(`/address/${address}/utxo`, (answer) => {
      const coins = new Map<string, FoundUtxo>();
      for (const item of answer as Record<string, unknown>[]) {
        const { txid, vout, status } = item;
        if (
          !HASH.test(String(txid)) ||
          !Number.isInteger(vout) ||
          Number(vout) < 0 ||
          Number(vout) > 0xffffffff
        )
          throw new Error('not an outpoint');
        const confirmed = (status as { confirmed?: unknown } | undefined)?.confirmed === true;
        const coin = {
          txid: String(txid),
          vout: Number(vout),
          value: satoshi(item['value']),
          script,
          confirmed,
        };
        if (coin.value > MAX) throw new Error('more than there is');
        coins.set(`${coin.txid}:${coin.vout}`, coin);
      }
      return [...coins.values()];
    }),
  );
}

/** Satoshi per 1000 vB, for about three blocks. */
export async function readRate(node: Node): Promise<bigint> {
  let estimates: Record<string, unknown>;
  try {
    estimates = await restOf(node).get('/fee-estimates', estimatesIn);
  } catch (error) {
    if (error instanceof RestError) return USUAL_RATE;
    throw error;
  }
  const estimate = TARGETS.map((target) => estimates[target]).find(
    (rate) => typeof rate === 'number' && rate > 0,
  );
  if (estimate === undefined) return USUAL_RATE;
  const rate = BigInt(Math.ceil(Math.min(Number(estimate), 1e9) * 1000));
  if (rate < MIN_RATE) return MIN_RATE;
  return rate > HIGHEST_ESTIMATE ? HIGHEST_ESTIMATE : rate;
}

/** By target; a node that knows none answers `{}`. */
function estimatesIn(answer: unknown): Record<string, unknown> {
  const estimates = record(answer);
  if (Object.keys(estimates).every((target) => /^\d+$/.test(target))) return estimates;
  throw new Error('not estimates');
}

/** Verified transactions, by id. They never change. */
const previous = new WeakMap<Rest, Map<string, Promise<Previous>>>();

/** The transaction that created a coin, checked against its id. */
export function readTransaction(node: Node, txid: string): Promise<Previous> {
  const rest = restOf(node);
  const byId = previous.get(rest) ?? new Map<string, Promise<Previous>>();
  previous.set(rest, byId);
  let transaction = byId.get(txid);
  if (!transaction) {
    transaction = required(rest.getText(`/tx/${txid}/hex`, (text) => readPrevious(text.trim(), txid)));
    transaction.catch(() => byId.delete(txid));
    byId.set(txid, transaction);
  }
  return transaction;
}

/**
 * Throws unless each coin has the reported value in the transaction that created it. One round trip for all of them.
 *
 * A P2PKH signature does not commit to the value. A P2WPKH signature commits to that of its own input only, so that a node that lies
 * about one coin now and another in a second try could put two signatures together and burn the difference as a fee.
 */
export async function verify(node: Node, coins: readonly Utxo[]): Promise<void> {
  if (await findWrong(node, coins))
    throw new ConnectError(
      'node.unreachable',
      'The node reported a wrong amount for one of this wallet’s coins. Nothing was signed.',
      { reason: 'answer', host: node.host },
    );
}

/** The first coin whose value or script is not that in the transaction that created it. */
export async function findWrong(node: Node, coins: readonly Utxo[]): Promise<Utxo | undefined> {
  const created = await Promise.all(
    coins.map(async ({ txid, vout }) => (await readTransaction(node, txid)).outputs[vout]),
  );
  return coins.find(({ value, script }, i) => created[i]?.value !== value || created[i]?.script !== script);
}

/** What the transaction costs, and whether it is in a block. Undefined for one that the node does not have. */
export async function readReceipt(hash: string, node: Node): Promise<Receipt> {
  try {
    const [found, head] = await Promise.all([
      // `/tx/:txid/status` reports an unknown one as pending.
      restOf(node).get(`/tx/${hash}`, (answer) => {
        const { status, fee } = record(answer);
        const { confirmed, block_height } = record(status);
        if (typeof confirmed !== 'boolean') throw new Error('not a transaction');
        return { block: confirmed ? Number(satoshi(block_height)) : undefined, fee: feeOf(fee) };
      }),
      readHeight(node).catch(() => undefined),
    ]);
    const { block, fee } = found;
    if (block === undefined) return { state: 'pending', fee };
    return { state: 'confirmed', mined: minedIn(block, head), fee };
  } catch (error) {
    // Replaced, dropped, or not seen yet: a node does not distinguish.
    if (error instanceof RestError && error.message === NO_TRANSACTION) return { state: 'unknown' };
    throw couldNotAnswer(error);
  }
}

export function readHeight(node: Node): Promise<number> {
  return required(restOf(node).get('/blocks/tip/height', (answer) => Number(satoshi(answer))));
}

/** Confirmed coins, and what pending transactions add and take. */
export async function balance(params: UtxoProfile, address: string, node: Node): Promise<NativeBalance> {
  const { coin, secretType } = params;
  const raw = await required(
    restOf(node).get(`/address/${address}`, (answer) => {
      const { chain_stats, mempool_stats } = answer as Record<string, Record<string, unknown>>;
      const left = (stats: Record<string, unknown> | undefined) =>
        satoshi(stats?.['funded_txo_sum']) - satoshi(stats?.['spent_txo_sum']);
      const total = left(chain_stats) + left(mempool_stats);
      return total > 0n ? total : 0n;
    }),
  );
  return nativeBalance(secretType, coin, raw);
}

/** Broadcasts, and explains a refusal. "Already known" is success. */
export function broadcast(signed: Signed, node: Node): Promise<string> {
  const { raw, hash } = signed;
  return broadcastTo(node, signed, {
    send: () =>
      restOf(node).send('/tx', raw.slice(2), (answer) => {
        const words = refusal(answer);
        if (words !== undefined && refusalOf(REFUSALS, words).means !== 'known')
          throw new RestError(answer, words);
        if (words === undefined && !answer.text.includes(hash))
          throw new NodeFailure('did not answer with the transaction');
      }),
    read: refusalsBy(REFUSALS),
    // Sent again after being mined, a transaction is refused for its spent inputs.
    isThere: async () => (await readReceipt(hash, node)).state !== 'unknown',
    // What most Litecoin nodes say to every replacement: Litecoin Core has them turned off (`-mempoolreplacement`).
    say: (words) =>
      /mempool-conflict/.test(words)
        ? 'an earlier one spends the same coins, and the network takes no replacement for it'
        : words,
  });
}

/** `sendrawtransaction RPC error: {"code":-26,"message":"dust"}` in the node's own words; undefined for an accepted transaction. */
function refusal({ status, text }: HttpAnswer): string | undefined {
  if (status < 400) return undefined;
  const [, json] = /RPC error: (\{.*\})\s*$/s.exec(text) ?? [];
  try {
    const { code, message } = JSON.parse(json ?? '') as { code?: unknown; message?: unknown };
    return String(message ?? `error ${String(code)}`);
  } catch {
    return text;
  }
}

/** For required reads: the node's refusal is the error. */
export function required<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    throw couldNotAnswer(error);
  });
}

export function record(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw new Error('not an object');
}

/** A whole number of satoshi: a JSON number, or digits where it was too long for one. */
export function satoshi(value: unknown): bigint {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new Error('not exact');
  return parseUnits(value, 0);
}

function feeOf(value: unknown): bigint | undefined {
  try {
    return satoshi(value);
  } catch {
    return undefined;
  }
}

/**
 * What nodes answer to `sendrawtransaction`. Sources: Bitcoin Core and Litecoin Core `src/validation.cpp`, `src/policy/policy.cpp`,
 * `src/policy/rbf.cpp`, `src/node/transaction.cpp`; btcd `mempool/mempool.go`, `mempool/policy.go`, `blockchain/scriptval.go`.
 */
export const REFUSALS: RefusalTable = [
  [/already[ -](in|known|have|exists)|outputs already|same-nonwitness-data-in-mempool/i, 'known'],
  [/missing ?or ?spent|orphan transaction/i, 'over'],
  // Of a second transaction that spends the same coins; btcd: `output … already spent by transaction … in the memory pool`.
  [/mempool-conflict|already spent by|rejecting replacement|replacement transaction/i, 'transaction'],
  [
    /script-verify-flag|^bad-(txns|witness)|^(scriptpubkey|scriptsig-|tx-size|version|multi-op-return)/i,
    'transaction',
  ],
  [/failed to (validate|parse) input|\bdust\b|TX decode failed|not standard|nonstandard/i, 'transaction'],
];
