/**
 * What a list of commands for Uniswap's Universal Router gives and asks for. One byte is a command, its first bit says that it may fail.
 * https://github.com/Uniswap/universal-router/blob/main/contracts/libraries/Commands.sol
 */
import { type AbiValue, decodeExactly } from '../contracts/abi.ts';
import { checksum } from '../contracts/evm-address.ts';
import { type Effect, NOBODY } from '../contracts/calls.ts';
import { type Parties as Callers, party as partyOf, pathEnds } from './decode-call.ts';
import { permitted } from './permit2.ts';

const MAY_FAIL = 0x80;
/** Permit2's permits: somebody else may have handed them in already. */
const PERMITS = [0x03, 0x0a];
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
  const party = (address: string): string => partyOf(address, '12', { self, caller });
  const allEffects: Effect[] = [];
  for (const [i, code] of codes.entries()) {
    const command = COMMANDS[code & ~MAY_FAIL];
    // What may fail without an error brings nothing for sure, and what it was given stays in the router.
    if (!command || (code & MAY_FAIL && !PERMITS.includes(code & ~MAY_FAIL))) return undefined;
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
    if (!effects || allEffects.length + effects.length > MAX_COMMANDS) return undefined;
    allEffects.push(...effects);
  }
  return allEffects;
}

interface Parties extends Callers {
  party: (address: string) => string;
}

type Command =
  | { types: readonly string[]; read: (values: AbiValue[], parties: Parties) => Effect[] }
  | { types: readonly string[]; plan: true };

function arrives(
  to: string,
  token: string | undefined,
  amount: bigint,
  { party }: Parties,
): Extract<Effect, { kind: 'receive' }> {
  return { kind: 'receive', to: party(to), amount, ...(token && BigInt(token) !== 0n && { token }) };
}

/** Pays with the caller's tokens, or with what is already in the router. */
function swap(types: readonly string[], exactOut: boolean): Command {
  return {
    types,
    read([to, one, other, path, isUsers], parties) {
      const ends = pathEnds(path as string | string[]);
      if (!ends) throw new RangeError('not a path');
      // V3's path is reversed if the output is exact.
      const [first, last] = exactOut && types === SWAP_V3 ? [ends[1], ends[0]] : ends;
      const [paid, comes] = (exactOut ? [other, one] : [one, other]) as [bigint, bigint];
      const gets = arrives(to as string, last, comes, parties);
      if (isUsers) return [{ kind: 'pay', token: first, amount: paid }, gets];
      // An exact output leaves of it what it does not need.
      return exactOut ? [gets] : [{ kind: 'use', token: first, ...heldAmount(paid) }, gets];
    },
  };
}

/** `1 << 255` stands for all that the router holds. */
function heldAmount(amount: bigint): { amount?: bigint } {
  return amount === 1n << 255n ? {} : { amount };
}

/** Of the caller's tokens, by an allowance in Permit2. */
function moved(token: string, to: string, amount: bigint, { caller, self, party }: Parties): Effect {
  const recipient = party(to);
  if (recipient === self) return { kind: 'pay', token, amount, to: self };
  return { kind: 'token', from: caller, to: recipient, amount, token };
}

/** The zero address is the coin. */
function tokenOr(token: string): { token?: string } {
  return token === NOBODY ? {} : { token };
}

/** All that the router holds of it. */
const sweep: Command = {
  types: TO_SOMEBODY,
  read: ([token, to, amount], parties) => [
    { ...arrives(to as string, token as string, amount as bigint, parties), rest: true },
  ],
};

const COMMANDS: Readonly<Record<number, Command>> = {
  0x00: swap(SWAP_V3, false),
  0x01: swap(SWAP_V3, true),
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
  0x08: swap(SWAP_V2, false),
  0x09: swap(SWAP_V2, true),
  0x0a: {
    types: [`(${DETAILS},address,uint256)`, 'bytes'],
    read: ([permit], { caller }) => permitted(permit as AbiValue[], caller),
  },
  // Wraps what is sent with the call: the recipient is known, but not the wrapped token.
  0x0b: {
    types: ['address', 'uint256'],
    read([to, amount], { self, caller, party }) {
      const recipient = party(to as string);
      if (recipient !== self && recipient !== caller)
        return [{ kind: 'pass-on', to: recipient, amount: amount as bigint }];
      return [{ kind: 'use', ...heldAmount(amount as bigint), ...(recipient === self && { wraps: true }) }];
    },
  },
  0x0c: {
    types: ['address', 'uint256'],
    read: ([to, amount], parties) => [
      { ...arrives(to as string, undefined, amount as bigint, parties), rest: true, unwraps: true },
    ],
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
