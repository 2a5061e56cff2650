/** Texts for wallet payments that go wrong. */
import type { PayWallet, WalletPayment } from '../api/pay.ts';
import type { ConnectError } from '../base/errors.ts';
import { grouped } from '../ui/amount-text.ts';
import { msg, str } from '../base/localize.ts';
import type { Problem } from './pay-form.ts';

/** Why there is no amount to pay. */
export function quoteTrouble({ code, details }: ConnectError, symbol: string): string {
  if (code === 'checkout.wallet.no-price' && details['reason'] === 'none')
    return msg(str`There is no price for ${symbol} right now. Try again later, or pay with a card.`);
  if (code === 'checkout.wallet.no-price')
    return msg('The network does not answer right now. Try again in a moment, or pay with a card.');
  if (code === 'checkout.wallet.unavailable')
    return msg('This payment cannot be made with a wallet. Pay with a card.');
  if (code === 'request.rate-limited')
    return msg('There were too many tries at once. Wait a minute, or pay with a card.');
  return msg('No answer came. Try again, or pay with a card.');
}

/** What was entered is no hash, or one with a typing error that the chain's form of hashes shows. */
export function noHash({ networkName }: Pick<PayWallet, 'networkName'>): string {
  return msg(str`That is not the hash of a transaction on ${networkName}.`);
}

/** `0.0131 ETH` */
const coinText = (amount: string | null, symbol: string): string => `${grouped(amount ?? '0')} ${symbol}`;

/** Why a transaction did not settle the payment. */
export function paymentProblem(
  { problem, received, difference, state }: WalletPayment,
  symbol: string,
  merchant: string,
): Problem | undefined {
  const arrived = coinText(received, symbol);
  const apart = coinText(difference, symbol);
  switch (problem) {
    case 'failed':
      return {
        level: 'danger',
        title: msg('The payment failed on the network'),
        text: msg('Only the network’s fee was spent. You can try again at the same price.'),
      };
    case 'amount':
      return {
        level: 'danger',
        title: msg('A different amount arrived'),
        text: msg(
          str`It does not pay for this order. ${merchant} has received it: ask them to settle it with you.`,
        ),
      };
    case 'underpaid':
      return {
        level: 'danger',
        title: msg(str`${apart} is missing`),
        text:
          state === 'quoted'
            ? msg(
                str`${arrived} has arrived, which is less than the price. Send the rest before the price expires, or ask ${merchant} to settle it with you.`,
              )
            : msg(
                str`${arrived} has arrived, which is less than the price. Ask ${merchant} to settle it with you.`,
              ),
      };
    case 'overpaid':
      return {
        level: 'caution',
        title: msg(str`${merchant} has to confirm your payment`),
        text:
          difference === '0'
            ? msg(str`${arrived} has arrived in total. ${merchant} has been notified and will decide.`)
            : msg(
                str`${arrived} has arrived, which is ${apart} more than the price. ${merchant} has been notified and will decide.`,
              ),
      };
    case 'late':
      return {
        level: 'danger',
        title: msg('The payment came too late'),
        text: msg(
          str`It does not pay for this order. ${merchant} has received it: ask them to settle it with you.`,
        ),
      };
    case 'other':
      return {
        level: 'danger',
        title: msg('That payment went elsewhere'),
        text: msg(str`None of it goes to ${merchant}, so this order is not paid.`),
      };
    case 'unknown':
      return {
        level: 'caution',
        title: msg('The network does not know the payment'),
        text: msg('Look it up in your wallet before you pay again. It may be on another network.'),
      };
    default:
      return undefined;
  }
}
