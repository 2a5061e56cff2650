/** What a call of a listed router does, read from its bytes alone: for whoever is about to approve it. */
import type { Amount, Coin, SwapTerms } from '../chains/chain.ts';
import type { AbiValue } from '../chains/contracts/abi.ts';
import { checksum } from '../chains/contracts/evm-address.ts';
import type { Call } from '../chains/contracts/calls.ts';
import { decodeCall } from '../chains/call-reading/decode-call.ts';
import { listedToken } from '../chains/contracts/listed-token.ts';
import type { Network } from '../chains/network.ts';
import { shortName } from '../chains/contracts/token-facts.ts';
import { type ExchangeEntry, entriesOf } from './entry.ts';

export interface RouterCall {
  to: string;
  /** Smallest units of the coin. */
  value: bigint;
  data: string;
}

/** The exchange whose router `address` is; undefined where the operator lists none. */
export function exchangeAt(network: Network, address: string): ExchangeEntry | undefined {
  return entriesOf(network).find(({ router }) => same(router, address));
}

/**
 * Undefined for a call that is no plain swap: then nobody should say that it is one. Amounts of tokens that are not listed have no
 * decimals.
 */
export function readTerms(
  exchange: ExchangeEntry,
  call: RouterCall,
  network: Network,
  coin: Coin,
): SwapTerms | undefined {
  const read = exchange.kind === 'uniswap-v2' ? readV2 : readV3;
  const found = read(call, exchange.wrapped.toLowerCase());
  if (!found) return undefined;
  const { from, to, sell, input, output, recipient, deadline } = found;
  const amount = (raw: bigint, token: string): Amount => amountOf(raw, token, network, coin);
  return {
    orderType: sell ? 'SELL' : 'BUY',
    input: amount(input, from),
    output: amount(output, to),
    recipient: checksum(recipient),
    deadline,
  };
}

interface Found {
  /** Empty for the coin. */
  from: string;
  to: string;
  sell: boolean;
  input: bigint;
  output: bigint;
  recipient: string;
  deadline: bigint;
}

/** https://github.com/Uniswap/v2-periphery/blob/master/contracts/UniswapV2Router02.sol */
const V2 =
  /^swap(Exact)?(ETH|Tokens)For(Exact)?(ETH|Tokens)(?:SupportingFeeOnTransferTokens)?\((?:uint256,){1,2}address\[\],address,uint256\)$/;

function readV2({ data, value }: RouterCall, wrapped: string): Found | undefined {
  const call = decodeCall(data);
  const [, exactIn, from, , to] = V2.exec(call.signature ?? '') ?? [];
  if (!from || !to) return undefined;
  const args = named(call);
  const path = args['path'] as string[];
  const [first, last] = [path[0], path.at(-1)];
  const [fromCoin, toCoin] = [from === 'ETH', to === 'ETH'];
  if (path.length < 2 || !first || !last) return undefined;
  if ((fromCoin && !same(first, wrapped)) || (toCoin && !same(last, wrapped))) return undefined;
  // Routers refuse coins with a swap of tokens.
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

/** SwapRouter, not SwapRouter02, whose calls have no deadline: https://github.com/Uniswap/v3-periphery */
const SINGLE = '(address,address,uint24,address,uint256,uint256,uint256,uint160)';
const PATH = '(bytes,address,uint256,uint256,uint256)';
const NOBODY = `0x${'0'.repeat(40)}`;

function readV3({ to: router, data, value }: RouterCall, wrapped: string): Found | undefined {
  const outer = decodeCall(data);
  const datas = outer.signature === 'multicall(bytes[])' ? (named(outer)['data'] as string[]) : [data];
  const [first, ...rest] = datas.map(decodeCall);
  const swap = first && readV3Swap(first);
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
  // Of the coin the router takes all that is sent, and keeps what is not used unless it is asked for.
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

function readV3Swap({ name, signature, values }: Call): Found | undefined {
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
    // A price at which it stops would fill a part of it only.
    if (edge !== 0n) return undefined;
    return { from, to, sell, ...sides(exact!, bound!), recipient, deadline: deadline! };
  }
  if (signature !== `${name}(${PATH})`) return undefined;
  const [path, recipient, deadline, exact, bound] = params as [string, string, bigint, bigint, bigint];
  // Tokens of 20 bytes with the pools' fees of 3 between them; from the end where the output is exact.
  const ends = path.length >= 88 && (path.length - 42) % 46 === 0;
  if (!ends) return undefined;
  const [head, tail] = [path.slice(0, 42), `0x${path.slice(-40)}`];
  const [from, to] = sell ? [head, tail] : [tail, head];
  return { from, to, sell, ...sides(exact, bound), recipient, deadline };
}

function named({ values }: Call): Record<string, AbiValue> {
  return Object.fromEntries(values.map(({ name, value }) => [name, value]));
}

function amountOf(raw: bigint, token: string, network: Network, coin: Coin): Amount {
  if (token === '') return { raw, ...coin };
  const listed = listedToken(network.tokens, token);
  return {
    raw,
    decimals: listed?.decimals ?? null,
    symbol: listed?.symbol ?? shortName(checksum(token)),
    token: checksum(token),
  };
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
