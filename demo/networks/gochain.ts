/**
 * The local GoChain of the demo: anvil at the fork that GoChain is at, behind a proxy that answers like a GoChain node
 * (https://github.com/gochain/gochain, 5.0.12). It does not check what GoChain's pool does about nonces far ahead, replacements and its
 * size, and blocks are made by anvil's rules.
 */
import { parseEther, Transaction } from 'ethers';
import { type LocalEvm, startLocalEvm } from './evm.ts';
import type { Call, Reply } from './node-proxy.ts';

export const GOCHAIN_ID = 60;
/** The pool's lowest price: 2000 gwei. */
export const GAS_PRICE = 2_000_000_000_000n;

/** Of `networks.json`. */
export const NETWORK = {
  id: 'gochain-local',
  secretType: 'GOCHAIN',
  name: 'Local GoChain',
  kind: 'local',
  chainId: GOCHAIN_ID,
  feeCeiling: parseEther('10').toString(),
} as const;

export type LocalGochain = LocalEvm<'GO'>;

export function startGochainNetwork({ port }: { port: number }): Promise<LocalGochain> {
  return startLocalEvm({
    coin: 'GO',
    network: NETWORK,
    flags: ['--hardfork', 'petersburg', '--gas-price', String(GAS_PRICE)],
    // Not the account of the local Ethereum, or the same addresses would be other contracts there.
    owner: 1,
    gasPrice: GAS_PRICE,
    port,
    setting: 'GOCHAIN_PORT',
    refuse,
    alter,
  });
}

const NEWER_METHODS = ['eth_feeHistory', 'eth_maxPriorityFeePerGas', 'eth_simulateV1'];

/** What anvil would take, and GoChain does not. */
function refuse({ method, params }: Call): Reply['error'] {
  if (NEWER_METHODS.includes(method))
    return { code: -32601, message: `the method ${method} does not exist/is not available` };
  if (method !== 'eth_sendRawTransaction') return undefined;
  const message = refusalOf(String(params?.[0]));
  return message === undefined ? undefined : { code: -32000, message };
}

function refusalOf(raw: string): string | undefined {
  let transaction: Transaction;
  try {
    transaction = Transaction.from(raw);
  } catch {
    return 'rlp: value size exceeds available input length';
  }
  if (transaction.type !== 0) return 'rlp: expected input list for types.txdata';
  if (Number(transaction.chainId) !== GOCHAIN_ID || transaction.from === null) return 'invalid sender';
  return transaction.gasPrice! < GAS_PRICE ? 'transaction underpriced' : undefined;
}

/** A revert is no error of `eth_call`, and has no reason in `eth_estimateGas`. Nothing tells what came with later forks. */
function alter({ method }: Call, reply: Reply): Reply {
  const { result, error } = reply;
  if (error?.code === 3 && method === 'eth_call')
    return { ...without(reply, 'error'), result: error.data ?? '0x' };
  if (error?.code === 3 && method === 'eth_estimateGas')
    return {
      ...reply,
      error: { code: -32000, message: 'gas required exceeds allowance or always failing transaction' },
    };
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return reply;
  return { ...reply, result: without(result, 'type', 'effectiveGasPrice', 'baseFeePerGas') };
}

function without<T extends object>(from: T, ...names: string[]): T {
  return Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name))) as T;
}
