/** Effects of Permit2's functions that take more than one argument: https://github.com/Uniswap/permit2 */
import type { AbiValue } from '../contracts/abi.ts';
import type { Effect } from '../contracts/calls.ts';

type Named = Record<string, AbiValue>;

/** `PermitSingle` and `PermitBatch`: what `owner` lets the spender take. */
export function permitted(permit: AbiValue[], owner: string): Effect[] {
  const [details, spender] = permit as [AbiValue[], string];
  const each = (Array.isArray(details[0]) || !details.length ? details : [details]) as [
    string,
    bigint,
    bigint,
  ][];
  return each.map(([token, amount, until]) => ({
    kind: 'approval',
    from: owner,
    spender,
    amount,
    token,
    until,
  }));
}

/** Takes what `owner` signed now, to where the caller says. */
function taken({ permit, transferDetails, owner }: Named): Effect[] | undefined {
  const [what] = permit as [AbiValue[]];
  const batch = Array.isArray(what[0]) || !what.length;
  const tokens = (batch ? what : [what]) as [string, bigint][];
  const moves = (batch ? transferDetails : [transferDetails]) as [string, bigint][];
  if (tokens.length !== moves.length) return undefined;
  return moves.map(([to, amount], i) => ({
    kind: 'token',
    from: owner as string,
    to,
    amount,
    token: tokens[i]![0],
  }));
}

const ONE = '((address,uint256),uint256,uint256),(address,uint256),address';
const BATCH = '((address,uint256)[],uint256,uint256),(address,uint256)[],address';

/** By signature. Undefined where the arguments do not fit one another. */
export const PERMIT2: Readonly<Record<string, (args: Named) => Effect[] | undefined>> = {
  'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)': ({ owner, permitSingle }) =>
    permitted(permitSingle as AbiValue[], owner as string),
  'permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)': ({ owner, permitBatch }) =>
    permitted(permitBatch as AbiValue[], owner as string),
  'transferFrom((address,address,uint160,address)[])': ({ transferDetails }) =>
    (transferDetails as [string, string, bigint, string][]).map(([from, to, amount, token]) => ({
      kind: 'token',
      from,
      to,
      amount,
      token,
    })),
  [`permitTransferFrom(${ONE},bytes)`]: taken,
  [`permitTransferFrom(${BATCH},bytes)`]: taken,
  [`permitWitnessTransferFrom(${ONE},bytes32,string,bytes)`]: taken,
  [`permitWitnessTransferFrom(${BATCH},bytes32,string,bytes)`]: taken,
  'lockdown((address,address)[])': ({ approvals }) =>
    (approvals as [string, string][]).map(([token, spender]) => ({
      kind: 'approval',
      spender,
      amount: 0n,
      token,
    })),
};
