/** A call, named and with its arguments. */
import { keccak256 } from 'ethers/crypto';
import type { AbiValue } from '../contracts/abi.ts';
import type { Amount } from '../coin.ts';
import type { CallArgument, DecodedCall } from '../approval/summary.ts';
import type { Call } from '../contracts/calls.ts';
import { listedToken } from '../contracts/listed-token.ts';
import type { Token } from '../network.ts';

/** The call as the approval shows it. Amounts of tokens the operator lists are scaled. */
export function showCall(
  call: Call,
  data: string,
  target: Token | undefined,
  tokens: readonly Token[],
): DecodedCall {
  const path = call.values.find((v) => v.name === 'path' && Array.isArray(v.value))?.value as
    | string[]
    | undefined;
  const tokenOf = (argument: string): Token | undefined => {
    if (path && argument.startsWith('amountIn')) return listedToken(tokens, path[0] ?? '');
    if (path && argument.startsWith('amountOut')) return listedToken(tokens, path.at(-1) ?? '');
    return argument === 'amount' ? target : undefined;
  };
  return {
    name: call.name,
    data,
    digest: calldataDigest(data),
    arguments: call.values.map(({ name, type, value }): CallArgument => {
      const token = typeof value === 'bigint' ? tokenOf(name) : undefined;
      const amount: Amount | undefined = token && {
        raw: value as bigint,
        decimals: token.decimals,
        symbol: token.symbol,
        token: token.address,
      };
      return { name, type, value: text(value), ...(amount ? { amount } : {}) };
    }),
  };
}

/** keccak256(length ‖ data), where the length is a uint256. */
function calldataDigest(data: string): string {
  const length = (data.length - 2) / 2;
  return keccak256(`0x${length.toString(16).padStart(64, '0')}${data.slice(2)}`);
}

function text(value: AbiValue): string {
  return Array.isArray(value) ? `[${value.map(text).join(', ')}]` : String(value);
}
