/** Trading pairs, rates and swaps: docs/swaps.md. */
import * as z from 'zod/mini';
import { SECRET_TYPES } from '../chains/secret-type.ts';
import { SecretTypeSchema } from './secret-type.ts';
import { line, NetworkId, WalletId } from './text.ts';

const Asset = z.object({
  secretType: SecretTypeSchema,
  symbol: z.string(),
  /** Empty for the coin. */
  tokenAddress: z.string(),
});

export const TradingPair = z.object({ from: Asset, to: Asset });
export type TradingPair = z.infer<typeof TradingPair>;

/** SELL: the input is exact. BUY: the output is. */
export const OrderType = z.enum(['SELL', 'BUY']);
export type OrderType = z.infer<typeof OrderType>;

const Fee = z.object({
  symbol: z.string(),
  decimals: z.int(),
  /** Coins or tokens, rounded to what a number can hold; `rawAmount` is exact. */
  amount: z.number(),
  /** Smallest units, decimal digits. */
  rawAmount: z.string(),
});

export const ExchangeRate = z.object({
  /** Name of the exchange, as a swap takes it. */
  exchange: z.string(),
  orderType: OrderType,
  /** Coins or tokens, rounded to what a number can hold; `rawInputAmount` and `rawOutputAmount` are exact. */
  inputAmount: z.number(),
  outputAmount: z.number(),
  /** In percent: how much worse than the rate a swap may be before it fails. */
  slippage: z.number(),
  /** In percent: the pools' fee on the input. The rate includes it. */
  fee: z.number(),
  /** In percent, without the fee: how much the amount itself moves the price. */
  priceImpact: z.optional(z.number()),
  /** Smallest units, decimal digits, with how many of them are behind the point. */
  rawInputAmount: z.optional(z.string()),
  rawOutputAmount: z.optional(z.string()),
  inputDecimals: z.optional(z.int()),
  outputDecimals: z.optional(z.int()),
  /**
   * The approximate network fee at the current gas price; the exact fee is shown at approval. Excludes an approval of the input, which may
   * be needed first. Absent if the node does not report a gas price.
   */
  networkFee: z.optional(Fee),
  /** Addresses of the tokens that the swap goes through, in order, the first and the last among them; empty for the coin. */
  route: z.optional(z.array(z.string())),
  /** Only of an exchange between chains: it is not one transaction, and a fee is missing of what comes back if it fails. */
  crossChain: z.optional(
    z.object({
      /** About how many seconds from sending the input until the output is sent. */
      seconds: z.number(),
      /** In the output's asset; the rate includes both. */
      liquidityFee: Fee,
      outboundFee: Fee,
      /** The least that is paid out at this slippage, in the output's smallest units; for less, the input comes back. */
      rawMinimumOutput: z.string(),
      /** What is missing of the input if it comes back, in the input's asset. */
      refundFee: Fee,
    }),
  ),
});
export type ExchangeRate = z.infer<typeof ExchangeRate>;

/** What a swap actually took and gave: smallest units, decimal digits; null if the transaction does not show it. */
export interface SwapOutcome {
  rawInputAmount: string | null;
  rawOutputAmount: string | null;
}

/** Why an exchange has no rate. */
export const NoRate = z.object({
  exchange: z.string(),
  code: z.string(),
  message: z.string(),
  /** Of `swap.<dex>.unavailable`: the reason in one word, as in the error of a creation. */
  details: z.optional(z.object({ reason: z.string() })),
});
export type NoRate = z.infer<typeof NoRate>;

export const ExchangeRates = z.object({
  exchangeRates: z.array(ExchangeRate),
  /** One of `exchangeRates`; null if there is none. */
  bestRate: z.nullable(ExchangeRate),
  /** Exchanges that trade on the chain and have no rate for this. */
  noRates: z.optional(z.array(NoRate)),
});
export type ExchangeRates = z.infer<typeof ExchangeRates>;

/** A number, or a decimal string where a number would not be exact. */
const Amount = z.union([z.number(), z.string().check(z.maxLength(340))], {
  error: 'must be a number or a decimal string',
});

/** NEO is a value of the interface that no exchange supports. */
const SwapChain = z.enum([...SECRET_TYPES, 'NEO']);

/** Empty, null and absent mean the coin. */
const SwapToken = z.optional(z.nullable(z.union([z.literal(''), line(128)])));

const Percent = z.union([z.number(), z.string().check(z.maxLength(16))], { error: 'must be a percentage' });

export const RatesQuery = z.strictObject({
  fromSecretType: SwapChain,
  toSecretType: SwapChain,
  fromToken: SwapToken,
  toToken: SwapToken,
  /** The amount of the input (SELL) or the output (BUY), in coins or tokens. */
  amount: Amount,
  orderType: OrderType,
  /** In percent, at most 50; 0.5 when absent. */
  slippage: z.optional(Percent),
  /** Whose default network is asked; the first of the chain when absent. */
  walletId: z.optional(WalletId),
  /** Another network of the wallet, or of the chain. */
  network: z.optional(NetworkId),
});
export type RatesQuery = z.infer<typeof RatesQuery>;

export const CreateSwap = z.strictObject({
  walletId: WalletId,
  /** Of the wallet; its default one when absent. */
  network: z.optional(z.nullable(NetworkId)),
  /** Who receives the output; the wallet itself when absent. Between chains it is required. */
  destinationWalletId: z.optional(z.nullable(WalletId)),
  fromSecretType: SwapChain,
  toSecretType: SwapChain,
  fromToken: SwapToken,
  toToken: SwapToken,
  /** SELL: exactly this goes in. BUY: the rate's input; at most this and the slippage goes in. */
  inputAmount: z.optional(z.nullable(Amount)),
  /** BUY: exactly this comes out. SELL: the rate's output; at least this less the slippage comes out. */
  outputAmount: z.optional(z.nullable(Amount)),
  orderType: OrderType,
  /** An exchange's name, from a rate. */
  exchange: line(64),
  /** In percent, at most 50; 0.5 when absent. */
  slippage: z.optional(Percent),
});
export type CreateSwap = z.infer<typeof CreateSwap>;
