/**
 * The demo's local GoChain: anvil at GoChain's hard fork, behind a proxy that answers like a GoChain node
 * (https://github.com/gochain/gochain, 5.0.12). The mempool's size and its limit on future nonces are not checked. Blocks and storage gas
 * follow anvil: overwriting a slot costs 2,100 gas less than on a node, and clearing one refunds 10,200 less.
 */
import { dataLength, parseEther, Transaction } from 'ethers';
import type { Network } from '../../src/chains/network.ts';
import { type LocalEvm, startLocalEvm } from './evm.ts';
import { type LocalNetworkOptions, secondOf } from './local-network.ts';
import type { Ask, Call, NodeProxyOptions, Reply } from './node-proxy.ts';

export const GOCHAIN_ID = 60;
/** That of GoChain's test network. */
const SECOND_ID = 31337;
/** The mempool's minimum: 2000 gwei. */
export const GAS_PRICE = 2_000_000_000_000n;

/** The entry of `networks.json`. */
export const NETWORK = {
  id: 'gochain-local',
  secretType: 'GOCHAIN',
  name: 'Local GoChain',
  kind: 'local',
  chainId: GOCHAIN_ID,
  feeCeiling: parseEther('10').toString(),
} as const;

export type LocalGochain = LocalEvm<'GO'>;

export function startGochainNetwork({ port, second }: LocalNetworkOptions): Promise<LocalGochain> {
  const network = second
    ? { ...secondOf<Omit<Network, 'nodes' | 'tokens'>>(NETWORK), chainId: SECOND_ID }
    : NETWORK;
  return startLocalEvm({
    coin: 'GO',
    network,
    flags: ['--hardfork', 'petersburg', '--gas-price', String(GAS_PRICE), '--gas-limit', String(BLOCK_GAS)],
    // Not the local Ethereum's account: the same addresses would be other contracts there.
    owner: 1,
    gasPrice: GAS_PRICE,
    port,
    setting: 'GOCHAIN_PORT',
    ...gochainPool(network.chainId),
  });
}

const NEWER_METHODS = ['eth_feeHistory', 'eth_maxPriorityFeePerGas', 'eth_simulateV1'];
const MAX_SIZE = 32 * 1024;
const BLOCK_GAS = 136_500_000n;
/** Price increase of a replacement, in percent. */
const BUMP = 10n;

const absent = (method: string) => ({
  code: -32601,
  message: `the method ${method} does not exist/is not available`,
});

/** GoChain's mempool in front of anvil's, which accepts more and keeps reporting replaced transactions. */
function gochainPool(ownId: number): Pick<NodeProxyOptions, 'refuse' | 'alter'> {
  /** The last accepted transaction by sender and nonce. */
  const taken = new Map<string, Transaction>();
  const replaced = new Set<string>();

  async function refuse({ method, params }: Call, ask: Ask): Promise<Reply['error']> {
    if (NEWER_METHODS.includes(method)) return absent(method);
    if (method !== 'eth_sendRawTransaction') return undefined;
    const message = await refusalOf(String(params?.[0]), ask);
    return message === undefined ? undefined : { code: -32000, message };
  }

  const waits = async (hash: string, ask: Ask): Promise<boolean> => {
    const found = (await ask('eth_getTransactionByHash', hash)) as { blockNumber: string | null } | null;
    return found?.blockNumber === null && !replaced.has(hash);
  };

  /** In the order of GoChain's core/tx_pool.go; anvil checks nonce, funds and intrinsic gas. */
  async function refusalOf(raw: string, ask: Ask): Promise<string | undefined> {
    if (raw === '0x') return 'EOF';
    let transaction: Transaction;
    try {
      transaction = Transaction.from(raw);
    } catch {
      return /^0x[0-9a-b]/i.test(raw)
        ? 'rlp: expected input list for types.txdata'
        : 'rlp: value size exceeds available input length';
    }
    const { type, from, nonce, hash, gasPrice, gasLimit, chainId } = transaction;
    if (type !== 0) return 'rlp: expected input list for types.txdata';
    if (await waits(hash!, ask)) return `known tx: ${hash!.slice(2)}`;
    if (dataLength(raw) > MAX_SIZE) return 'oversized data';
    if (gasLimit > BLOCK_GAS) return 'exceeds block gas limit';
    if (Number(chainId) !== ownId || from === null) return 'invalid sender';
    if (gasPrice! < GAS_PRICE) return 'transaction underpriced';
    const place = `${from}:${nonce}`;
    const earlier = taken.get(place);
    if (earlier && (await waits(earlier.hash!, ask))) {
      if (gasPrice! <= earlier.gasPrice! || gasPrice! < (earlier.gasPrice! * (100n + BUMP)) / 100n)
        return 'replacement transaction underpriced';
    }
    return undefined;
  }

  function alter(call: Call, reply: Reply): Reply {
    const { method, params } = call;
    const { result, error } = reply;
    if (method === 'eth_sendRawTransaction' && result !== undefined) {
      const transaction = Transaction.from(String(params![0]));
      const place = `${transaction.from}:${transaction.nonce}`;
      const earlier = taken.get(place);
      if (earlier && earlier.hash !== transaction.hash) replaced.add(earlier.hash!);
      taken.set(place, transaction);
    }
    if (
      method === 'eth_getTransactionByHash' &&
      replaced.has(String(params?.[0])) &&
      (result as { blockNumber: string | null } | null)?.blockNumber === null
    )
      return { ...reply, result: null };
    if (error) return { ...without(reply, 'error'), ...inGochainsWords(call, error) };
    if (typeof result !== 'object' || result === null || Array.isArray(result)) return reply;
    return { ...reply, result: without(result, 'type', 'effectiveGasPrice', 'baseFeePerGas') };
  }

  return { refuse, alter };
}

/** `eth_call` reports no error for a failed call, and `eth_estimateGas` gives no reason. */
function inGochainsWords(
  { method }: Call,
  error: NonNullable<Reply['error']>,
): Pick<Reply, 'result' | 'error'> {
  const { code, message, data } = error;
  if (method === 'eth_call' && (code === 3 || code === -32003 || /EVM error/.test(message)))
    return { result: code === 3 ? (data ?? '0x') : '0x' };
  if (method === 'eth_estimateGas')
    return {
      error: { code: -32000, message: 'gas required exceeds allowance or always failing transaction' },
    };
  if (method === 'eth_sendRawTransaction')
    return { error: { code: -32000, message: message.replace(/^I(?=nsufficient funds)/, 'i') } };
  return { error: code === -32601 ? absent(method) : error };
}

function without<T extends object>(from: T, ...names: string[]): T {
  return Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name))) as T;
}
