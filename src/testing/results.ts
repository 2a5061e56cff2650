/** Answers of a script have the form that the wallet's have, by the same schemas. */
import * as z from 'zod/mini';
import { NativeBalance, NonFungible, TokenBalance, Wallet } from '../api/wallet.ts';
import { Profile } from '../api/token.ts';
import { ExchangeRates, TradingPair } from '../api/swap.ts';
import { SignatureResult, TransactionResult } from '../api/transaction.ts';
import type { Action } from '../base/actions.ts';
import { loadPayloads } from '../chains/load.ts';
import { secretTypeOf } from '../chains/transaction-types.ts';
import { issuesOf } from '../channel/request-errors.ts';
import type { Results } from '../channel/messages.ts';
import { RequestInvalidError } from '../base/errors.ts';

const Digits = z.string().check(z.regex(/^\d+$/, 'must be decimal digits'));
const Decimal = z.string().check(z.regex(/^\d+(\.\d+)?$/, 'must be a decimal text'));
const Native = z.looseObject({ type: z.string(), walletId: z.string() });

const RESULTS: { [A in Exclude<Action, 'pending' | 'unlink' | 'resume' | 'rpc'>]: z.ZodMiniType } = {
  linkWallets: z.array(Wallet),
  manageWallets: Wallet,
  chooseRecipient: z.string().check(z.minLength(1)),
  transfer: TransactionResult,
  execute: TransactionResult,
  executeAll: z.array(TransactionResult),
  sign: SignatureResult,
  useNetwork: z.null(),
  profile: Profile,
  balance: NativeBalance,
  tokenBalances: z.array(TokenBalance),
  maxSpendable: Decimal,
  nonFungibles: z.array(NonFungible),
  transactionStatus: z.enum(['pending', 'confirmed', 'failed', 'unknown']),
  transactionUrl: z.nullable(z.string()),
  prices: z.nullable(
    z.object({
      currency: z.string().check(z.regex(/^[A-Z]{3}$/, 'must be three capital letters (ISO 4217)')),
      prices: z.array(
        z.object({ tokenAddress: z.string(), symbol: z.string(), price: z.number(), at: z.number() }),
      ),
    }),
  ),
  build: Native,
  swapPairs: z.array(TradingPair),
  swapRates: ExchangeRates,
  createSwap: z.array(Native),
  swapOutcome: z.nullable(
    z.object({ rawInputAmount: z.nullable(Digits), rawOutputAmount: z.nullable(Digits) }),
  ),
};

export function checkedWallets(what: string, wallets: readonly Wallet[]): Wallet[] {
  return fitting(what, z.array(Wallet), wallets) as Wallet[];
}

/** Rejects an answer that no wallet gives, by the name of what is wrong. */
export async function checkedResult<A extends Action>(action: A, result: unknown): Promise<Results[A]> {
  if (Object.hasOwn(RESULTS, action)) fitting(action, RESULTS[action as keyof typeof RESULTS], result);
  if (action === 'build' || action === 'createSwap')
    for (const request of [result].flat() as { type: string }[]) await checkNative(action, request);
  return result as Results[A];
}

async function checkNative(action: Action, request: { type: string }): Promise<void> {
  const chain = secretTypeOf(request.type);
  if (!chain) throw unlike(action, `type: ${request.type} is of no chain`);
  try {
    (await loadPayloads(chain)).parse(request);
  } catch (error) {
    throw error instanceof RequestInvalidError ? unlike(action, error.shortMessage) : error;
  }
}

function fitting(what: string, schema: z.ZodMiniType, value: unknown): unknown {
  const { success, error, data } = schema.safeParse(value);
  if (success) return data;
  throw unlike(
    what,
    issuesOf(error)
      .map(({ path, message }) => `${path} ${message}`.trim())
      .join('; '),
  );
}

function unlike(what: string, why: string): TypeError {
  return new TypeError(`fakeWallet: no wallet answers ${what} like this: ${why}`);
}
