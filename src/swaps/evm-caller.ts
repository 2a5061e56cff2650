/** Calls over JSON-RPC: many reads in one call of Multicall3 if the network has it, otherwise in one batch. */
import type { Node } from '../chains/terms.ts';
import { decode, encodeCall } from '../chains/contracts/abi.ts';
import { revertReason } from '../chains/contracts/calls.ts';
import { bytes, isRevert, quantity, required } from '../chains/evm/node.ts';
import { nonsense } from '../chains/nodes/http.ts';
import { type JsonRpc, rpcOf } from '../chains/evm/json-rpc.ts';
import { RpcError, rpcErrorIn } from '../chains/evm/rpc-error.ts';
import { ConnectError } from '../base/errors.ts';
import type { Caller, Outcome, ContractRead, Step } from './caller.ts';

/**
 * Calls in one multicall: their total gas stays under what nodes allow one `eth_call`, which is at least 50
 * million.
 */
const MAX = 100;

export function evmCaller(node: Node): Caller {
  const rpc = rpcOf(node);
  const { multicall } = node.network;
  return {
    runsSequences: true,
    async read(calls) {
      if (multicall === undefined || calls.length < 2) return readEach(rpc, calls);
      const groups: ContractRead[][] = [];
      for (let i = 0; i < calls.length; i += MAX) groups.push(calls.slice(i, i + MAX));
      const answers = await Promise.all(groups.map((group) => aggregate(rpc, multicall, group)));
      return answers.every((answer) => answer !== undefined) ? answers.flat() : readEach(rpc, calls);
    },
    async attempt(from, step) {
      const call = { from, ...callOf(step) };
      try {
        // GoChain returns a revert as a success: only the estimate reveals it.
        const [answer] = await Promise.all([
          rpc.call('eth_call', call, 'latest'),
          rpc.call('eth_estimateGas', call),
        ]);
        return outcome(bytes(answer));
      } catch (error) {
        if (error instanceof RpcError) return failed(error.data, error.message);
        throw error;
      }
    },
    async trial(from, steps) {
      const calls = steps.map((step) => ({ from, ...callOf(step) }));
      let answer: unknown;
      try {
        answer = await rpc.call(
          'eth_simulateV1',
          { blockStateCalls: [{ calls }], validation: false },
          'latest',
        );
      } catch (error) {
        const rpcError = rpcErrorIn(error);
        if (!rpcError) throw error;
        if (!/insufficient (funds|balance)/i.test(rpcError.message)) return undefined;
        throw tooLittle(rpcError);
      }
      return outcomesOf(answer);
    },
    gasPrice: () => required(rpc.call('eth_gasPrice'), quantity),
    now: () =>
      required(rpc.call('eth_getBlockByNumber', 'latest', false), (block) =>
        Number(quantity((block as { timestamp?: unknown } | null)?.timestamp)),
      ),
  };
}

/** Makes the calls in one batch. */
function readEach(rpc: JsonRpc, calls: readonly ContractRead[]): Promise<(string | undefined)[]> {
  return Promise.all(
    calls.map(async ({ to, data }) => {
      try {
        const answer = bytes(await rpc.call('eth_call', { to, data }, 'latest'));
        return answer === '0x' || isRevert(answer) ? undefined : answer;
      } catch (error) {
        if (error instanceof RpcError) return undefined;
        throw error;
      }
    }),
  );
}

/** Undefined if the contract is not deployed. https://github.com/mds1/multicall */
async function aggregate(
  rpc: JsonRpc,
  multicall: string,
  calls: readonly ContractRead[],
): Promise<(string | undefined)[] | undefined> {
  const data = encodeCall(
    'aggregate3',
    ['(address,bool,bytes)[]'],
    [calls.map((call) => [call.to, true, call.data])],
  );
  const [answer] = await readEach(rpc, [{ to: multicall, data }]);
  if (answer === undefined) return undefined;
  let results: [boolean, string][];
  try {
    [results] = decode(['(bool,bytes)[]'], answer) as [[boolean, string][]];
  } catch {
    return undefined;
  }
  if (results.length !== calls.length) throw nonsense('an answer to each call');
  return results.map(([success, returned]) => (success && returned !== '0x' ? returned : undefined));
}

function callOf({ to, value, data }: Step): object {
  return { to, value: `0x${value.toString(16)}`, data };
}

/** Undefined if it is not an eth_simulateV1 result. */
async function outcomesOf(answer: unknown): Promise<Outcome[] | undefined> {
  try {
    const { calls } = (answer as [{ calls: Simulated[] }])[0];
    return await Promise.all(
      calls.map(async ({ status, returnData, error }) =>
        status === '0x1'
          ? { data: bytes(returnData) }
          : failed(error?.data ?? returnData, String(error?.message ?? '')),
      ),
    );
  } catch {
    return undefined;
  }
}

interface Simulated {
  status: string;
  returnData: string;
  error?: { message?: unknown; data?: string };
}

/** On GoChain a revert is not an error. */
async function outcome(data: string): Promise<Outcome> {
  return isRevert(data) ? failed(data, '') : { data };
}

async function failed(data: string | undefined, words: string): Promise<Outcome> {
  return { failed: (await revertReason(data)) ?? (words.slice(0, 200) || 'it reverts') };
}

function tooLittle(cause: unknown): ConnectError {
  return new ConnectError(
    'transaction.insufficient-funds',
    'The wallet does not hold enough for the swap.',
    {},
    { cause },
  );
}
