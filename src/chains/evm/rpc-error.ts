/** Errors that nodes answer, and whether they are the chain's word or that of a node, a provider or a proxy. */
import type { RefusalTable } from '../nodes/broadcast.ts';

/**
 * - `call`: of the call itself: the EVM's word, or what is wrong with the request. Every node says the same.
 * - `unsupported`: the node has no such method.
 * - `limit`: the provider answers nothing more for a while.
 * - `batch`: the node takes no batches, or no such large ones.
 * - `node`: what keeps this node from answering, or what nobody knows.
 */
export type ErrorReading = 'call' | 'unsupported' | 'limit' | 'batch' | 'node';

/**
 * JSON-RPC 2.0 and EIP-1474; geth `rpc/errors.go`, `internal/ethapi/errors.go`. Invalid parameters (-32602), and what `eth_simulateV1`
 * says of a transaction (-38010 to -38026).
 */
const isOfCall = (code: number): boolean => code === -32602 || (code <= -38010 && code >= -38026);

/**
 * Alchemy 429; QuickNode -32007 (per second), -32012 (credits); Arc -32011; dRPC 15; Infura and EIP-1474 -32005; Base -32016; Ankr -32090;
 * geth -32002 (time is up).
 */
const LIMITS = [429, -32007, -32012, -32011, 15, -32005, -32016, -32090, -32002];

/** dRPC and 1RPC. */
const BATCH = 31;

/** Rows of words, of which the first that matches counts; a code that is not the node's own alone says less. */
const WORDS: readonly (readonly [says: RegExp, reading: ErrorReading])[] = [
  // What a contract says may contain any of the words below.
  [/\brevert/i, 'call'],
  // Of logs: a shorter range is answered.
  [
    /query returned more than|(block|log) ?range|range (is )?too|(response|result) size|results? .*exceed/i,
    'call',
  ],
  [/rate.?limit|too many requests|request (count|limit|rate)|frequency limit|allowed_rps|throttl/i, 'limit'],
  [/\b(daily|monthly|quota)\b|exceeded (its|your|the) .*(limit|capacity|plan)/i, 'limit'],
  [/(credits?|usage|capacity|throughput|compute units?) (per|limit|exceeded|reached)/i, 'limit'],
];

const MORE_WORDS: readonly (readonly [says: RegExp, reading: ErrorReading])[] = [
  [/\bbatch|response too large/i, 'batch'],
  [
    /\b(method|eth_\w+)\b.*not (found|exist|available|supported|implemented|allowed)|unsupported method/i,
    'unsupported',
  ],
  [/VM (exception|execution)|\bevm( error)?:|out of ?gas|(invalid|bad) (opcode|jump|instruction)/i, 'call'],
  [/evm error|stack ?(und|ov)erflow|return data|must not begin with 0xef/i, 'call'],
  [/insufficient (funds|balance)|OutOfFunds|intrinsic ?gas|always failing|write protection/i, 'call'],
  [
    /exceeds (allowance|block gas)|gas (limit|required|uint64)|\bnonce\b|base ?fee|fee ?cap|max ?fee/i,
    'call',
  ],
  [/priority fee|underpriced|already known|init ?code|code size|not an eoa|chain ?id/i, 'call'],
];

function byWords(table: typeof WORDS, message: string): ErrorReading | undefined {
  return table.find(([says]) => says.test(message))?.[1];
}

/** The node's answer is an error. `message` is in its own words, cut to a sensible length. */
export class RpcError extends Error {
  override name = 'RpcError';
  readonly code: number;
  /** Revert bytes, where the node gives them. */
  readonly data: string | undefined;
  /** `retryAfter`: see `HttpAnswer`. */
  constructor(
    error: object,
    readonly retryAfter?: number,
  ) {
    const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
    super(typeof message === 'string' ? message.slice(0, 500) : 'unknown error');
    this.code = Number(code) || 0;
    this.data = typeof data === 'string' && /^0x([0-9a-f]{2})*$/i.test(data) ? data : undefined;
  }

  get reading(): ErrorReading {
    const { code, message, data } = this;
    if (code === 3 || (data !== undefined && data !== '0x')) return 'call';
    const said = byWords(WORDS, message);
    if (said) return said;
    if (LIMITS.includes(code)) return 'limit';
    if (code === BATCH) return 'batch';
    if (code === -32601) return 'unsupported';
    if (isOfCall(code)) return 'call';
    return byWords(MORE_WORDS, message) ?? 'node';
  }

  /** Whether another node would answer the call in the same way, as far as this one tells. */
  get isAnswer(): boolean {
    return this.reading === 'call' || this.reading === 'unsupported';
  }
}

/** The node's own error, also where no node gave an answer that counts. */
export function rpcErrorIn(error: unknown): RpcError | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof RpcError) return at;
  return undefined;
}

/**
 * What nodes answer to `eth_sendRawTransaction`. Sources: go-ethereum `core/error.go`, `core/txpool/errors.go`, `core/txpool/validation.go`;
 * Erigon `txnprovider/txpool/txpoolcfg/txpoolcfg.go`; Nethermind `AcceptTxResult.cs`; anvil `crates/anvil/src/eth/error.rs`; GoChain
 * `core/tx_pool.go`.
 */
export const REFUSALS: RefusalTable = [
  // GoChain: `known tx: 0x…`. Erigon: `INTERNAL_ERROR: existing tx with same hash`. A node may also not know its type.
  [/already[ _]?(known|imported|exists)|\bknown (transaction|tx)\b|existing txn? with same hash/i, 'known'],
  [/nonce (too|is) low|nonce.*already used|OldNonce/i, 'over'],
  [/insufficient (funds|balance)/i, 'funds'],
  // Of a second transaction with the same nonce.
  [/replacement transaction underpriced|could not replace existing tx|ReplacementNotAllowed/i, 'transaction'],
  // Rules of the chain.
  [/less than block base fee|max ?priority ?fee ?per ?gas.*(higher|than)/i, 'transaction'],
  [/intrinsic ?gas|floor data gas|(exceeds|over) block gas limit|gas limit (is )?too high/i, 'transaction'],
  [/gas limit reached|gas uint64 overflow/i, 'transaction'],
  [
    /transaction type not supported|(unknown|unsupported) (transaction|tx) ?type|not activated yet/i,
    'transaction',
  ],
  [/chain ?id|replay-protected|invalid (sender|signature)|sender not an eoa/i, 'transaction'],
  [/oversized data|max initcode size|negative value|^rlp: |typed transaction too short/i, 'transaction'],
];
