/**
 * Simulations on the node: what the transaction would move, and whether it would fail. They carry exactly the
 * fields that will be signed, or a contract could tell a simulation from the real thing (gas price 0, base
 * fee 0, 30 million gas), and run in two different blocks, so that a contract that looks at the block cannot
 * show only its better side. The node may lie, so a result never removes a warning.
 * https://github.com/ethereum/execution-apis/blob/main/src/eth/execute.yaml (eth_simulateV1)
 */
import type { Node } from '../terms.ts';
import { hexOf } from '../../base/bytes.ts';
import { rpcOf } from './json-rpc.ts';
import { type RpcError, rpcErrorIn } from './rpc-error.ts';
import { revertReason } from '../contracts/calls.ts';
import {
  type Change,
  compareRuns,
  type Log,
  movesIn,
  type Outcome,
  sumUp,
  type TrialRun,
} from '../contracts/trial-runs.ts';
import { isRevert, quantity, tolerant } from './node.ts';

/** Where eth_simulateV1 reports moves of the coin itself. */
const COIN_LOGS = `0x${'e'.repeat(40)}`;
/** Seconds between blocks of Ethereum; on faster networks this is only a later one. */
const BLOCK_SECONDS = 12n;
export interface Estimate {
  gas?: bigint | undefined;
  willFail?: string | undefined;
}

export interface Trial {
  outcome?: Outcome | undefined;
  willFail?: string | undefined;
  gas?: bigint | undefined;
  changes?: Change[] | undefined;
  /** The called function's answer, `0x…`. */
  returned?: string | undefined;
}

export interface CallObject {
  from: string;
  to?: string;
  value: string;
  data?: string;
  accessList?: readonly { address: string; storageKeys: readonly string[] }[];
}

/** A call with every field that the transaction will have. */
export interface FullCall extends CallObject {
  nonce: number;
  gas: bigint;
  gasPrice?: bigint | undefined;
  maxFeePerGas?: bigint | undefined;
  maxPriorityFeePerGas?: bigint | undefined;
}

/** The latest block. */
export interface Head {
  number: bigint;
  timestamp: bigint;
  miner: string;
  /** Its base fee, before that of the next block; absent where blocks have none. */
  baseFee?: bigint | undefined;
}

/** Undefined where the node gives none. */
export function readHead(node: Node): Promise<Head | undefined> {
  return tolerant(rpcOf(node).call('eth_getBlockByNumber', 'latest', false), (value) => {
    const { number, timestamp, miner, baseFeePerGas } = value as Record<string, unknown>;
    if (typeof miner !== 'string' || !/^0x[0-9a-f]{40}$/i.test(miner)) return undefined;
    return {
      number: quantity(number),
      timestamp: quantity(timestamp),
      miner,
      ...(baseFeePerGas != null && { baseFee: quantity(baseFeePerGas) }),
    };
  });
}

export async function estimate(node: Node, call: CallObject): Promise<Estimate> {
  try {
    return { gas: quantity(await rpcOf(node).call('eth_estimateGas', call)) };
  } catch (error) {
    const { willFail } = await refusal(error);
    return { willFail };
  }
}

/** Simulates the transaction twice, in blocks that have little in common. One round trip. */
export async function tryOut(node: Node, call: FullCall, head: Place): Promise<Trial> {
  const fields = wireOf(call);
  const time = nextTime(head);
  const [here, later, called] = await Promise.all([
    simulate(node, fields, nextBlock(head, time)),
    simulate(node, fields, otherBlock(head, time, call)),
    tryCall(node, fields),
  ]);
  if (!here || !later) return called;
  if (here.refused || later.refused) return here.refused ?? later.refused!;
  const { gas, returned } = here;
  return { ...compareRuns(here, later), gas: gas > later.gas ? gas : later.gas, returned };
}

type Wire = Record<string, unknown> & { from: string };

function wireOf(call: FullCall): Wire {
  const { from, to, value, data, accessList, nonce, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas } =
    call;
  const quantities = { nonce: BigInt(nonce), gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas };
  const hexFields = Object.entries(quantities).flatMap(([name, amount]) =>
    amount === undefined ? [] : [[name, `0x${amount.toString(16)}`]],
  );
  return {
    from,
    ...(to !== undefined && { to }),
    value,
    ...(data !== undefined && { data }),
    ...(accessList && { accessList }),
    ...Object.fromEntries(hexFields),
  };
}

type Overrides = Record<string, string>;
/** `baseFee`: of the next block. */
type Place = Partial<Head>;

/** As the next block will probably be. */
function nextBlock({ baseFee, miner, ...place }: Place, time: bigint): Overrides {
  return {
    ...baseFeeOf(baseFee),
    ...(miner === undefined ? {} : { feeRecipient: miner }),
    ...placeOf(place, 1n, time),
    prevRandao: hexOf(random(32)),
  };
}

/**
 * As a later one may be: another builder, a higher base fee that the transaction still pays, a number and a time that are odd where the
 * next block's are even.
 */
function otherBlock(
  { baseFee = 0n, ...place }: Place,
  time: bigint,
  { maxFeePerGas, maxPriorityFeePerGas = 0n, gasPrice = 0n }: FullCall,
): Overrides {
  const max = maxFeePerGas === undefined ? gasPrice : maxFeePerGas - maxPriorityFeePerGas;
  const raised = baseFee + baseFee / 2n;
  return {
    ...baseFeeOf(baseFee && (raised < max ? raised : max)),
    feeRecipient: hexOf(random(20)),
    ...placeOf(place, 4n, time + 61n),
    prevRandao: hexOf(random(32)),
  };
}

/** A chain without base fees gets none. */
function baseFeeOf(baseFee = 0n): Overrides {
  return baseFee > 0n ? { baseFeePerGas: `0x${baseFee.toString(16)}` } : {};
}

function placeOf({ number }: Partial<Head>, blocks: bigint, time: bigint): Overrides {
  return number === undefined
    ? {}
    : { number: `0x${(number + blocks).toString(16)}`, time: `0x${time.toString(16)}` };
}

/** Seconds since 1970 of the next block: it is later than the one that is there, and not made before now. */
function nextTime({ timestamp = 0n }: Partial<Head>): bigint {
  const now = BigInt(Math.floor(Date.now() / 1000));
  const next = timestamp + BLOCK_SECONDS;
  return next > now ? next : now;
}

interface Run extends TrialRun {
  /** The node would not run it. */
  refused?: Trial | undefined;
  gas: bigint;
  returned?: string | undefined;
}

/** Undefined if the node has no eth_simulateV1, or returns something else. */
async function simulate(node: Node, call: Wire, blockOverrides: Overrides): Promise<Run | undefined> {
  const nothing = { gas: 0n, moves: new Map() };
  let answer: unknown;
  try {
    answer = await rpcOf(node).call(
      'eth_simulateV1',
      { blockStateCalls: [{ blockOverrides, calls: [call] }], traceTransfers: true, validation: true },
      'latest',
    );
  } catch (error) {
    const said = rpcErrorIn(error);
    if (!said) throw error;
    return said.reading === 'unsupported' ? undefined : { ...nothing, refused: refusedToRun(said) };
  }
  try {
    const result = (answer as { calls: Result[] }[])[0]!.calls[0]!;
    const gas = quantity(result.gasUsed);
    if (result.status !== '0x1') {
      const { message, data } = result.error ?? {};
      const reason =
        (await revertReason(data ?? result.returnData)) ?? String(message ?? 'it reverts').slice(0, 200);
      return { ...nothing, gas, willFail: reason };
    }
    return {
      gas,
      returned: result.returnData,
      moves: sumUp(call.from, await movesIn(result.logs ?? [], COIN_LOGS)),
    };
  } catch {
    return undefined;
  }
}

/** `eth_call`, for nodes without eth_simulateV1: whether it fails, and what the function returns. A creation returns the contract's code. */
async function tryCall(node: Node, call: Wire): Promise<Trial> {
  try {
    const returned = await rpcOf(node).call('eth_call', call, 'latest');
    if (typeof returned !== 'string' || !('to' in call)) return {};
    return isRevert(returned) ? { willFail: (await revertReason(returned)) ?? 'it reverts' } : { returned };
  } catch (error) {
    return await refusal(error);
  }
}

interface Result {
  status: string;
  gasUsed: string;
  returnData?: string;
  logs?: Log[];
  error?: { message?: string; data?: string };
}

/**
 * Why `eth_call` or `eth_estimateGas` returns an error: the contract's own refusal, unless the node gives
 * another reason.
 */
async function refusal(error: unknown): Promise<Trial> {
  const said = rpcErrorIn(error);
  if (!said) throw error;
  if (said.reading === 'unsupported' || isShort(said)) return {};
  if (isAboutPlace(said) || !said.isAnswer) return { outcome: 'untried' };
  return {
    willFail:
      (await revertReason(said.data)) ?? said.message.replace(/^execution reverted:? ?/i, '').slice(0, 200),
  };
}

/** What kept the node from running it says nothing about the contract. */
function refusedToRun(error: RpcError): Trial {
  return isShort(error) ? {} : { outcome: 'untried' };
}

function isShort(error: RpcError): boolean {
  return (
    error.code === -38014 ||
    /insufficient funds|insufficient balance|exceeds allowance(?! or)|OutOfFunds/i.test(error.message)
  );
}

/** About what waits before the transaction, or about its fee in the block it was tried in: not about what it does. */
function isAboutPlace({ code, message }: RpcError): boolean {
  return (
    (code <= -38010 && code >= -38026) ||
    /\bnonce\b|base ?fee|fee cap|already known|underpriced|block (number|time)/i.test(message)
  );
}

function random(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}
