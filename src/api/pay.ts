/**
 * What the service's payment page and the service exchange. These calls need nothing but the page's URL, and are apart from a shop's, whose
 * schemas no customer needs.
 */
import * as z from 'zod/mini';
import { Jws } from './jws.ts';
import type { Route } from './route.ts';
import { RECEIVING_CHAINS } from './secret-type.ts';
import { testCard } from './test-cards.ts';
import { line } from './text.ts';

/** ISO 3166-1, two letters. A browser or a server names them by `Intl.DisplayNames`. */
export const COUNTRIES: readonly string[] = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT ' +
  'BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG ' +
  'EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR ' +
  'HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR ' +
  'LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG ' +
  'NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE ' +
  'SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA ' +
  'UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
).split(' ');

export const PayParams = z.strictObject({ page: line(64) });

/** Why a payment by wallet is stuck. The page tells the customer, who may pay again while the state is `quoted`. */
export const WALLET_PROBLEMS = [
  /** The transaction failed on the chain: it paid nothing, and the quote is still valid. */
  'failed',
  /** Another amount than the quote's was sent; how much is not known yet. It paid for nothing. */
  'amount',
  /** Less than the quote's amount arrived. It paid for nothing; the shop sees it, and can accept or refund it. */
  'underpaid',
  /** More than the quote's amount arrived; otherwise the same. */
  'overpaid',
  /** The transaction sends nothing to the shop's wallet. */
  'other',
  /** No node of the network knows the transaction: perhaps it is on another network, or was replaced. */
  'unknown',
  /** It arrived too late, or the session was already paid. It paid for nothing; the shop sees it, and has to settle it. */
  'late',
] as const;

/** A quote for one session, and its state. Only the chain decides that it is paid. */
export const WalletPayment = z.object({
  /**
   * `quoted`: pay `amount` to `to` before `expiresAt`. `pending`: a transaction is known that pays it, with `confirmations` of those
   * needed; it may go back to `quoted` (it failed, or the chain was reorganised). `paid`: the session is complete. `expired`: request a
   * new quote. After `expiresAt` a transaction that was sent before may still turn it into `pending`: the page keeps polling for a while.
   */
  state: z.enum(['quoted', 'pending', 'paid', 'expired']),
  /** Address in checksum form. */
  to: z.string(),
  /**
   * Decimals of coins or tokens, as `<transfer-dialog>` takes it: `0.01499731`. Every digit counts: the last ones distinguish the payments
   * to one wallet, and another amount pays nothing.
   */
  amount: z.string(),
  /** Epoch milliseconds, by the service's clock (`PayPage.now`). */
  expiresAt: z.int(),
  /** The paying transaction, or the one that the page reported. */
  transactionHash: z.nullable(z.string()),
  /** 0 while it is in no block; at most `needed`. */
  confirmations: z.int(),
  needed: z.int(),
  problem: z.nullable(z.enum(WALLET_PROBLEMS)),
  /** What arrived of the coin or token, if it is underpaid or overpaid, and how much is missing or too much; null otherwise. */
  received: z.nullable(z.string()),
  difference: z.nullable(z.string()),
  /** AETERNITY: what the wallet writes into the payment, which identifies it even if the amount is another one. Absent on other chains. */
  memo: z.optional(z.string()),
  /** Of a valid quote: the signed order, for `<transfer-dialog>`'s `order`. Null if the merchant's name is not verified. */
  order: z.nullable(Jws),
});
export type WalletPayment = z.infer<typeof WalletPayment>;

/** A coin or token, and where it is sent. */
const asset = {
  secretType: z.enum(RECEIVING_CHAINS),
  /** Id in `networks.json`, which is the frame's, too. */
  network: z.string(),
  /** Shown to people. */
  networkName: z.string(),
  /** It is the first of its chain that has nodes: linked wallets that name no network are on it. */
  firstNetwork: z.boolean(),
  symbol: z.string(),
  /** Null for the coin. */
  tokenAddress: z.nullable(z.string()),
};

const PayChoice = z.object(asset);
export type PayChoice = z.infer<typeof PayChoice>;

/** The coin or token that the customer chose last, or the first that the shop takes. */
export const PayWallet = z.object({
  ...asset,
  /** Base URL of the wallet's frame, without a slash at the end: for the custom elements' configuration. */
  frame: z.string(),
  kind: z.enum(['mainnet', 'testnet', 'local']),
  /** EVM chain id, for wallets that scan the payment (EIP-681). */
  chainId: z.nullable(z.int()),
  /** `site` of `networks.json`: pages on it, or under it, get the wallet in an iframe. */
  site: z.nullable(z.string()),
  decimals: z.int(),
  /** Confirmations that a payment needs. */
  needed: z.int(),
  /** The newest quote; null before the first. */
  payment: z.nullable(WalletPayment),
  /** All that the shop takes, in its order; empty once a payment is under way. */
  choices: z.array(PayChoice),
});
export type PayWallet = z.infer<typeof PayWallet>;

/** What the customer pays in; without a network, what they chose last, or else the first that the shop takes. */
export const ChosenAsset = z.strictObject({
  network: z.optional(line(64)),
  /** Absent for the coin. */
  tokenAddress: z.optional(line(128)),
});
export type ChosenAsset = z.infer<typeof ChosenAsset>;

/** What a wallet answered. It is only a hint: the chain is searched for the payment with or without it. */
export const TellPayment = z.strictObject({
  transactionHash: z
    .string()
    .check(
      z.regex(/^((0x)?[0-9a-fA-F]{64}|th_[1-9A-HJ-NP-Za-km-z]{38,60})$/, 'must be the hash of a transaction'),
    ),
});
export type TellPayment = z.infer<typeof TellPayment>;

export const PayPage = z.object({
  /** Whom the customer pays: the application's name. */
  merchant: z.string(),
  status: z.enum(['open', 'complete', 'expired']),
  /** Whether it expired because its customer went back to the shop. */
  cancelled: z.boolean(),
  /** Name of the provider that takes the money. */
  provider: z.string(),
  livemode: z.boolean(),
  lineItems: z.array(
    z.object({
      name: z.string(),
      quantity: z.int(),
      /** Minor units, as every amount here. */
      unitAmount: z.int(),
      amount: z.int(),
    }),
  ),
  /** ISO 4217, capital letters. */
  currency: z.string(),
  amountTotal: z.int(),
  /** Epoch milliseconds. */
  createdAt: z.int(),
  expiresAt: z.int(),
  /** How far the customer can put off the end of an open session, ten minutes at a time; absent where the provider ends it. */
  latestEnd: z.optional(z.int()),
  /** Milliseconds by the service's clock, from which the customer's may differ. */
  now: z.int(),
  branding: z.nullable(
    z.object({
      primaryColor: z.string(),
      secondaryColor: z.string(),
      /** URL of a square PNG. */
      icon: z.nullable(z.string()),
    }),
  ),
  /** The numbers that are accepted, digits only; no others may leave the browser. Empty for an order that costs nothing. */
  cards: z.array(z.object({ number: z.string(), brand: z.string() })),
  /** How it is paid by card: on this page if `redirect` is null, else on the provider's page that it leads to. */
  card: z.object({ redirect: z.nullable(z.string()) }),
  /** Null if payments by wallet are not offered. */
  wallet: z.nullable(PayWallet),
  /** Where the customer continues: `success_url` of a complete session, `cancel_url` of an expired one; null while it is open. */
  redirect: z.nullable(z.string()),
  /** Whether there is a receipt: the session is paid. */
  receipt: z.boolean(),
  /** Whether the customer may ask for it by e-mail, now or once it is paid. */
  receiptMail: z.optional(z.boolean()),
});
export type PayPage = z.infer<typeof PayPage>;

/** Chosen by the page for each press of the button: sent again, it gets the same answer and pays only once. */
const Attempt = z
  .string()
  .check(z.regex(/^[\w-]{16,64}$/, 'must be 16 to 64 letters, digits, - and _, made at random'));

/** Digits of the code on the card: four on American Express. */
export function securityCodeDigits(number: string): number {
  return testCard(number)?.brand === 'amex' ? 4 : 3;
}

/** Cards are good until the end of their month, everywhere. */
export function isPast({ expiryYear, expiryMonth }: { expiryYear: number; expiryMonth: number }): boolean {
  return Date.UTC(expiryYear, expiryMonth, 2) < Date.now();
}

/** A card number, digits only. */
export const TestCardNumber = z.string().check(
  z.refine((number) => testCard(number) !== undefined, {
    error: 'must be one of the test cards: this page takes no real cards',
  }),
);

export const Card = z
  .strictObject({
    number: TestCardNumber,
    expiryMonth: z.int().check(z.minimum(1), z.maximum(12)),
    expiryYear: z.int().check(z.minimum(2000), z.maximum(2099)),
    securityCode: z.string().check(z.regex(/^\d{3,4}$/, 'must be the 3 or 4 digits of the security code')),
    /** The name on the card. */
    name: line(128),
  })
  .check(
    z.refine((card) => !isPast(card), { error: 'has passed: use another card', path: ['expiryYear'] }),
    z.refine(({ number, securityCode }) => securityCode.length === securityCodeDigits(number), {
      error: 'must be 3 digits, or 4 of an American Express card',
      path: ['securityCode'],
    }),
  );

/** ISO 3166-1, two letters. */
export const Country = z.string().check(
  z.refine((code) => COUNTRIES.includes(code), {
    error: 'must be an ISO 3166 country code in capital letters, such as DE',
  }),
);

export const Email = z.email({ error: 'must be an e-mail address' }).check(z.maxLength(254));

export const PayByCard = z.strictObject({
  attempt: Attempt,
  email: Email,
  card: Card,
  country: Country,
});
export type PayByCard = z.infer<typeof PayByCard>;

export const PayAnswer = z.discriminatedUnion('state', [
  z.object({ state: z.literal('paid'), redirect: z.string() }),
  z.object({
    state: z.literal('declined'),
    /** A `DeclineReason`, or `authentication_failed`. Another attempt may succeed. */
    reason: z.string(),
  }),
  /** The bank asks its customer: `POST …/challenge` with the same attempt. */
  z.object({ state: z.literal('challenge'), challenge: z.object({ brand: z.string(), last4: z.string() }) }),
]);
export type PayAnswer = z.infer<typeof PayAnswer>;

export const AnswerChallenge = z.strictObject({ attempt: Attempt, outcome: z.enum(['complete', 'fail']) });
export type AnswerChallenge = z.infer<typeof AnswerChallenge>;

export const PayCancelled = z.object({ redirect: z.string() });

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
  summary: 'Get the amount to pay from a wallet. A valid quote is repeated.',
  area: 'Payment page',
  params: PayParams,
  query: ChosenAsset,
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

/** Refused with `request.conflict` if the order costs something. */
export const completeOrder = {
  method: 'POST',
  path: '/pay/{page}/complete',
  summary: 'Complete an order that costs nothing. Repeated, it answers the same.',
  area: 'Payment page',
  params: PayParams,
  status: 200,
  answer: PayAnswer,
} as const satisfies Route;

/** A session that has ended, or cannot end later, is answered as it is. */
export const extendPage = {
  method: 'POST',
  path: '/pay/{page}/extend',
  summary: 'Give the customer ten more minutes, in the last five of an open session.',
  area: 'Payment page',
  params: PayParams,
  status: 200,
  answer: PayPage,
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
