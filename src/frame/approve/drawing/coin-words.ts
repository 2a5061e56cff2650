/** Texts of warnings about coins and addresses that apply only to Bitcoin and Litecoin. */
import { grouped } from '../../../ui/amount-text.ts';
import { isolated } from '../../../ui/text.ts';
import { msg, str } from '../../../base/localize.ts';
import { amountText } from '../../ui/amount.ts';
import { addWords } from './warnings.ts';

addWords({
  'unconfirmed-coins': ({ amount = '', symbol = '' }) => ({
    title: msg('Some coins are still on their way'),
    text: msg(
      str`${isolated(`${grouped(amount)} ${symbol}`)} cannot be spent before the network has confirmed it.`,
    ),
  }),
  'small-coins': ({ amount = '', symbol = '' }) => ({
    title: msg('Some coins are too small to send now'),
    text: msg(
      str`${isolated(`${grouped(amount)} ${symbol}`)} is in coins that cost more in fees than they are worth.`,
    ),
  }),
  'many-coins': ({ coins = '', atOnce = '' }, _, amount) => ({
    title: msg('Too many small coins for one payment'),
    text: [
      msg(str`Your ${coins} coins are enough together, but one payment spends ${atOnce} at most.`),
      ...(amount?.raw ? [msg(str`You can send up to ${isolated(amountText(amount))} now.`)] : []),
      msg('To send more, combine coins first: “Manage wallets” offers it.'),
    ].join(' '),
  }),
  'shared-form': ({ usual = '' }) => ({
    title: msg('Check which chain this address is for'),
    text: msg(str`Another chain writes its addresses in the same form. On this one it is usually ${usual}.`),
  }),
});
