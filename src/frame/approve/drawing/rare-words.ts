/** Texts of rare warnings, on any chain. */
import { isolated } from '../../../ui/text.ts';
import { msg, str } from '../../../base/localize.ts';
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
  'all-you-hold': (_params, _summary, amount) => {
    const symbol = amount?.symbol ?? '';
    return {
      title: msg(str`This contract could take all your ${symbol}`),
      text: msg(str`You hold ${isolated(amountText(amount!))}. A limit of what you need today is safer.`),
      tick: risk(msg(str`I could lose all my ${symbol}`)),
    };
  },
  'spender-is-account': () => ({
    title: msg('No contract stands behind this address'),
    text: msg('A person could take what this allows, and no rules hold them to anything.'),
    tick: risk(msg('whoever has this address could take it')),
  }),
  'too-many-tokens': ({ count = '' }) => ({
    title: msg('Too many tokens to check'),
    text: msg(str`It is about ${count} tokens. Not all of them were compared with what you hold.`),
    tick: risk(msg('I could lose all of them')),
  }),
  'custom-node': ({ host = '' }) => ({
    title: msg('The site chose the node'),
    text: msg(str`Balances and fees come from ${host}, not from your wallet’s own node.`),
  }),
  'custom-node-live': ({ host = '', unknown }, { networkName }) => ({
    title: unknown
      ? msg(str`This could be real money on ${networkName}`)
      : msg(str`This is real money on ${networkName}`),
    text: unknown
      ? msg(
          str`The site chose the node ${host}. Nobody we trust knows this network, so it counts as a live one.`,
        )
      : msg(str`The site chose the node ${host}, but the transaction counts on ${networkName}.`),
    tick: risk(msg(str`this counts on ${networkName}`)),
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
