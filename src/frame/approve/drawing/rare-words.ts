/** Texts of rare warnings, on any chain. */
import { isolated } from '../../../ui/isolated.ts';
import { msg, str } from '../../../ui/localize.ts';
import { amountText } from '../../ui/amount.ts';
import { addWords, risk } from './warnings.ts';

/** The Aeternity node's reason when a contract signs for the account (a generalized account). */
const GENERALIZED = 'generalized_account_cant_sign_non_meta_tx';

/** Sentences about who rejected what. */
function failure(reason: string | undefined, clause: string | undefined): string[] {
  if (reason === GENERALIZED)
    return [msg('A contract signs for this account, and the network refuses signatures of its key.')];
  return [
    clause
      ? msg(str`Clause ${clause} was refused in a trial run, and then none of them happens.`)
      : msg('The contract refused it in a trial run.'),
  ];
}

const ownRisk = (): string => msg('I understand the risk and want to go on');

addWords({
  'burn-address': () => ({
    title: msg('Nobody has a key for this address'),
    text: msg('What is sent to it is gone for good.'),
    tick: risk(msg('I could lose what I send')),
  }),
  'fee-share': ({ percent, times = '' }, { fee }, amount = fee.maximum) => ({
    title: percent ? msg('High fee for this amount') : msg('Higher fee than usual'),
    text: percent
      ? msg(str`The fee can be up to ${isolated(amountText(amount))}: ${percent} % of what you send.`)
      : msg(
          str`The fee can be up to ${isolated(amountText(amount))}: ${times} times what the network asks now.`,
        ),
  }),
  'will-fail': ({ reason, clause }, { fee }) => ({
    title: msg('This transaction will probably fail'),
    text: [
      ...failure(reason, clause),
      ...(fee.maximum.raw && reason !== GENERALIZED ? [msg('You would still pay the fee.')] : []),
    ].join(' '),
    tick: ownRisk(),
    ...(reason && reason !== GENERALIZED
      ? { quote: { who: msg('The contract’s or node’s own words'), words: reason } }
      : {}),
  }),
  'nonce-gap': ({ nonce = '' }) => ({
    title: msg('This will wait'),
    text: msg(str`It has number ${nonce}. Nothing happens until the numbers before it are used.`),
  }),
  'order-unsigned': () => ({
    title: msg('The merchant did not sign this order'),
    text: msg('Nobody vouches for the address.'),
  }),
});
