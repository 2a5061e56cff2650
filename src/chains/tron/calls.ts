/** Decoding what a call does: Tron's contracts are Solidity, with their own address format. */
import { abiTypeOf } from '../contracts/abi-types.ts';
import { mapValues } from '../contracts/arguments.ts';
import type { Call, Effect } from '../contracts/calls.ts';
import { readingOf as readEvmCall } from '../contracts/readings.ts';
import type { Reading } from '../call-reading/inner-calls.ts';
import { fromEvm, toEvm } from './address.ts';
import type { Contract } from './draft.ts';

/** What the contract is asked to do, with addresses in base58check; undefined if it is not a call, or has no data. */
export async function readingOf(contract: Contract, wallet: string): Promise<Reading | undefined> {
  if (contract.kind !== 'call') return undefined;
  const { to, data, value } = contract;
  const reading = await readEvmCall({ to: toEvm(to), data, value }, toEvm(wallet));
  if (!reading) return undefined;
  const { call, deeds, ...rest } = reading;
  return {
    ...rest,
    call: ownCall(call),
    deeds: deeds.map(({ effect, contract, by, name }) => ({
      name,
      effect: ownEffect(effect),
      contract: fromEvm(contract),
      ...(by && { by: fromEvm(by) }),
    })),
  };
}

function ownCall(call: Call): Call {
  const values = call.values.map(({ name, type, value }) => ({
    name,
    type,
    value: mapValues(abiTypeOf(type)!, value, (inner, one) =>
      inner === 'address' ? fromEvm(one as string) : one,
    ),
  }));
  return { ...call, values };
}

/** The addresses of an effect are its texts. */
function ownEffect({ kind, ...effect }: Effect): Effect {
  const own = Object.entries(effect).map(([name, value]) => [
    name,
    typeof value === 'string' ? fromEvm(value) : value,
  ]);
  return { kind, ...Object.fromEntries(own) } as Effect;
}
