/** Errors of exchanges, which docs/errors.md lists, and their contracts' messages in plain words. */
import { ConnectError } from '../base/errors.ts';
import { dexOf } from './entry.ts';

export type SwapFailure =
  | 'get-price.failed'
  | 'allowance-error'
  | 'exchange-not-found'
  | 'sell-only'
  | 'unavailable';

/** An error with the code `swap.<dex>.<failure>`. */
export function swapError(
  exchange: string,
  failure: SwapFailure,
  message: string,
  details: Record<string, unknown> = {},
  cause?: unknown,
): ConnectError {
  return new ConnectError(
    `swap.${dexOf(exchange)}.${failure}`,
    message,
    { exchange, ...details },
    cause === undefined ? {} : { cause },
  );
}

export function noExchange(exchange: string, message: string): ConnectError {
  return new ConnectError('swap.no-exchange-found', message, { exchange });
}

/** Revert reasons of routers and pools. */
const REASONS: readonly [RegExp, string][] = [
  [/EXPIRED|Transaction too old/i, 'Its deadline has passed. Get a new rate and swap again.'],
  [
    /INSUFFICIENT_OUTPUT_AMOUNT|Too little received|Insufficient WETH9/i,
    'The price has moved: it would give less than the minimum. Get a new rate.',
  ],
  [
    /EXCESSIVE_INPUT_AMOUNT|Too much requested/i,
    'The price has moved: it would take more than the maximum. Get a new rate.',
  ],
  [
    /INSUFFICIENT_LIQUIDITY|ds-math-sub-underflow/i,
    'The pools no longer hold enough for it. Try a smaller amount.',
  ],
  [/UniswapV2: K\b|^IIA$|fee-on-transfer/, 'One of the tokens seems to charge an undeclared transfer fee.'],
  [
    /TRANSFER_FROM_FAILED|transferFrom failed|^STF$/i,
    'The token could not be taken from the wallet: it holds too little, or has not allowed as much.',
  ],
  [
    /UniswapV2: TRANSFER_FAILED|TransferHelper: TRANSFER_FAILED|^TF$|^ST$|^STE$|ETH_TRANSFER_FAILED/i,
    'The output could not be paid out.',
  ],
];

/** Why a swap reverted with `reason`, in plain words; for an unknown reason, the contract's own. */
export function explain(reason: string): string {
  return REASONS.find(([words]) => words.test(reason))?.[1] ?? `The exchange refuses it: ${reason}.`;
}
