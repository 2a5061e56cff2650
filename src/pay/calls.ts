/** The page's calls to the service, each of which settles with an answer or a `ConnectError`, and the attempt to pay that they are for. */
import * as z from 'zod/mini';
import { routeCaller } from '../api/client.ts';
import {
  answerChallenge,
  type AnswerChallenge,
  cancelPayment,
  completeOrder,
  extendPage,
  type ChosenAsset,
  type PayAnswer,
  payByCard,
  type PayByCard,
  type PayPage,
  quoteWalletPayment,
  readPayPage,
  tellWalletPayment,
  type WalletPayment,
} from '../api/pay.ts';
import type { Answer, Input, Route } from '../api/route.ts';
import { ConnectError } from '../base/errors.ts';
import { language } from '../base/localize.ts';

export interface PayCalls {
  read(): Promise<PayPage>;
  pay(payment: PayByCard): Promise<PayAnswer>;
  challenge(answer: AnswerChallenge): Promise<PayAnswer>;
  /** The amount to pay from a wallet, in what was chosen last or is chosen now; repeats a quote that is still valid. */
  quote(choice?: ChosenAsset): Promise<WalletPayment>;
  /** Reports what a wallet sent. */
  report(transactionHash: string): Promise<WalletPayment>;
  /** Completes an order that costs nothing. */
  complete(): Promise<PayAnswer>;
  /** Puts the end off. */
  extend(): Promise<PayPage>;
  /** Asks for the receipt by e-mail. */
  mail(email: string): Promise<unknown>;
  cancel(): Promise<{ redirect: string }>;
}

/** Timeout of a call. */
const PATIENCE_MS = 30_000;

/** Every call settles within `PATIENCE_MS`. */
export function caller(url: string, send?: typeof fetch) {
  const ask = routeCaller({
    url,
    fetch: (to, init = {}) => {
      // The language of the page, which its address may have chosen: e-mails are written in it.
      if (language) (init.headers as Headers).set('Accept-Language', language);
      return (send ?? fetch)(to, init);
    },
  });
  return async <R extends Route>(route: R, input: Input<R>): Promise<Answer<R>> => {
    try {
      return (await ask(route, input, { signal: AbortSignal.timeout(PATIENCE_MS) }))[0];
    } catch (error) {
      if (error instanceof ConnectError) throw error;
      throw new ConnectError('service.unreachable', 'No answer came in time.', {}, { cause: error });
    }
  };
}

export function payCalls(url: string, page: string, send?: typeof fetch): PayCalls {
  const call = caller(url, send);
  const params = { page };
  return {
    read: () => call(readPayPage, { params }),
    pay: (body) => call(payByCard, { params, body }),
    challenge: (body) => call(answerChallenge, { params, body }),
    quote: (query = {}) => call(quoteWalletPayment, { params, query }),
    report: (transactionHash) => call(tellWalletPayment, { params, body: { transactionHash } }),
    complete: () => call(completeOrder, { params }),
    extend: () => call(extendPage, { params }),
    mail: async (email) => {
      const { mailReceipt } = await import('../api/receipt.ts');
      return call(mailReceipt, { params, body: { email } });
    },
    cancel: () => call(cancelPayment, { params }),
  };
}

/**
 * The current attempt in `sessionStorage`: its id, and whether the bank's challenge is open, so that a reload resumes there.
 * No card data.
 */
const Attempt = z.object({ id: z.string(), asked: z.boolean() });
type Attempt = z.infer<typeof Attempt>;

const KEY = `carabiner-pay:${location.pathname}`;

export function newAttempt(): string {
  return crypto.randomUUID();
}

export function keepAttempt(attempt: Attempt): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(attempt));
  } catch {
    // Storage is full or denied: a reload shows the form again, but the service still accepts only one payment.
  }
}

export function keptAttempt(): Attempt | undefined {
  try {
    return Attempt.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? '')).data;
  } catch {
    return undefined;
  }
}

export function forgetAttempt(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Storage is denied, so nothing was kept.
  }
}
