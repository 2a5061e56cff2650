/**
 * What a list of commands for Uniswap's Universal Router gives and asks for. One byte is a command, its first bit says that it may fail.
 * https://github.com/Uniswap/universal-router/blob/main/contracts/libraries/Commands.sol
 */
import { type AbiValue, decodeExactly } from '../abi/coder.ts';
import { checksum } from '../contracts/evm-address.ts';
import { type Effect, NOBODY } from '../contracts/calls.ts';
import { permitted } from './permit2.ts';

const MAY_FAIL = 0x80;
/** Maximum nesting of sub-plans. */
const MAX_DEPTH = 4;
const MAX_COMMANDS = 64;

const SWAP_V3 = ['address', 'uint256', 'uint256', 'bytes', 'bool'];
const SWAP_V2 = ['address', 'uint256', 'uint256', 'address[]', 'bool'];
const TO_SOMEBODY = ['address', 'address', 'uint256'];
const DETAILS = '(address,uint160,uint48,uint48)';

/** Undefined where a command is not known or does not fit. `caller` pays. */
export function readCommands(
  commands: string,
  inputs: readonly string[],
  router: string,
  caller: string,
  depth = 0,
): Effect[] | undefined {
  const codes = (commands.slice(2).match(/../g) ?? []).map((code) => Number.parseInt(code, 16));
  if (codes.length !== inputs.length || codes.length > MAX_COMMANDS || depth > MAX_DEPTH) return undefined;
  const self = checksum(router);
  /** 1 is whoever calls, 2 the router. */
  const party = (address: string): string => {
    const number = BigInt(address);
    return number === 1n ? caller : number === 2n ? self : address;
  };
  const found: Effect[] = [];
  for (const [i, code] of codes.entries()) {
    const command = COMMANDS[code & ~MAY_FAIL];
    if (!command) return undefined;
    let effects: Effect[] | undefined;
    try {
      const values = decodeExactly(command.types, inputs[i]!);
      effects =
        'plan' in command
          ? readCommands(values[0] as string, values[1] as string[], router, caller, depth + 1)
          : command.read(values, { caller, self, party });
    } catch {
      return undefined;
    }
    if (!effects || found.length + effects.length > MAX_COMMANDS) return undefined;
    found.push(...effects);
  }
  return found;
}

interface Parties {
  caller: string;
  self: string;
  party: (address: string) => string;
}

type Command =
  | { types: readonly string[]; read: (values: AbiValue[], parties: Parties) => Effect[] }
  | { types: readonly string[]; plan: true };

/** What stays in the router is shown when it leaves. */
function arrives(to: string, token: string | undefined, amount: bigint, { self, party }: Parties): Effect[] {
  const recipient = party(to);
  if (recipient === self) return [];
  return [{ kind: 'receive', to: recipient, amount, ...(token && BigInt(token) !== 0n && { token }) }];
}

/** Pays with the caller's tokens, or with what is already in the router. */
function swapped(
  [to, one, other, isUsers]: [string, bigint, bigint, boolean],
  ends: readonly [from: string, to: string],
  exactOut: boolean,
  parties: Parties,
): Effect[] {
  const [paid, comes] = exactOut ? [other, one] : [one, other];
  return [
    ...(isUsers ? [{ kind: 'pay' as const, token: ends[0], amount: paid }] : []),
    ...arrives(to, ends[1], comes, parties),
  ];
}

/** Tokens of 20 bytes with the pools' fees of 3 between them. */
function endsOf(path: string): [string, string] {
  if (path.length < 88 || (path.length - 42) % 46 !== 0) throw new RangeError('not a path');
  return [checksum(path.slice(0, 42)), checksum(`0x${path.slice(-40)}`)];
}

function v3(exactOut: boolean): Command {
  return {
    types: SWAP_V3,
    read([to, one, other, path, isUsers], parties) {
      const [head, tail] = endsOf(path as string);
      return swapped(
        [to, one, other, isUsers] as [string, bigint, bigint, boolean],
        exactOut ? [tail, head] : [head, tail],
        exactOut,
        parties,
      );
    },
  };
}

function v2(exactOut: boolean): Command {
  return {
    types: SWAP_V2,
    read([to, one, other, path, isUsers], parties) {
      const tokens = path as string[];
      if (tokens.length < 2) throw new RangeError('not a path');
      return swapped(
        [to, one, other, isUsers] as [string, bigint, bigint, boolean],
        [tokens[0]!, tokens.at(-1)!],
        exactOut,
        parties,
      );
    },
  };
}

/** Of the caller's tokens, by an allowance in Permit2. */
function moved(token: string, to: string, amount: bigint, { caller, self, party }: Parties): Effect {
  const recipient = party(to);
  if (recipient === self) return { kind: 'pay', token, amount };
  return { kind: 'token', from: caller, to: recipient, amount, token };
}

/** The zero address is the coin. */
function tokenOr(token: string): { token?: string } {
  return token === NOBODY ? {} : { token };
}

const sweep: Command = {
  types: TO_SOMEBODY,
  read: ([token, to, amount], parties) => arrives(to as string, token as string, amount as bigint, parties),
};

const COMMANDS: Readonly<Record<number, Command>> = {
  0x00: v3(false),
  0x01: v3(true),
  0x02: {
    types: ['address', 'address', 'uint160'],
    read: ([token, to, amount], parties) => [moved(token as string, to as string, amount as bigint, parties)],
  },
  0x03: {
    types: [`(${DETAILS}[],address,uint256)`, 'bytes'],
    read: ([permit], { caller }) => permitted(permit as AbiValue[], caller),
  },
  0x04: sweep,
  0x05: {
    types: TO_SOMEBODY,
    read: ([token, to, amount], { party }) => [
      { kind: 'pass-on', to: party(to as string), ...tokenOr(token as string), amount: amount as bigint },
    ],
  },
  0x06: {
    types: TO_SOMEBODY,
    read: ([token, to, share], { party }) => [
      { kind: 'pass-on', to: party(to as string), ...tokenOr(token as string), share: share as bigint },
    ],
  },
  0x08: v2(false),
  0x09: v2(true),
  0x0a: {
    types: [`(${DETAILS},address,uint256)`, 'bytes'],
    read: ([permit], { caller }) => permitted(permit as AbiValue[], caller),
  },
  // Wraps what is sent with the call: the recipient is known, but not the wrapped token.
  0x0b: {
    types: ['address', 'uint256'],
    read([to, amount], { self, caller, party }) {
      const recipient = party(to as string);
      return recipient === self || recipient === caller
        ? []
        : [{ kind: 'pass-on', to: recipient, amount: amount as bigint }];
    },
  },
  0x0c: {
    types: ['address', 'uint256'],
    read: ([to, amount], parties) => arrives(to as string, undefined, amount as bigint, parties),
  },
  0x0d: {
    types: ['(address,address,uint160,address)[]'],
    read: ([batch], parties) =>
      (batch as [string, string, bigint, string][]).map(([from, to, amount, token]) =>
        from === parties.caller
          ? moved(token, to, amount, parties)
          : { kind: 'token', from, to: parties.party(to), amount, token },
      ),
  },
  0x0e: { types: TO_SOMEBODY, read: () => [] },
  0x21: { types: ['bytes', 'bytes[]'], plan: true },
};
