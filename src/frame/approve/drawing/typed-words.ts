/** Warning texts for typed data that can cost its signer something. */
import type { Limit, SigningWarning, SigningWarningCode } from '../../../chains/approval/signing.ts';
import type { Amount } from '../../../chains/coin.ts';
import { inertText } from '../../../base/text.ts';
import { isolated } from '../../../ui/text.ts';
import { msg, str } from '../../../base/localize.ts';
import { amountText } from '../../ui/amount.ts';
import type { Notice } from './signature-drawing.ts';
import { likeness, risk } from './warnings.ts';

export function limitText({ amount, unlimited }: Limit): string {
  return unlimited ? msg(str`Unlimited ${amount.symbol}`) : amountText(amount);
}

interface WarningFacts extends Pick<SigningWarning, 'level'> {
  params: Record<string, string>;
  /** The spender's name. */
  who: string;
  what: Amount;
  limit: Limit;
  /** An address's name on the approval. */
  nameOf: (address: string) => string;
}

/** What the user could lose is said in the tick of a danger. */
type Words = (facts: WarningFacts) => readonly [title: string, text: string, lost?: string];

const WORDS: Record<SigningWarningCode, Words> = {
  'other-network': ({ params: { here = '', there, chainId = '' } }) => [
    msg('This is for another network'),
    msg(
      str`This is valid on ${there ?? msg(str`the network with the chain ID ${chainId}`)}, not on ${here}, which this site uses.`,
    ),
    msg('it takes effect on another network'),
  ],
  'reported-address': ({ params: { address = '' } }) => [
    msg('Reported address'),
    msg(str`${address} was reported for fraud. Do not sign anything for it.`),
    msg('I could lose whatever this allows to be taken'),
  ],
  'resembles-known': ({ params }) => [
    msg('Looks like an address you know, but is not the same'),
    likeness(params),
    msg('I compared the whole address'),
  ],
  'gives-limit': ({ who, what }) => [
    msg('This signature gives a spending limit'),
    msg(str`${who} can take up to ${isolated(amountText(what))}, now or later, without asking you again.`),
  ],
  unlimited: ({ who, what }) => [
    msg(str`${who} could take all your ${what.symbol}`),
    msg('The site asks to spend without limit. A limit of what you need today is safer.'),
    msg(str`I could lose all my ${what.symbol}`),
  ],
  'all-you-hold': ({ who, what }) => [
    msg(str`${who} could take all your ${what.symbol}`),
    msg(str`You hold ${isolated(amountText(what))}. A limit of what you need today is safer.`),
    msg(str`I could lose all my ${what.symbol}`),
  ],
  'no-end': () => [
    msg('This signature never expires'),
    msg('It can be used until it is taken back.'),
    msg('it could be used years from now'),
  ],
  'spender-decides': ({ who }) => [
    msg('The destination is not part of what you sign'),
    msg(str`${who} decides who gets what it takes.`),
  ],
  'spender-is-account': () => [
    msg('No contract stands behind this address'),
    msg('A person could take what this allows, and no rules hold them to anything.'),
    msg('whoever has this address could take it'),
  ],
  'too-many-tokens': ({ params: { count = '' } }) => [
    msg('Too many tokens to check'),
    msg(str`It involves ${count} tokens. Not all of them were compared with what you hold.`),
    msg('I could lose all of them'),
  ],
  'first-spender': () => [
    msg('First time with this address'),
    msg('You have not used it from this wallet before.'),
  ],
  'other-contract': ({ params: { name = '' } }) => [
    msg(str`This is not for ${name}`),
    msg(str`The data has the format that ${name} takes, but names another contract.`),
  ],
  'other-owner': ({ nameOf, params: { address = '' } }) => [
    msg('It is about another account'),
    msg(str`The data names ${nameOf(address)}, which is not the wallet that signs.`),
  ],
  'unknown-witness': () => [
    msg('Terms that your wallet cannot read'),
    msg(
      'A contract decides by the terms below what happens with your tokens, and Carabiner does not know them.',
    ),
    msg('I could get nothing for my tokens'),
  ],
  'gets-nothing': () => [
    msg('You receive nothing for it'),
    msg('No part of what is paid goes to this wallet.'),
    msg('I give it away for nothing'),
  ],
  'poor-price': () => [
    msg('You get far less than it is worth'),
    msg('By the prices that your wallet has, what you receive is worth much less than what you give.'),
    msg('I give it away for far less than it is worth'),
  ],
  'no-price': () => [
    msg('No source says whether this price is fair'),
    msg('Your wallet has no price for what you give, or for what you receive. Compare them yourself.'),
    msg('I could get far less than it is worth'),
  ],
  'open-price': () => [
    msg('Another contract sets the price'),
    msg('The order has a part that is not in what you sign. What you receive can be less than it says.'),
    msg('I could get nothing for my tokens'),
  ],
  'each-alone': ({ params: { count = '' } }) => [
    msg('Each order can be taken on its own'),
    msg(str`Anybody can take the best of these ${count} orders for them, and leave you the others.`),
    msg('I would accept each of these orders alone'),
  ],
  'acts-for-you': ({ who }) => [
    msg(str`${who} could act in your name`),
    msg(
      'It could take out all that you have in this contract, and borrow against it, until you take the permission back.',
    ),
    msg('I could lose all that I have there'),
  ],
  debt: ({ who, limit }) => [
    msg(str`${who} could borrow in your name`),
    msg(str`You would owe up to ${isolated(limitText(limit))}, and what you have deposited secures it.`),
    msg('I could owe what somebody else borrows'),
  ],
  'high-fee': ({ what }) => [
    msg('Unusually high fee'),
    msg(str`Up to ${isolated(amountText(what))} can be spent on the fee alone.`),
    msg('I accept this fee'),
  ],
  'any-item': () => [
    msg('Others choose which item you give'),
    msg('The order names no item: it can be the most valuable one of the collection.'),
    msg('I could lose any item of the collection'),
  ],
  delegatecall: ({ nameOf, params: { address = '' } }) => [
    msg('The Safe would run foreign code as its own'),
    msg(str`The code of ${nameOf(address)} can take all that the Safe holds, and replace its owners.`),
    msg('I could lose everything in the Safe'),
  ],
  refund: ({ nameOf, params: { address = '' } }) => [
    msg('The Safe pays for the gas'),
    msg(str`A refund that the data sets goes to ${nameOf(address)}.`),
    msg('I could lose everything in the Safe'),
  ],
  'unreadable-call': () => [
    msg('You cannot read this call'),
    msg('It could move anything this account lets it move.'),
    msg('what can be lost is not known'),
  ],
  'dangerous-call': ({ params: { name = '' } }) => [
    msg('This call could hand over control'),
    msg(str`“${name}” can give others what the account holds, or the account itself.`),
    msg('I could lose what the account holds'),
  ],
  sends: ({ what, params: { address = '' } }) => [
    msg(str`This signature can send ${isolated(amountText(what))}`),
    msg(str`It goes to ${address}.`),
    msg(str`I send ${amountText(what)}`),
  ],
  'every-network': () => [
    msg('This signature is good on every network'),
    msg('The data does not say which network it is for.'),
  ],
  'every-contract': () => [
    msg('This signature is good for every contract'),
    msg('The data does not say which contract it is for.'),
  ],
  'more-than-signed': ({ params: { names = '' } }) => [
    msg('The site sent more than is signed'),
    msg(str`Left out, as it is not part of the signature: ${isolated(inertText(names, 120))}`),
  ],
  expired: () => [
    msg('It has expired'),
    msg('The date in it has passed. A genuine site asks again with a new one.'),
  ],
  'unknown-form': ({ level }) => [
    msg('Carabiner does not know this form'),
    level === 'danger'
      ? msg(
          'It names an address, or holds a number that can be an amount: somebody could use it to take what you have.',
        )
      : msg('Read every field. Sign it only if you know what the site does with it.'),
    msg('what can be lost is not known'),
  ],
};

/** `nameOf` returns an address's name on the approval. */
export function noticeOf(
  { code, level, params = {}, limit }: SigningWarning,
  nameOf: (address: string) => string,
): Notice {
  const { spender } = params;
  const [title, text, lost = msg('I could lose whatever this allows to be taken')] = WORDS[code]({
    level,
    params,
    who: spender ? isolated(nameOf(spender)) : '',
    what: limit?.amount as Amount,
    limit: limit as Limit,
    nameOf,
  });
  return { level, title, text, ...(level === 'danger' && { tick: risk(lost) }) };
}
