/** The words of warnings that a plain transfer rarely has. Loaded for transactions that have them. */
import type { Amount } from '../../chains/chain.ts';
import { grouped } from '../../ui/amount-text.ts';
import { msg, str } from '../../ui/localize.ts';
import { amountText } from '../ui/amount.ts';
import { addWords, risk } from './warnings.ts';

const text = (amount: Amount | undefined): string => (amount ? amountText(amount) : '');

/** How an Aeternity node calls accounts that a contract signs for. */
const GENERALIZED = 'generalized_account_cant_sign_non_meta_tx';

/** Sentences that say who refuses what. */
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
  'first-contract': () => ({
    title: msg('First time with this contract'),
    text: msg('You have not used it from this wallet before.'),
  }),
  'unlimited-approval': (_params, _summary, amount) => {
    const symbol = amount?.symbol ?? '';
    return {
      title: msg(str`This contract could take all your ${symbol}`),
      text: msg('The site asks for an unlimited limit, now and later.'),
      tick: risk(msg(str`I could lose all my ${symbol}`)),
    };
  },
  'spending-limit': ({ more }, _summary, amount) => ({
    title: msg('This gives a spending limit'),
    text: more
      ? msg(
          str`The contract below can take ${text(amount)} more than before, now or later. How much it may take already is not known.`,
        )
      : msg(str`The contract below can take up to ${text(amount)}, now or later.`),
  }),
  'approval-for-all': (_params, _summary, amount) => ({
    title: msg(str`This contract could take all your ${amount?.symbol ?? ''}`),
    text: msg('The site asks to move every item you hold in this collection, now and later.'),
    tick: risk(msg('I could lose all of them')),
  }),
  'nft-approval': (_params, _summary, amount) => ({
    title: msg(str`This contract could take your ${amount?.symbol ?? ''}`),
    text: msg('The site asks to move this item, now or later.'),
    tick: risk(msg('I could lose this item')),
  }),
  'control-given': ({ contract = '', address }) => ({
    title: msg('This gives control of a contract away'),
    text: address
      ? msg(str`${address} could then command ${contract}, and take all that it holds.`)
      : msg(str`It changes who commands ${contract}, and who can take all that it holds.`),
    tick: risk(msg('I could lose all that the contract holds')),
  }),
  'foreign-code': ({ contract = '', address = '' }) => ({
    title: msg('Foreign code takes over an account'),
    text: msg(str`Code of ${address} runs as ${contract}, and can take all that it holds.`),
    tick: risk(msg('I could lose all that the account holds')),
  }),
  'inner-transfer': ({ address = '' }, _summary, amount) => ({
    title: msg(str`This call also sends ${text(amount)}`),
    text: msg(str`It goes to ${address}.`),
    tick: risk(msg(str`I send ${text(amount)}`)),
  }),
  'nothing-back': ({ address }) => ({
    title: msg('You pay, and nothing comes back'),
    text: address
      ? msg(str`What it asks for goes to ${address}, not to you.`)
      : msg('The call asks for nothing in return that could be relied on.'),
    tick: risk(msg('I could lose what I pay')),
  }),
  'recipient-is-token': () => ({
    title: msg('The recipient is the token’s own contract'),
    text: msg('What is sent to it is lost in nearly every case.'),
    tick: risk(msg('I could lose what I send')),
  }),
  'burn-address': () => ({
    title: msg('Nobody has a key for this address'),
    text: msg('What is sent to it is gone for good.'),
    tick: risk(msg('I could lose what I send')),
  }),
  'no-code': (_, { contract }) => ({
    title: contract ? msg('There is no token at this address') : msg('There is no contract at this address'),
    text: msg('The call would do nothing, and what you send with it may be lost.'),
    tick: risk(msg('I could lose what I send')),
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
  'unlisted-token': ({ value, symbol = '', imitates }) => ({
    title: imitates ? msg(str`This is not ${imitates}`) : msg('Unknown token'),
    text: [
      ...(imitates
        ? [msg(str`It calls itself much like ${imitates}, but it is another, unknown token.`)]
        : []),
      value
        ? msg(
            str`Its own contract says that this is ${grouped(value)} ${symbol}. Nobody we trust confirms it.`,
          )
        : msg('Nobody we trust says how many decimals it has, so its smallest units are shown.'),
    ].join(' '),
  }),
  'fee-share': ({ percent, times = '' }, { fee }, amount = fee.maximum) => ({
    title: percent ? msg('High fee for this amount') : msg('Higher fee than usual'),
    text: percent
      ? msg(str`The fee can be up to ${amountText(amount)}: ${percent} % of what you send.`)
      : msg(str`The fee can be up to ${amountText(amount)}: ${times} times what the network asks now.`),
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
  'contract-creation': () => ({
    title: msg('This creates a contract'),
    text: msg('There is no recipient. The data below becomes a contract on the network.'),
  }),
  'unknown-call': () => ({
    title: msg('You cannot read this call'),
    text: msg('It could move anything this wallet lets it move.'),
    tick: msg('I understand the risk of a call I cannot read'),
  }),
  'nonce-gap': ({ nonce = '' }) => ({
    title: msg('This will wait'),
    text: msg(str`It has number ${nonce}. Nothing happens until the numbers before it are used.`),
  }),
  'simulation-unavailable': ({ reason }) =>
    reason === 'refused'
      ? {
          title: msg('This could not be tried'),
          text: msg('The node would not run it now, so nobody knows whether it fails or what it moves.'),
        }
      : {
          title: msg('Balance changes are not known'),
          text: msg('The node does not tell what this call moves.'),
        },
  'trial-differs': () => ({
    title: msg('It can do something else than it shows'),
    text: msg('Two trial runs in different blocks came to different ends. What will happen is not known.'),
    tick: risk(msg('I could lose what this wallet holds')),
  }),
  'unconfirmed-coins': ({ amount = '', symbol = '' }) => ({
    title: msg('Some coins are still on their way'),
    text: msg(str`${grouped(amount)} ${symbol} cannot be spent before the network has confirmed it.`),
  }),
  'shared-form': ({ usual = '' }) => ({
    title: msg('Check which chain this address is for'),
    text: msg(str`Another chain writes its addresses in the same form. On this one it is usually ${usual}.`),
  }),
  'order-unsigned': () => ({
    title: msg('The merchant did not sign this order'),
    text: msg('Nobody vouches for the address.'),
  }),
  'sponsor-declined': ({ host = '', reason = '' }) => ({
    title: msg('You pay the fee yourself'),
    text: msg(str`${host} does not pay it.`),
    ...(reason && { quote: { who: msg(str`The words of ${host}`), words: reason } }),
  }),
});
