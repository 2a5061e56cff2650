/** Decodes a call by its 4-byte selector. Loaded for calls only: a coin transfer has none. */
import { FunctionFragment, type ParamType } from 'ethers/abi';
import { type AbiValue, decodeExactly } from '../abi/coder.ts';
import { type Call, type Effect, NOBODY } from '../contracts/calls.ts';
import { FUNCTIONS } from './functions.ts';

interface KnownFunction {
  name: string;
  signature: string;
  inputs: readonly ParamType[];
  /** The kind of its effect and the fields: see `FUNCTIONS`. */
  effect: readonly string[];
}

/** Hex digits of the longest call that is decoded: of 128 kB with thousands of parts, ethers takes 0.2 s, and nobody reads them all. */
const LONGEST = 65_536;

let bySelector: Map<string, KnownFunction> | undefined;

export function decodeCall(data: string): Call {
  bySelector ??= new Map(FUNCTIONS.trim().split('\n').map(readFunction));
  const known = bySelector.get(data.slice(0, 10).toLowerCase());
  const unknown: Call = { signature: null, name: null, effect: { kind: 'other' }, values: [] };
  if (!known || data.length > LONGEST) return unknown;
  try {
    const { name, signature, inputs, effect } = known;
    const values = decodeExactly(inputs, `0x${data.slice(10)}`);
    const named = inputs.map((input, i) => ({ name: input.name, type: input.format(), value: values[i]! }));
    return { signature, name, effect: effectOf(effect, named), values: named };
  } catch {
    return unknown;
  }
}

const MAX = (1n << 256n) - 1n;

function effectOf([kind, ...fields]: readonly string[], values: Call['values']): Effect {
  if (kind === undefined) return { kind: 'other' };
  const read = (argument: string): AbiValue => {
    const found = values.find(({ name }) => name === argument);
    return argument === 'nobody' ? NOBODY : (found?.value ?? true);
  };
  const effect = Object.fromEntries(
    fields.map((field) => {
      const [name, argument = name] = field.split('=') as [string, string?];
      const value = read(argument);
      // DAI's permit allows all or nothing.
      return [name, name === 'amount' && typeof value === 'boolean' ? (value ? MAX : 0n) : value];
    }),
  );
  return { kind, ...(kind === 'nft' && { amount: 1n }), ...effect } as Effect;
}

/** A line of `FUNCTIONS`. */
function readFunction(line: string): [selector: string, known: KnownFunction] {
  const [declaration, effect] = line.split(': ') as [string, string?];
  const fragment = FunctionFragment.from(`function ${declaration}`);
  const { name, inputs } = fragment;
  return [
    fragment.selector,
    { name, inputs, signature: fragment.format(), effect: effect ? effect.split(' ') : [] },
  ];
}
