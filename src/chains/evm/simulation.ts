/**
 * Trial runs on the node: what the transaction would move, and whether it would fail. The node may lie, so a result never removes a
 * warning. https://github.com/ethereum/execution-apis/blob/main/src/eth/execute.yaml (eth_simulateV1)
 */
import type { Node } from '../chain.ts';
import { RpcError, rpcOf } from '../json-rpc.ts';
import { revertReason } from './calls.ts';
import type { Facts } from './draft.ts';
import { isRevert, quantity } from './node.ts';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** Where eth_simulateV1 reports moves of the coin itself. */
const COIN_LOGS = `0x${'e'.repeat(40)}`;

export interface Trial {
  willFail?: string | undefined;
  gas?: bigint | undefined;
  changes?: Facts['changes'];
  /** The called function's answer, `0x…`. */
  returned?: string | undefined;
  /** The trial could not run because the wallet does not hold enough. */
  short?: boolean | undefined;
}

export interface CallObject {
  from: string;
  to?: string;
  value: string;
  data?: string;
}

export async function estimate(node: Node, call: CallObject): Promise<Trial> {
  try {
    return { gas: quantity(await rpcOf(node).call('eth_estimateGas', call)) };
  } catch (error) {
    return failure(error);
  }
}

/** Undefined where the node has no eth_simulateV1, or answers something else. */
export async function simulate(node: Node, call: CallObject): Promise<Trial | undefined> {
  let answer: unknown;
  try {
    answer = await rpcOf(node).call(
      'eth_simulateV1',
      { blockStateCalls: [{ calls: [call] }], traceTransfers: true, validation: false },
      'latest',
    );
  } catch (error) {
    if (error instanceof RpcError) return isShort(error) ? { short: true } : undefined;
    throw error;
  }
  try {
    const result = (answer as { calls: Result[] }[])[0]!.calls[0]!;
    const gas = quantity(result.gasUsed);
    if (result.status !== '0x1') {
      const { message, data } = result.error ?? {};
      return {
        gas,
        willFail: revertReason(data ?? result.returnData) ?? String(message ?? 'it reverts').slice(0, 200),
      };
    }
    return { gas, returned: result.returnData, changes: changesOf(call.from, result.logs ?? []) };
  } catch {
    return undefined;
  }
}

/** `eth_call`, for nodes without eth_simulateV1: what the function answers. */
export async function tryCall(node: Node, call: CallObject): Promise<Trial> {
  try {
    const returned = await rpcOf(node).call('eth_call', call, 'latest');
    if (typeof returned !== 'string') return {};
    return isRevert(returned) ? { willFail: revertReason(returned) ?? 'it reverts' } : { returned };
  } catch (error) {
    return failure(error);
  }
}

interface Result {
  status: string;
  gasUsed: string;
  returnData?: string;
  logs?: { address: string; topics: string[]; data: string }[];
  error?: { message?: string; data?: string };
}

function failure(error: unknown): Trial {
  if (!(error instanceof RpcError)) throw error;
  if (isShort(error)) return { short: true };
  if (error.unsupported) return {};
  return {
    willFail: revertReason(error.data) ?? error.message.replace(/^execution reverted:? ?/i, '').slice(0, 200),
  };
}

function isShort(error: RpcError): boolean {
  return (
    error.code === -38014 ||
    /insufficient funds|insufficient balance|exceeds allowance(?! or)|OutOfFunds/i.test(error.message)
  );
}

/** Sums of what comes and goes, per token; the coin first. NFTs count as one. */
function changesOf(wallet: string, logs: NonNullable<Result['logs']>): NonNullable<Facts['changes']> {
  const me = wallet.toLowerCase();
  const sums = new Map<string, bigint>();
  for (const { address, topics, data } of logs) {
    if (topics[0] !== TRANSFER || topics.length < 3) continue;
    const amount = topics.length === 4 ? 1n : BigInt(data.slice(0, 66));
    const [from, to] = [topics[1]!, topics[2]!].map((topic) => `0x${topic.slice(-40).toLowerCase()}`);
    const token = address.toLowerCase();
    if (from === me) sums.set(token, (sums.get(token) ?? 0n) - amount);
    if (to === me) sums.set(token, (sums.get(token) ?? 0n) + amount);
  }
  return [...sums]
    .filter(([, sum]) => sum !== 0n)
    .sort(([a], [b]) => Number(b === COIN_LOGS) - Number(a === COIN_LOGS))
    .map(([token, sum]) => ({
      ...(token === COIN_LOGS ? {} : { token }),
      amount: sum < 0n ? -sum : sum,
      direction: sum < 0n ? ('out' as const) : ('in' as const),
    }));
}
