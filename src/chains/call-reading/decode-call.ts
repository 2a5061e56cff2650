/** Decodes a call by its 4-byte selector. Loaded for calls only: a coin transfer has none. */
import { type AbiValue, decodeExactly, selector } from '../contracts/abi.ts';
import { type AbiType, abiTypeOf, partsOf } from '../contracts/abi-types.ts';
import { type Call, type Effect, NOBODY } from '../contracts/calls.ts';
import { checksum } from '../contracts/evm-address.ts';
import { FUNCTIONS } from './functions.ts';

interface Input {
  name: string;
  type: AbiType;
  /** Names of the parts of a tuple. */
  parts?: readonly string[] | undefined;
}

interface KnownFunction {
  name: string;
  selector: string;
  signature: string;
  inputs: readonly Input[];
  /** In the words of `FUNCTIONS`. */
  effects: readonly string[];
}

/** Hex digits of the longest call that is decoded: nobody reads the thousands of parts of a longer one. */
const LONGEST = 65_536;

/** By selector and by signature. */
let functions: Map<string, KnownFunction> | undefined;

function knownFunction(key: string): KnownFunction | undefined {
  functions ??= new Map(
    FUNCTIONS.trim()
      .split('\n')
      .map(readFunction)
      .flatMap((known) => [
        [known.selector, known],
        [known.signature, known],
      ]),
  );
  return functions.get(key);
}

export function decodeCall(data: string): Call {
  const entry = knownFunction(data.slice(0, 10).toLowerCase());
  const unknown: Call = { signature: null, name: null, values: [] };
  if (!entry || data.length > LONGEST) return unknown;
  try {
    const { name, signature, inputs } = entry;
    const types = inputs.map(({ type }) => type);
    const values = decodeExactly(types, `0x${data.slice(10)}`);
    const named = inputs.map((input, i) => ({ name: input.name, type: input.type.text, value: values[i]! }));
    return { signature, name, values: named };
  } catch {
    return unknown;
  }
}

/** Who is called, and who calls. */
export interface Parties {
  self: string;
  caller: string;
}

/** What `FUNCTIONS` says that the call does. Undefined where it says nothing, or the arguments do not fit. */
export function listedEffects({ signature, values }: Call, parties: Parties): Effect[] | undefined {
  const entry = signature === null ? undefined : knownFunction(signature);
  if (!entry?.effects.length) return undefined;
  const args = argumentsOf(entry, values);
  try {
    return entry.effects.map((text) => effectOf(text, args, parties));
  } catch {
    return undefined;
  }
}

type Arguments = ReadonlyMap<string, AbiValue>;

/** By name; of a single tuple, its fields; of a path, its ends. */
function argumentsOf({ inputs }: KnownFunction, values: Call['values']): Arguments {
  const [only] = inputs;
  const args = new Map<string, AbiValue>(
    inputs.length === 1 && only!.parts
      ? only!.parts.map((name, i) => [name, (values[0]!.value as AbiValue[])[i]!])
      : values.map(({ name, value }) => [name, value]),
  );
  const path = args.get('path');
  const ends = path === undefined ? undefined : pathEnds(path as string | string[]);
  if (ends) args.set('first', ends[0]).set('last', ends[1]);
  return args;
}

const MAX = (1n << 256n) - 1n;

function effectOf(text: string, args: Arguments, { self, caller }: Parties): Effect {
  const [kind, ...fields] = text.split(' ');
  const read = (source: string): AbiValue => {
    if (source === 'nobody') return NOBODY;
    if (source === 'self') return self;
    if (source === 'caller') return caller;
    if (source === 'first' || source === 'last') if (!args.has(source)) throw new RangeError('not a path');
    const [one, other] = source.split('+');
    if (other !== undefined) return (args.get(one!) as bigint) + (args.get(other) as bigint);
    return args.get(source) ?? true;
  };
  const effect = Object.fromEntries(
    fields.map((field) => {
      const [, name = '', source = name, roles] = /^(\w+)(?:=([\w+]+))?(?:\/(\d+))?$/.exec(field)!;
      const value = read(source);
      if (roles) return [name, party(value as string, roles, { self, caller })];
      // DAI's permit allows all or nothing.
      return [name, name === 'amount' && typeof value === 'boolean' ? (value ? MAX : 0n) : value];
    }),
  );
  const { held, ...rest } = effect;
  if (held && rest['amount'] === 0n) return { kind: 'use', token: rest['token'] as string };
  return { kind, ...(kind === 'nft' && { amount: 1n }), ...rest } as Effect;
}

/** Whom routers mean by an address that nobody has: with roles `0`, 0 is the router itself; with `12`, 1 is whoever calls and 2 the router. */
export function party(address: string, roles: string, { self, caller }: Parties): string {
  const number = BigInt(address);
  if (number > 2n || !roles.includes(String(number))) return address;
  return number === 1n ? caller : self;
}

/** A line of `FUNCTIONS`. */
function readFunction(line: string): KnownFunction {
  const [declaration, effects] = line.split(': ') as [string, string?];
  const [, name, list] = /^(\w+)\((.*)\)$/.exec(declaration) as unknown as [string, string, string];
  const inputs = list === '' ? [] : partsOf(list)!.map(readInput);
  const types = inputs.map(({ type }) => type);
  return {
    name,
    inputs,
    selector: selector(name, types),
    signature: `${name}(${types.map(({ text }) => text).join(',')})`,
    effects: effects?.split('; ') ?? [],
  };
}

/** `address to`, or `(address to, uint256 amount)[] transfers`. */
function readInput(declaration: string): Input {
  const [text, name] = lastWord(declaration.trim());
  // Names of parts, and spaces, are no part of the type.
  const type = abiTypeOf(text.replace(/ \w+(?=[,)])| /g, ''))!;
  const parts = type.parts && partsOf(text.slice(1, -1))!.map((part) => lastWord(part)[1]);
  return { name, type, parts };
}

function lastWord(text: string): [before: string, word: string] {
  const space = text.lastIndexOf(' ');
  return [text.slice(0, space), text.slice(space + 1)];
}

/**
 * The first and the last token of a swap's path. V2 lists tokens; V3 packs them, 20 bytes each, with the pools' fees of 3 between them.
 * Undefined for anything else.
 */
export function pathEnds(path: string | readonly string[]): [first: string, last: string] | undefined {
  if (typeof path !== 'string') return path.length < 2 ? undefined : [path[0]!, path.at(-1)!];
  if (path.length < 88 || (path.length - 42) % 46 !== 0) return undefined;
  return [checksum(path.slice(0, 42)), checksum(`0x${path.slice(-40)}`)];
}
