import { decodeCall, pathEnds } from '../../../chains/call-reading/decode-call.ts';
import type { AbiValue } from '../../../chains/contracts/abi.ts';
import type { Call } from '../../../chains/contracts/calls.ts';
import { type RouterCall, type RouterSwap, named, same } from '../../router-swap.ts';

/** SwapRouter, not SwapRouter02, whose calls have no deadline: https://github.com/Uniswap/v3-periphery */
const SINGLE = '(address,address,uint24,address,uint256,uint256,uint256,uint160)';
const PATH = '(bytes,address,uint256,uint256,uint256)';
const NOBODY = `0x${'0'.repeat(40)}`;

export function readSwap({ to: router, data, value }: RouterCall, wrapped: string): RouterSwap | undefined {
  const outer = decodeCall(data);
  const datas = outer.signature === 'multicall(bytes[])' ? (named(outer)['data'] as string[]) : [data];
  const [first, ...rest] = datas.map(decodeCall);
  const swap = first && readOne(first);
  if (!swap) return undefined;
  let refunds = false;
  let unwrapped: { least: bigint; recipient: string } | undefined;
  for (const call of rest) {
    if (call.signature === 'refundETH()') refunds = true;
    else if (call.signature === 'unwrapWETH9(uint256,address)' && !unwrapped) {
      const { amountMinimum, recipient } = named(call);
      unwrapped = { least: amountMinimum as bigint, recipient: recipient as string };
    } else return undefined;
  }
  const { sell } = swap;
  // The router takes all coins sent, and keeps what is unused unless asked to refund it.
  const fromCoin = value !== 0n;
  if (fromCoin && (!same(swap.from, wrapped) || value !== swap.input || (!sell && !refunds)))
    return undefined;
  const kept = same(swap.recipient, NOBODY) || same(swap.recipient, router);
  if (kept !== (unwrapped !== undefined)) return undefined;
  if (!unwrapped) return fromCoin ? { ...swap, from: '' } : swap;
  if (!same(swap.to, wrapped)) return undefined;
  const { least, recipient } = unwrapped;
  return {
    ...swap,
    from: fromCoin ? '' : swap.from,
    to: '',
    output: sell && least > swap.output ? least : swap.output,
    recipient,
  };
}

function readOne({ name, signature, values }: Call): RouterSwap | undefined {
  const match = /^exact(Input|Output)(Single)?$/.exec(name ?? '');
  if (!match) return undefined;
  const sell = match[1] === 'Input';
  const params = values[0]?.value as AbiValue[];
  const sides = (exact: bigint, bound: bigint) =>
    sell ? { input: exact, output: bound } : { input: bound, output: exact };
  if (match[2]) {
    if (signature !== `${name}(${SINGLE})`) return undefined;
    const [from, to, , recipient, deadline, exact, bound, edge] = params as [
      string,
      string,
      bigint,
      string,
      ...bigint[],
    ];
    // With a price limit the swap could be filled partially.
    if (edge !== 0n) return undefined;
    return { from, to, sell, ...sides(exact!, bound!), recipient, deadline: deadline! };
  }
  if (signature !== `${name}(${PATH})`) return undefined;
  const [path, recipient, deadline, exact, bound] = params as [string, string, bigint, bigint, bigint];
  const ends = pathEnds(path);
  if (!ends) return undefined;
  // Reversed if the output is exact.
  const [from, to] = sell ? ends : [ends[1], ends[0]];
  return { from, to, sell, ...sides(exact, bound), recipient, deadline };
}
