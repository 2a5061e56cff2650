/**
 * The cards that the provider `test` knows, and what becomes of a payment with each: Stripe's published test numbers
 * (https://docs.stripe.com/testing). No bank has issued any of them.
 */

export type DeclineReason =
  | 'generic_decline'
  | 'insufficient_funds'
  | 'lost_card'
  | 'stolen_card'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'processing_error'
  | 'fraudulent'
  | 'card_velocity_exceeded';

export type Brand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay';

export interface TestCard {
  number: string;
  brand: Brand;
  /** The bank asks its customer first, as 3-D Secure does. */
  challenge: boolean;
  /** Null: it is paid. */
  decline: DeclineReason | null;
}

function card(
  number: string,
  brand: Brand,
  decline: DeclineReason | null = null,
  challenge = false,
): TestCard {
  return { number, brand, challenge, decline };
}

export const TEST_CARDS: readonly TestCard[] = [
  card('4242424242424242', 'visa'),
  card('4000056655665556', 'visa'),
  card('5555555555554444', 'mastercard'),
  card('2223003122003222', 'mastercard'),
  card('5200828282828210', 'mastercard'),
  card('5105105105105100', 'mastercard'),
  card('378282246310005', 'amex'),
  card('371449635398431', 'amex'),
  card('6011111111111117', 'discover'),
  card('6011000990139424', 'discover'),
  card('3056930009020004', 'diners'),
  card('36227206271667', 'diners'),
  card('3566002020360505', 'jcb'),
  card('6200000000000005', 'unionpay'),
  card('4000002500003155', 'visa', null, true),
  card('4000002760003184', 'visa', null, true),
  card('4000008260003178', 'visa', 'insufficient_funds', true),
  card('4000008400001629', 'visa', 'generic_decline', true),
  card('4000000000000002', 'visa', 'generic_decline'),
  card('4000000000009995', 'visa', 'insufficient_funds'),
  card('4000000000009987', 'visa', 'lost_card'),
  card('4000000000009979', 'visa', 'stolen_card'),
  card('4000000000000069', 'visa', 'expired_card'),
  card('4000000000000127', 'visa', 'incorrect_cvc'),
  card('4000000000000119', 'visa', 'processing_error'),
  card('4100000000000019', 'visa', 'fraudulent'),
  card('4000000000006975', 'visa', 'card_velocity_exceeded'),
];

export function testCard(number: string): TestCard | undefined {
  return TEST_CARDS.find((each) => each.number === number);
}
