/** Reading what a call does: Tron's contracts are Solidity's, with addresses of their own. */
import { type AbiValue, listOf, tupleOf } from '../evm/abi.ts';
import { type Call, decodeCall as decodeEvmCall, type Effect } from '../evm/calls.ts';
import { fromEvm } from './address.ts';

/** Addresses are base58check. */
export function decodeCall(data: string): Call {
  const call = decodeEvmCall(data);
  const values = call.values.map(({ name, type, value }) => ({
    name,
    type,
    value: ownAddresses(type, value),
  }));
  return { ...call, values, effect: ownEffect(call.effect) };
}

/** The addresses of an effect are its texts. */
function ownEffect({ kind, ...effect }: Effect): Effect {
  const own = Object.entries(effect).map(([name, value]) => [
    name,
    typeof value === 'string' ? fromEvm(value) : value,
  ]);
  return { kind, ...Object.fromEntries(own) } as Effect;
}

function ownAddresses(type: string, value: AbiValue): AbiValue {
  if (type === 'address') return fromEvm(value as string);
  if (!Array.isArray(value)) return value;
  const item = listOf(type)?.item;
  const parts = tupleOf(type);
  return value.map((entry, i) => ownAddresses(item ?? parts![i]!, entry));
}
