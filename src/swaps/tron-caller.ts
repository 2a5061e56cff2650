/** Calls over a full node's HTTP API, which runs one call at a time, on the chain's state. */
import { ConnectError } from '../base/errors.ts';
import { decodeCall } from '../chains/call-reading/decode-call.ts';
import { type AbiValue, encodeCall } from '../chains/contracts/abi.ts';
import { abiTypeOf } from '../chains/contracts/abi-types.ts';
import { mapValues } from '../chains/contracts/arguments.ts';
import { nonsense } from '../chains/nodes/http.ts';
import type { NativeTransaction } from '../chains/requests.ts';
import type { Node } from '../chains/terms.ts';
import { fromEvm } from '../chains/tron/address.ts';
import { tryCall } from '../chains/tron/contract-reads.ts';
import { readHead, readParameters } from '../chains/tron/node.ts';
import { readAll } from '../chains/tron/reads.ts';
import type { Caller, Outcome, Step } from './caller.ts';

export function tronCaller(node: Node): Caller {
  async function attempt(from: string, { to, data, value }: Step): Promise<Outcome> {
    const call = { from: fromEvm(from), to: fromEvm(to), data, value };
    const { returned, willFail } = await tryCall(node, call);
    if (willFail !== undefined) return { failed: willFail };
    if (returned === undefined) throw nonsense('a trial run');
    return { data: returned };
  }

  return {
    runsSequences: false,
    read: (calls) => readAll(node, calls),
    attempt,
    async trial(from, steps) {
      const [step] = steps;
      if (!step || steps.length > 1) return undefined;
      const outcome = await attempt(from, step);
      if ('failed' in outcome && /balance is not sufficient/i.test(outcome.failed))
        throw new ConnectError(
          'transaction.insufficient-funds',
          'The wallet does not hold enough for the swap.',
        );
      return [outcome];
    },
    // Energy is burned at one price. What a wallet has staked is not counted.
    gasPrice: async () => (await readParameters(node))('getEnergyFee'),
    now: async () => Math.floor((await readHead(node)).time / 1000),
  };
}

/**
 * A call as the native request that makes it: by the function's name and arguments, which the wallet must be able to read. Without a fee limit:
 * the wallet tries the call once the one before it is done, and adds a quarter to what it used.
 */
export function tronRequest(walletId: string, { to, value, data }: Step): NativeTransaction {
  const { name, values } = decodeCall(data);
  const types = values.map(({ type }) => type);
  const args = values.map((one) => one.value);
  if (name === null || encodeCall(name, types, args) !== data)
    throw new Error(`The call ${data.slice(0, 10)} is not among src/chains/call-reading/functions.ts.`);
  const inputs = values.map(({ type, value: arg }) => ({
    type,
    value: textOf(mapValues(abiTypeOf(type)!, arg, (inner, one) => written(inner, one))),
  }));
  return {
    type: 'TRON_CONTRACT_EXECUTION',
    walletId,
    to: fromEvm(to),
    value: value.toString(),
    functionName: name,
    inputs,
  };
}

function written(type: string, value: AbiValue): AbiValue {
  return type === 'address' ? fromEvm(value as string) : String(value);
}

/** Lists as JSON. */
function textOf(value: AbiValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
