/** What the payment page of the maker `test` and the service say to each other. The page's address is all that it takes to call it. */
import * as z from 'zod/mini';
import { COUNTRIES } from './countries.ts';
import { testCard } from './test-cards.ts';
import { line } from './text.ts';

export const PayParams = z.strictObject({ page: line(64) });

export const PayPage = z.object({
  /** Whom the customer pays: the application's name. */
  merchant: z.string(),
  status: z.enum(['open', 'complete', 'expired']),
  /** It is expired because its customer went back to the shop. */
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
  /** Milliseconds by the service's clock, which the customer's may differ from. */
  now: z.int(),
  branding: z.nullable(
    z.object({
      primaryColor: z.string(),
      secondaryColor: z.string(),
      /** URL of a square PNG. */
      icon: z.nullable(z.string()),
    }),
  ),
  /** Numbers that are accepted, digits alone; none other may leave the browser. */
  cards: z.array(z.object({ number: z.string(), brand: z.string() })),
  /** Where the customer goes on: `success_url` of a complete session, `cancel_url` of an expired one; null while it is open. */
  redirect: z.nullable(z.string()),
});
export type PayPage = z.infer<typeof PayPage>;

/** Made by the page, once for each press of the button: sent again it is answered the same, and paid once. */
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

const Card = z
  .strictObject({
    /** Digits alone. */
    number: z.string().check(
      z.refine((number) => testCard(number) !== undefined, {
        error: 'must be one of the test cards: this page takes no real ones',
      }),
    ),
    expiryMonth: z.int().check(z.minimum(1), z.maximum(12)),
    expiryYear: z.int().check(z.minimum(2000), z.maximum(2099)),
    securityCode: z.string().check(z.regex(/^\d{3,4}$/, 'must be the 3 or 4 digits of the security code')),
    /** As it is on the card. */
    name: line(128),
  })
  .check(
    z.refine((card) => !isPast(card), { error: 'is over: use another card', path: ['expiryYear'] }),
    z.refine(({ number, securityCode }) => securityCode.length === securityCodeDigits(number), {
      error: 'must be 3 digits, or 4 of an American Express card',
      path: ['securityCode'],
    }),
  );

export const PayByCard = z.strictObject({
  attempt: Attempt,
  email: z.email({ error: 'must be an e-mail address' }).check(z.maxLength(254)),
  card: Card,
  /** ISO 3166-1, two letters. */
  country: z.string().check(
    z.refine((code) => COUNTRIES.includes(code), {
      error: 'must be an ISO 3166 country code in capital letters, such as DE',
    }),
  ),
});
export type PayByCard = z.infer<typeof PayByCard>;

export const PayAnswer = z.discriminatedUnion('state', [
  z.object({ state: z.literal('paid'), redirect: z.string() }),
  z.object({
    state: z.literal('declined'),
    /** A `DeclineReason`, or `authentication_failed`. Another attempt may go well. */
    reason: z.string(),
  }),
  /** The bank asks its customer: `POST …/challenge` with the same attempt. */
  z.object({ state: z.literal('challenge'), challenge: z.object({ brand: z.string(), last4: z.string() }) }),
]);
export type PayAnswer = z.infer<typeof PayAnswer>;

export const AnswerChallenge = z.strictObject({ attempt: Attempt, outcome: z.enum(['complete', 'fail']) });
export type AnswerChallenge = z.infer<typeof AnswerChallenge>;

export const PayCancelled = z.object({ redirect: z.string() });
