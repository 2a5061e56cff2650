/** The words of each warning, and what the user ticks before a dangerous one can be approved. */
import type { Summary, Warning, WarningCode } from '../../chains/chain.ts';
import { msg, str } from '../../ui/localize.ts';
import { amountText } from '../ui/amount.ts';

export interface WarningText {
  title: string;
  text: string;
  /** "I understand the risk: …" */
  tick?: string;
}

type Words = (params: Record<string, string>, summary: Summary) => WarningText;

const risk = (what: string): string => msg(str`I understand the risk: ${what}`);
const ownRisk = (): string => msg('I understand the risk and want to go on');

const WORDS: Record<WarningCode, Words> = {
  'first-contract': () => ({
    title: msg('First time with this contract'),
    text: msg('You have not used it from this wallet before.'),
  }),
  'first-recipient': () => ({
    title: msg('First time sending to this address'),
    text: msg('Compare it with the address you were given.'),
  }),
  'unlimited-approval': (_, { amount }) => ({
    title: msg(str`This contract could take all your ${amount.symbol}`),
    text: msg('The site asks for an unlimited limit, now and later.'),
    tick: risk(msg(str`I could lose all my ${amount.symbol}`)),
  }),
  'spending-limit': (_, { amount }) => ({
    title: msg('This gives a spending limit'),
    text: msg(str`The contract below can take up to ${amountText(amount)}, now or later.`),
  }),
  'approval-for-all': ({ token = '' }, { amount }) => ({
    title: msg(str`This contract could take all your ${token || amount.symbol}`),
    text: msg('The site asks to move every item you hold in this collection, now and later.'),
    tick: risk(msg('I could lose all of them')),
  }),
  'reported-address': () => ({
    title: msg('Reported address'),
    text: msg('This address was reported for fraud. Do not send anything to it.'),
    tick: risk(msg('I could lose what I send')),
  }),
  'resembles-known': ({ known = '' }) => ({
    title: msg('Looks like an address you know'),
    text: msg(str`It begins and ends like ${known}, but it is another one. Compare the whole address.`),
    tick: risk(msg('I compared the whole address')),
  }),
  'recipient-is-token': () => ({
    title: msg('The recipient is the token’s own contract'),
    text: msg('What is sent to it is lost in nearly every case.'),
    tick: risk(msg('I could lose what I send')),
  }),
  'no-code': () => ({
    title: msg('There is no contract at this address'),
    text: msg('The call would do nothing, and what you send with it may be lost.'),
    tick: risk(msg('I could lose what I send')),
  }),
  'custom-node': ({ host = '' }) => ({
    title: msg('The site chose the node'),
    text: msg(str`Balances and fees come from ${host}, not from your wallet’s own node.`),
  }),
  'custom-node-live': ({ host = '' }, { networkName }) => ({
    title: msg(str`This is real money on ${networkName}`),
    text: msg(str`The site chose the node ${host}, but the transaction counts on ${networkName}.`),
    tick: risk(msg(str`this counts on ${networkName}`)),
  }),
  'fee-ceiling': (_, { fee }) => ({
    title: msg('Unusually high fee'),
    text: msg(str`Up to ${amountText(fee.maximum)} can be spent on the fee alone.`),
    tick: risk(msg('I accept this fee')),
  }),
  'unlisted-token': ({ value }, { amount }) => ({
    title: msg('Unknown token'),
    text: value
      ? msg(str`Its own contract says that this is ${value} ${amount.symbol}. Nobody we trust confirms it.`)
      : msg('Nobody we trust says how many decimals it has, so its smallest units are shown.'),
  }),
  'will-fail': () => ({
    title: msg('This transaction will probably fail'),
    text: msg('The contract refused it in a trial run. You would still pay the fee.'),
    tick: ownRisk(),
  }),
  'contract-creation': () => ({
    title: msg('This creates a contract'),
    text: msg('There is no recipient. The data below becomes a contract on the network.'),
  }),
  'unknown-call': () => ({
    title: msg('Unknown contract call'),
    text: msg('We cannot tell what this data makes the contract do.'),
    tick: ownRisk(),
  }),
  'replaces-pending': ({ nonce = '' }) => ({
    title: msg('This replaces a waiting transaction'),
    text: msg(str`The one with number ${nonce} that you approved before will not happen.`),
  }),
  'nonce-gap': ({ nonce = '' }) => ({
    title: msg('This will wait'),
    text: msg(str`It has number ${nonce}. Nothing happens until the numbers before it are used.`),
  }),
  'not-backed-up': () => ({
    title: msg('Your wallet is not backed up'),
    text: msg('If this browser’s data is deleted, it is gone. Write down the 12 words in Settings.'),
  }),
  'simulation-unavailable': () => ({
    title: msg('Not tried in advance'),
    text: msg('The node cannot do a trial run, so balance changes are not shown.'),
  }),
};

export function warningText({ code, params = {} }: Warning, summary: Summary): WarningText {
  return WORDS[code](params, summary);
}

/** Dangers first, then cautions, each in the order they came. */
export function worstFirst(warnings: readonly Warning[]): Warning[] {
  return [
    ...warnings.filter(({ level }) => level === 'danger'),
    ...warnings.filter(({ level }) => level === 'caution'),
  ];
}
