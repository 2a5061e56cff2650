/** The calls that the payment page makes: apart from a shop's, whose schemas no customer needs. */
import {
  AnswerChallenge,
  PayAnswer,
  PayByCard,
  PayCancelled,
  PayPage,
  PayParams,
  TellPayment,
  WalletPayment,
} from './pay.ts';
import type { Route } from './route.ts';

export const readPayPage = {
  method: 'GET',
  path: '/pay/{page}/session',
  summary: 'Read what a payment page shows.',
  area: 'Payment page',
  params: PayParams,
  status: 200,
  answer: PayPage,
} as const satisfies Route;

export const payByCard = {
  method: 'POST',
  path: '/pay/{page}/payments',
  summary: 'Pay with a test card.',
  area: 'Payment page',
  params: PayParams,
  body: PayByCard,
  status: 200,
  answer: PayAnswer,
} as const satisfies Route;

export const answerChallenge = {
  method: 'POST',
  path: '/pay/{page}/challenge',
  summary: "Answer the bank's challenge.",
  area: 'Payment page',
  params: PayParams,
  body: AnswerChallenge,
  status: 200,
  answer: PayAnswer,
} as const satisfies Route;

/** Refused with `checkout.wallet.unavailable` or `checkout.wallet.no-price`, whose `details.reason` says why there is no price. */
export const quoteWalletPayment = {
  method: 'POST',
  path: '/pay/{page}/wallet/quote',
  summary:
    'Get the amount to pay from a wallet: the current quote while it is valid, else a new one, for 10 minutes.',
  area: 'Payment page',
  params: PayParams,
  status: 200,
  answer: WalletPayment,
} as const satisfies Route;

/** Repeated with the same hash, it returns the progress. Refused with `checkout.wallet.unavailable` if there is no quote. */
export const tellWalletPayment = {
  method: 'POST',
  path: '/pay/{page}/wallet/payments',
  summary: 'Report the transaction that a wallet sent. It counts once it is on the chain.',
  area: 'Payment page',
  params: PayParams,
  body: TellPayment,
  status: 200,
  answer: WalletPayment,
} as const satisfies Route;

export const cancelPayment = {
  method: 'POST',
  path: '/pay/{page}/cancel',
  summary: 'Go back to the shop without paying, which ends the session.',
  area: 'Payment page',
  params: PayParams,
  status: 200,
  answer: PayCancelled,
} as const satisfies Route;
