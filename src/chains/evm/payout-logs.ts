/**
 * Coins that a router of THORChain pays out of itself, which no transaction shows: `TransferOut` of its contract tells of them, also where the
 * recipient did not take them and they went back. So what it tells counts only beside what the recipient's balance did.
 * https://gitlab.com/thorchain/ethereum/eth-router
 */
import { decodeExactly } from '../contracts/abi.ts';
import { nonsense } from '../nodes/http.ts';
import type { JsonRpc } from './json-rpc.ts';
import { bytes, quantity, required } from './node.ts';

/** `TransferOut(address indexed vault, address indexed to, address asset, uint256 amount, string memo)` */
export const TRANSFER_OUT = '0xa9cd03aa3c1b4515114539cd53d22085129d495cb9e9f9af77864526240f1bf7';

export interface Payout {
  /** Of the transaction, in lower case, as are the addresses. */
  hash: string;
  blockHash: string;
  vault: string;
  to: string;
  amount: bigint;
}

/** Of coins in a block; `to` one account, or to any. */
export async function readPayouts(
  node: JsonRpc,
  routers: readonly string[],
  { block, to }: { block: number; to?: string },
): Promise<Payout[]> {
  const at = `0x${block.toString(16)}`;
  const topics = to === undefined ? [TRANSFER_OUT] : [TRANSFER_OUT, null, wordOf(to)];
  const address = routers.map((each) => each.toLowerCase());
  const logs = await required(
    node.call('eth_getLogs', { address, topics, fromBlock: at, toBlock: at }),
    (value) => {
      if (!Array.isArray(value)) throw nonsense('logs');
      return value as unknown[];
    },
  );
  // A node that repeats a log must not make two payments of it.
  const byPlace = new Map<string, Payout>();
  for (const log of logs) {
    const fields = (log ?? {}) as Record<string, unknown>;
    if (!address.includes(bytes(fields['address'])) || quantity(fields['blockNumber']) !== BigInt(block))
      throw nonsense('the logs that were asked for');
    const payout = payoutIn(fields);
    if (payout && (to === undefined || payout.to === to.toLowerCase()))
      byPlace.set(String(fields['logIndex']), payout);
  }
  return [...byPlace.values()];
}

/** Undefined for tokens, which have logs of their own, and for nothing. */
function payoutIn({ topics, data, transactionHash, blockHash }: Record<string, unknown>): Payout | undefined {
  const [event, vault, to] = Array.isArray(topics) ? topics.map(bytes) : [];
  if (event !== TRANSFER_OUT || !vault || !to) return undefined;
  try {
    const [asset, amount] = decodeExactly(['address', 'uint256', 'string'], bytes(data)) as [string, bigint];
    if (BigInt(asset) !== 0n || amount === 0n) return undefined;
    return {
      hash: bytes(transactionHash),
      blockHash: bytes(blockHash),
      vault: `0x${vault.slice(26)}`,
      to: `0x${to.slice(26)}`,
      amount,
    };
  } catch {
    return undefined;
  }
}

function wordOf(address: string): string {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
}
