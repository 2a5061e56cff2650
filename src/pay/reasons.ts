/** Why a payment failed, for the customer. About a lost or stolen card, the page says no more than the bank would. */
import { msg } from '../base/localize.ts';
import type { Problem } from './pay-form.ts';

export function declined(): Problem {
  return { level: 'danger', title: msg('Payment declined'), text: msg('You have not been charged.') };
}

export function notPaid(text: string): Problem {
  return { level: 'danger', title: msg('The payment did not go through'), text };
}

export function noAnswer(text: string): Problem {
  return { level: 'caution', title: msg('No answer came'), text };
}

export function declineText(reason: string): string {
  switch (reason) {
    case 'insufficient_funds':
      return msg('There is not enough money on this card. Try another card.');
    case 'expired_card':
      return msg('This card has expired. Try another card.');
    case 'incorrect_cvc':
      return msg('The security code is not right. Check it, or try another card.');
    case 'processing_error':
      return msg('Something went wrong while your bank checked the card. Try again in a moment.');
    case 'card_velocity_exceeded':
      return msg('This card has reached its limit. Try another card.');
    case 'authentication_failed':
      return msg('Your bank could not confirm that it was you. Try again, or use another card.');
    default:
      return msg('Your bank declined this card. Try another card.');
  }
}
