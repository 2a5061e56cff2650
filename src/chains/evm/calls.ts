/** Reading what a call does: ERC-20, ERC-721, ERC-1155 and the functions that wallets meet most, by their 4-byte selector. */
import type { Amount, CallArgument, DecodedCall } from '../chain.ts';
import { listedToken } from '../listed-token.ts';
import type { Token } from '../network.ts';
import { type AbiValue, decode, selector, splitTypes } from './abi.ts';

/** Names and types as the standards and the contracts' sources have them. */
const FUNCTIONS = `
transfer(address to, uint256 amount)
transferFrom(address from, address to, uint256 amount)
approve(address spender, uint256 amount)
increaseAllowance(address spender, uint256 amount)
decreaseAllowance(address spender, uint256 amount)
increaseApproval(address spender, uint256 amount)
decreaseApproval(address spender, uint256 amount)
permit(address owner, address spender, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
permit(address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s)
safeTransferFrom(address from, address to, uint256 tokenId)
safeTransferFrom(address from, address to, uint256 tokenId, bytes data)
setApprovalForAll(address operator, bool approved)
safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)
safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)
approve(address token, address spender, uint160 amount, uint48 expiration)
transferFrom(address from, address to, uint160 amount, address token)
deposit()
withdraw(uint256 amount)
mint(address to, uint256 amount)
mint(uint256 amount)
burn(uint256 amount)
claim()
stake(uint256 amount)
delegate(address delegatee)
castVote(uint256 proposalId, uint8 support)
transferOwnership(address newOwner)
renounceOwnership()
upgradeTo(address implementation)
upgradeToAndCall(address implementation, bytes data)
multicall(bytes[] data)
multicall(uint256 deadline, bytes[] data)
multicall(bytes32 previousBlockhash, bytes[] data)
aggregate3((address target, bool allowFailure, bytes callData)[] calls)
execute(bytes commands, bytes[] inputs)
execute(bytes commands, bytes[] inputs, uint256 deadline)
execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)
swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)
swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to)
swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)
swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline)
swapTokensForExactETH(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)
swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)
swapETHForExactTokens(uint256 amountOut, address[] path, address to, uint256 deadline)
swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)
swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline)
swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)
addLiquidity(address tokenA, address tokenB, uint256 amountADesired, uint256 amountBDesired, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)
addLiquidityETH(address token, uint256 amountTokenDesired, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline)
removeLiquidity(address tokenA, address tokenB, uint256 liquidity, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)
removeLiquidityETH(address token, uint256 liquidity, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline)
exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)
exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)
exactInput((bytes path, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum) params)
exactInput((bytes path, address recipient, uint256 amountIn, uint256 amountOutMinimum) params)
exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) params)
exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) params)
exactOutput((bytes path, address recipient, uint256 deadline, uint256 amountOut, uint256 amountInMaximum) params)
exactOutput((bytes path, address recipient, uint256 amountOut, uint256 amountInMaximum) params)
unwrapWETH9(uint256 amountMinimum, address recipient)
refundETH()`;

/** What a call means for the wallet's holdings, as far as its selector says. */
export type Effect =
  /** ERC-20, or an ERC-721 by the same selector (`transferFrom`). */
  | { kind: 'token'; from?: string; to: string; amount: bigint }
  | { kind: 'nft'; from: string; to: string; id: bigint; amount: bigint }
  | { kind: 'approval'; spender: string; amount: bigint; token?: string; increase?: true }
  | { kind: 'approval-for-all'; operator: string; approved: boolean }
  | { kind: 'other' };

export interface Call {
  /** `transfer(address,uint256)`; null when the selector is not known or the arguments do not fit it. */
  signature: string | null;
  name: string | null;
  effect: Effect;
  values: readonly { name: string; type: string; value: AbiValue }[];
}

interface KnownFunction {
  name: string;
  signature: string;
  inputs: { name: string; type: string }[];
}

let bySelector: Map<string, KnownFunction> | undefined;

export function decodeCall(data: string): Call {
  bySelector ??= new Map(FUNCTIONS.trim().split('\n').map(readFunction));
  const known = bySelector.get(data.slice(0, 10));
  const unknown: Call = { signature: null, name: null, effect: { kind: 'other' }, values: [] };
  if (!known) return unknown;
  try {
    const values = decode(
      known.inputs.map((input) => input.type),
      `0x${data.slice(10)}`,
    );
    return {
      signature: known.signature,
      name: known.name,
      effect: effectOf(known.signature, values),
      values: known.inputs.map((input, i) => ({ ...input, value: values[i]! })),
    };
  } catch {
    return unknown;
  }
}

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

/** The reason inside revert bytes: `Error(string)`, `Panic(uint256)`, else undefined. */
export function revertReason(data: string | undefined): string | undefined {
  try {
    if (data?.startsWith('0x08c379a0'))
      return String(decode(['string'], `0x${data.slice(10)}`)[0]).slice(0, 200);
    if (data?.startsWith('0x4e487b71')) return `Panic 0x${BigInt(`0x${data.slice(10)}`).toString(16)}`;
  } catch {
    // Bytes that only look like a reason are none.
  }
  return undefined;
}

/** Nobody owns so much of anything: a limit of this or more has no end (2^96 − 1 is the largest limit of some tokens). */
export function isUnlimited(amount: bigint): boolean {
  return amount >= (1n << 96n) - 1n;
}

function effectOf(signature: string, values: readonly AbiValue[]): Effect {
  const [a, b, c, d] = values as [string, string, bigint, bigint];
  switch (signature) {
    case 'transfer(address,uint256)':
      return { kind: 'token', to: a, amount: values[1] as bigint };
    case 'transferFrom(address,address,uint256)':
      return { kind: 'token', from: a, to: b, amount: c };
    case 'safeTransferFrom(address,address,uint256)':
    case 'safeTransferFrom(address,address,uint256,bytes)':
      return { kind: 'nft', from: a, to: b, id: c, amount: 1n };
    case 'safeTransferFrom(address,address,uint256,uint256,bytes)':
      return { kind: 'nft', from: a, to: b, id: c, amount: d };
    case 'approve(address,uint256)':
      return { kind: 'approval', spender: a, amount: values[1] as bigint };
    case 'increaseAllowance(address,uint256)':
    case 'increaseApproval(address,uint256)':
      return { kind: 'approval', spender: a, amount: values[1] as bigint, increase: true };
    case 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)':
      return { kind: 'approval', spender: b, amount: c };
    case 'approve(address,address,uint160,uint48)':
      return { kind: 'approval', spender: b, amount: c, token: a };
    case 'setApprovalForAll(address,bool)':
      return { kind: 'approval-for-all', operator: a, approved: values[1] === true };
    default:
      return { kind: 'other' };
  }
}

/** A line of `FUNCTIONS`: names of a tuple's parts are for readers of this file. */
function readFunction(line: string): [selector: string, known: KnownFunction] {
  const [, name, list] = /^(\w+)\((.*)\)$/.exec(line)!;
  const inputs = splitTypes(list!).map((input) => {
    const [, type, argument] = /^(.*) (\w+)$/.exec(input)!;
    return { type: type!.replace(/(\w+) \w+/g, '$1').replaceAll(' ', ''), name: argument! };
  });
  const types = inputs.map((input) => input.type);
  return [selector(name!, types), { name: name!, inputs, signature: `${name}(${types.join(',')})` }];
}

function text(value: AbiValue): string {
  return Array.isArray(value) ? `[${value.map(text).join(', ')}]` : String(value);
}
