/** What this chain asks its nodes. Quantities are validated here: a node is not trusted to return numbers. */
import { ConnectError } from '../../base/errors.ts';
import type { Node, Receipt, Sender, Signed, TransactionState } from '../terms.ts';
import { broadcastTo, type Refusal, refusalOf } from '../nodes/broadcast.ts';
import { isNonceOvertaken, minedIn, stateOn } from '../nodes/confirmations.ts';
import { nonsense } from '../nodes/http.ts';
import { rpcOf } from './json-rpc.ts';
import { REFUSALS, RpcError } from './rpc-error.ts';
import { arrivals } from '../contracts/arrivals.ts';
import { listedToken } from '../contracts/listed-token.ts';
import type { Token } from '../network.ts';
import { invalid } from '../requests/payloads.ts';
import { coinOf } from '../secret-type.ts';
import { balanceOf, DECIMALS, NAME, SYMBOL } from '../contracts/token-calls.ts';
import { readLabel, unlistedLabel } from '../contracts/token-facts.ts';
import { checksum } from '../contracts/evm-address.ts';

/** A JSON-RPC quantity: `0x1f4`. */
export function quantity(value: unknown): bigint {
  if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)) return BigInt(value);
  throw nonsense('a number');
}

export function bytes(value: unknown): string {
  if (typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value)) return value.toLowerCase();
  throw nonsense('bytes');
}

/** The answer, or undefined if the node returns an error or nonsense. Still rejects if no node answers. */
export async function tolerant<T>(
  answer: Promise<unknown>,
  read: (value: unknown) => T | Promise<T>,
): Promise<T | undefined> {
  let value: unknown;
  try {
    value = await answer;
  } catch (error) {
    if (error instanceof RpcError) return undefined;
    throw error;
  }
  try {
    return await read(value);
  } catch {
    return undefined;
  }
}

/** For required reads: the node's refusal is the error. */
export function required<T>(answer: Promise<unknown>, read: (value: unknown) => T): Promise<T> {
  return answer.then(read).catch((error: unknown) => {
    if (!(error instanceof RpcError)) throw error;
    throw new ConnectError(
      'node.unreachable',
      `The node could not answer: ${error.message}`,
      { reason: error.message },
      { cause: error },
    );
  });
}

export function readNonceOf(node: Node, address: string, at: 'latest' | 'pending'): Promise<number> {
  return required(rpcOf(node).call('eth_getTransactionCount', address, at), (value) => {
    const nonce = quantity(value);
    // Nobody has ever sent 2^53 transactions.
    if (nonce >= 2n ** 53n) throw nonsense('a nonce');
    return Number(nonce);
  });
}

export function readBalance(node: Node, address: string): Promise<bigint> {
  return required(rpcOf(node).call('eth_getBalance', address, 'latest'), quantity);
}

export function readCode(node: Node, address: string): Promise<string> {
  return required(rpcOf(node).call('eth_getCode', address, 'latest'), bytes);
}

/** `balanceOf(address)` (ERC-20). Undefined where the contract does not answer one; rejects if the node answers nonsense. */
export async function readTokenBalance(
  node: Node,
  token: string,
  owner: string,
): Promise<bigint | undefined> {
  const answer = await tolerant(ethCall(node, token, balanceOf(owner)), (value) => ({ value }));
  return answer && uint(answer.value);
}

/** The one uint256 that a call answers. Undefined where it answers none. */
export function readWord(node: Node, contract: string, data: string): Promise<bigint | undefined> {
  return tolerant(ethCall(node, contract, data), uint);
}

/** `decimals()` as the contract reports it: to scale a value the user sees, never to hide digits. */
export function readDecimals(node: Node, token: string): Promise<number | undefined> {
  return tolerant(ethCall(node, token, DECIMALS), (value) => {
    const decimals = uint(value);
    return decimals !== undefined && decimals <= 255n ? Number(decimals) : undefined;
  });
}

/** `symbol()`, see `readLabel`. */
export function readSymbol(node: Node, token: string): Promise<string | undefined> {
  return tolerant(ethCall(node, token, SYMBOL), label);
}

function readName(node: Node, token: string): Promise<string | undefined> {
  return tolerant(ethCall(node, token, NAME), label);
}

/** A token by the operator's list, else by what its contract says. Throws `request.invalid` where there is none. */
export async function tokenAt(address: string, node: Node): Promise<Token> {
  const listed = listedToken(node.network.tokens, address);
  if (listed) return listed;
  const [decimals, symbol, name] = await Promise.all([
    readDecimals(node, address),
    readSymbol(node, address),
    readName(node, address),
  ]);
  if (decimals === undefined) throw invalid('tokenAddress', 'is not a token contract on this network');
  const label = unlistedLabel(symbol, checksum(address), [
    coinOf(node.network),
    ...node.network.tokens,
  ]).symbol;
  return { address: checksum(address), symbol: label, name: name ?? '', decimals, logo: '' };
}

/** Broadcasts, and explains a refusal. "Already known" is success. */
export function broadcast(signed: Signed, node: Node): Promise<string> {
  const rpc = rpcOf(node);
  const read = (error: unknown): Refusal | undefined => {
    if (!(error instanceof RpcError)) return undefined;
    return error.reading === 'limit'
      ? { words: error.message, means: 'node' }
      : refusalOf(REFUSALS, error.message);
  };
  return broadcastTo(node, signed, {
    send: () => rpc.send('eth_sendRawTransaction', [signed.raw], (error) => read(error)?.means === 'known'),
    read,
    // Sent again after being mined, a transaction is refused for its nonce.
    isThere: async () =>
      !!(await tolerant(rpc.call('eth_getTransactionByHash', signed.hash), (value) => value)),
  });
}

export async function status(hash: string, node: Node): Promise<TransactionState> {
  return stateOn(node.network, await receipt(hash, node));
}

export async function receipt(hash: string, node: Node): Promise<Receipt> {
  const rpc = rpcOf(node);
  const read = (method: string): Promise<Record<string, unknown> | null> =>
    required(rpc.call(method, hash), (value) => {
      if (typeof value !== 'object' || Array.isArray(value)) throw nonsense('a transaction');
      return value as Record<string, unknown> | null;
    });
  const [mined, transaction, head] = await Promise.all([
    read('eth_getTransactionReceipt'),
    read('eth_getTransactionByHash'),
    tolerant(rpc.call('eth_blockNumber'), (value) => Number(quantity(value))),
  ]);
  if (!mined) return { state: transaction ? 'pending' : 'unknown' };
  // Before EIP-1559 a receipt has no price: it is the transaction's.
  const fee = feePaid({ effectiveGasPrice: transaction?.['gasPrice'], ...mined });
  const at = { mined: minedIn(Number(quantity(mined['blockNumber'])), head), fee };
  if (mined['status'] === '0x0') return { state: 'failed', ...at };
  return { state: 'confirmed', ...at, arrivals: arrivals(mined['logs']) };
}

export function isOvertaken(
  hash: string,
  { address, claims: { nonce } }: Sender,
  node: Node,
): Promise<boolean> {
  return isNonceOvertaken(rpcOf(node).each(), nonce, {
    head: (one) => required(one.call('eth_blockNumber'), (value) => Number(quantity(value))),
    nextNonce: (one, block) =>
      required(one.call('eth_getTransactionCount', address, `0x${block.toString(16)}`), (value) =>
        Number(quantity(value)),
      ),
    receipt: (one) => receipt(hash, one),
  });
}

/** Layer-2 networks (OP Mainnet, Base) add a fee for publishing on Ethereum (`l1Fee`). */
function feePaid({ gasUsed, effectiveGasPrice, l1Fee }: Record<string, unknown>): bigint | undefined {
  try {
    return quantity(gasUsed) * quantity(effectiveGasPrice) + quantity(l1Fee ?? '0x0');
  } catch {
    return undefined;
  }
}

/** An answer of `eth_call` that is a revert's bytes, as GoChain gives it: 4 bytes and whole words, where values are whole words alone. */
export function isRevert(answer: string): boolean {
  return answer.length % 64 === 10;
}

function ethCall(node: Node, to: string, data: string): Promise<unknown> {
  return rpcOf(node).call('eth_call', { to, data }, 'latest');
}

/**
 * One uint256; undefined for the empty answer of an address without code, and for a revert that is not
 * reported as an error (`isRevert`).
 */
function uint(value: unknown): bigint | undefined {
  const text = bytes(value);
  if (text.length < 66 || isRevert(text)) return undefined;
  return BigInt(text.slice(0, 66));
}

/** A token's name may contain anything. */
async function label(value: unknown): Promise<string | undefined> {
  const text = bytes(value);
  return isRevert(text) ? undefined : (await readLabel(text)) || undefined;
}
