/** The text of each warning about calls, tokens and contracts. */
import { msg, str } from '../../../base/localize.ts';
import type { Amount } from '../../../chains/coin.ts';
import type { WarningCode } from '../../../chains/approval/summary.ts';
import { shortText } from '../../../ui/address.ts';
import { isolated } from '../../../ui/text.ts';
import { amountText } from '../../ui/amount.ts';
import { risk, type Words } from './warnings.ts';

export type CallWarningCode = Extract<
  WarningCode,
  | 'first-contract'
  | 'unlimited-approval'
  | 'spending-limit'
  | 'approval-for-all'
  | 'nft-approval'
  | 'control-given'
  | 'foreign-code'
  | 'inner-transfer'
  | 'nothing-back'
  | 'swap-recipient'
  | 'trade-fee'
  | 'no-plain-swap'
  | 'recipient-is-token'
  | 'recipient-is-exchange'
  | 'no-code'
  | 'unlisted-token'
  | 'contract-creation'
  | 'unknown-call'
  | 'simulation-unavailable'
  | 'trial-differs'
  | 'all-you-hold'
  | 'spender-is-account'
  | 'too-many-tokens'
>;

const text = (amount: Amount | undefined): string => (amount ? isolated(amountText(amount)) : '');

export const CALL_WORDS: Record<CallWarningCode, Words> = {
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
    tick: risk(msg(str`I send ${amount ? amountText(amount) : ''}`)),
  }),
  'nothing-back': ({ address }) => ({
    title: msg('You pay, and nothing comes back'),
    text: address
      ? msg(str`What it asks for goes to ${address}, not to you.`)
      : msg('The call asks for nothing in return that could be relied on.'),
    tick: risk(msg('I could lose what I pay')),
  }),
  'swap-recipient': ({ address = '' }) => ({
    title: msg('Somebody else receives what you buy'),
    text: msg(str`It goes to ${address}, which is none of your wallets.`),
    tick: risk(msg('I could lose what I pay')),
  }),
  'trade-fee': ({ address = '', share = '' }) => ({
    title: msg(str`Fee to ${shortText(address)}, ${share}`),
    text: msg(str`${address} gets ${share} of what this brings.`),
  }),
  'no-plain-swap': ({ name = '' }) => ({
    title: msg('This is not one plain swap'),
    text: msg(str`It asks ${name} for something else, or for more.`),
    tick: risk(msg('I could lose what I pay')),
  }),
  'recipient-is-token': () => ({
    title: msg('The recipient is the token’s own contract'),
    text: msg('What is sent to it is lost in nearly every case.'),
    tick: risk(msg('I could lose what I send')),
  }),
  'recipient-is-exchange': () => ({
    title: msg('The recipient is an exchange’s contract'),
    text: msg('What is sent to it is lost in nearly every case.'),
    tick: risk(msg('I could lose what I send')),
  }),
  'no-code': (_, { contract }) => ({
    title: contract ? msg('There is no token at this address') : msg('There is no contract at this address'),
    text: msg('The call would do nothing, and what you send with it may be lost.'),
    tick: risk(msg('I could lose what I send')),
  }),
  'unlisted-token': ({ imitates }) => ({
    title: imitates ? msg(str`This is not ${imitates}`) : msg('Unknown token'),
    text: [
      ...(imitates
        ? [msg(str`It calls itself much like ${imitates}, but it is another, unknown token.`)]
        : []),
      msg('Nobody we trust says how many decimals it has: only its smallest units are certain.'),
    ].join(' '),
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
  'simulation-unavailable': ({ reason }) => ({
    ...(reason === 'refused'
      ? {
          title: msg('This could not be tried'),
          text: msg('The node would not run it now, so nobody knows whether it fails or what it moves.'),
        }
      : {
          title: msg('Balance changes are not known'),
          text: msg('The node does not tell what this call moves.'),
        }),
    tick: risk(msg('nobody knows what this moves')),
  }),
  'trial-differs': () => ({
    title: msg('It can do something else than it shows'),
    text: msg('Two trial runs in different blocks came to different ends. What will happen is not known.'),
    tick: risk(msg('I could lose what this wallet holds')),
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
};
