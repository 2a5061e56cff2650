import { decodeCall } from '../../../chains/call-reading/decode-call.ts';
import { type RouterCall, type RouterSwap, named, same } from '../../router-swap.ts';

/** https://github.com/Uniswap/v2-periphery/blob/master/contracts/UniswapV2Router02.sol */
const V2 =
  /^swap(Exact)?(ETH|Tokens)For(Exact)?(ETH|Tokens)(?:SupportingFeeOnTransferTokens)?\((?:uint256,){1,2}address\[\],address,uint256\)$/;

export function readSwap({ data, value }: RouterCall, wrapped: string): RouterSwap | undefined {
  const call = decodeCall(data);
  const [, exactIn, from, , to] = V2.exec(call.signature ?? '') ?? [];
  if (!from || !to) return undefined;
  const args = named(call);
  const path = args['path'] as string[];
  const [first, last] = [path[0], path.at(-1)];
  const [fromCoin, toCoin] = [from === 'ETH', to === 'ETH'];
  if (path.length < 2 || !first || !last) return undefined;
  if ((fromCoin && !same(first, wrapped)) || (toCoin && !same(last, wrapped))) return undefined;
  // Routers refuse coins sent with a token swap.
  if (!fromCoin && value !== 0n) return undefined;
  const sell = exactIn !== undefined;
  return {
    from: fromCoin ? '' : first,
    to: toCoin ? '' : last,
    sell,
    input: fromCoin ? value : (args[sell ? 'amountIn' : 'amountInMax'] as bigint),
    output: args[sell ? 'amountOutMin' : 'amountOut'] as bigint,
    recipient: args['to'] as string,
    deadline: args['deadline'] as bigint,
  };
}
