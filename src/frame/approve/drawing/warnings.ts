/** The text of each warning, and what the user has to tick before a dangerous one can be approved. */
import type { Amount } from '../../../chains/coin.ts';
import type { OrderWarningCode, Summary, Warning, WarningCode } from '../../../chains/approval/summary.ts';
import { isolated } from '../../../ui/text.ts';
import { msg, plural, str } from '../../../base/localize.ts';
import { shortText } from '../../../ui/address.ts';
import { grouped } from '../../../ui/amount-text.ts';
import { amountText } from '../../ui/amount.ts';

export interface WarningText {
  title: string;
  text: string;
  /** "I understand the risk: …" */
  tick?: string;
  /** Third-party words about it, set apart from the wallet's own. */
  quote?: { who: string; words: string };
  /** A caution that starts unfolded: only for what is new about a recipient that the user knows. */
  open?: boolean;
}

/** `amount` is what the warning is about, possibly a different asset from the summary's headline amount. */
export type Words = (
  params: Record<string, string>,
  summary: Summary,
  amount: Amount | undefined,
) => WarningText;

export const risk = (what: string): string => msg(str`I understand the risk: ${what}`);

/** What an address has in common with a known one. */
export function likeness({ known = '', end }: Record<string, string>): string {
  if (end === 'start') return msg(str`The start matches, the rest differs. The one you know is ${known}.`);
  if (end === 'end') return msg(str`The end matches, the rest differs. The one you know is ${known}.`);
  return msg(str`Start and end match, the middle differs. The one you know is ${known}.`);
}

const text = (amount: Amount | undefined): string => (amount ? isolated(amountText(amount)) : '');

/** The Aeternity node's reason when a contract signs for the account (a generalized account). */
const GENERALIZED = 'generalized_account_cant_sign_non_meta_tx';

/** Sentences about who rejected what. */
function failure(reason: string | undefined, clause: string | undefined): string[] {
  if (reason === GENERALIZED)
    return [msg('A contract signs for this account, and the network refuses signatures of its key.')];
  return [
    clause
      ? msg(str`Clause ${clause} was refused in a trial run. If one fails, none of them happens.`)
      : msg('The contract refused it in a trial run.'),
  ];
}

const sentences = (all: string[]): string => all.reduce((said, each) => msg(str`${said} ${each}`));

const ownRisk = (): string => msg('I understand the risk and want to go on');

/** Of warnings about orders between chains, which come with what draws those. */
export type CrossChainWords = Readonly<Record<OrderWarningCode, Words>>;

const WORDS: Record<Exclude<WarningCode, OrderWarningCode>, Words> = {
  'first-recipient': () => ({
    title: msg('First time sending to this address'),
    text: msg('Compare it with the address you were given.'),
  }),
  'reported-address': () => ({
    title: msg('Reported address'),
    text: msg('This address was reported for fraud. Do not send anything to it.'),
    tick: risk(msg('I could lose what I send')),
  }),
  'fee-ceiling': (_, { fee }, amount = fee.maximum) => ({
    title: msg('Unusually high fee'),
    text: msg(str`Up to ${text(amount)} can be spent on the fee alone.`),
    tick: risk(msg('I accept this fee')),
  }),
  'replaces-pending': ({ nonce = '' }) => ({
    title: msg('This replaces a waiting transaction'),
    text: nonce
      ? msg(str`The one with number ${nonce} that you approved before will not happen.`)
      : msg('It takes its place by paying a higher fee (RBF). Only one of the two can get into a block.'),
  }),
  'not-backed-up': ({ unsaved }) => ({
    title: msg('This wallet is not backed up'),
    text:
      unsaved === 'key'
        ? msg('The 12 words do not hold this imported wallet. Export its key under “Manage wallets”.')
        : msg('If this browser’s data is deleted, the wallet is gone. Write down the 12 words in Settings.'),
  }),

  // About recipients that the user knows.
  'name-moved': ({ address }) => ({
    title: msg('The name points to another address now'),
    text: address
      ? msg(str`Now it is ${address}. Ask the recipient which one is right.`)
      : msg('Now it stands for no address. Ask the recipient for one.'),
    tick: risk(msg('I compared the whole address')),
  }),
  'resembles-known': ({ name, ...params }) => ({
    title: name
      ? msg(str`Looks like ${name}, but is not`)
      : msg('Looks like an address you know, but is not the same'),
    text: likeness(params),
    tick: risk(msg('I compared the whole address')),
  }),
  'differs-from-known': ({ name = '', end = '', times: paid = '' }) => {
    const times = Number(paid);
    return {
      title: msg(str`Different from the address ${name} used before`),
      text: plural(
        times,
        msg(str`You sent to ${name} once, to an address that ends in ${end}. Ask ${name} before you go on.`),
        msg(
          str`You sent to ${name} ${times} times, last to an address that ends in ${end}. Ask ${name} before you go on.`,
        ),
      ),
      open: true,
    };
  },

  // Rare ones, on any chain.
  'sponsor-declined': ({ host = '', reason = '' }) => ({
    title: msg('You pay the fee yourself'),
    text: msg(str`${host} does not pay it.`),
    ...(reason && { quote: { who: msg(str`The words of ${host}`), words: reason } }),
  }),
  'burn-address': () => ({
    title: msg('Nobody has a key for this address'),
    text: msg('What is sent to it is gone for good.'),
    tick: risk(msg('I could lose what I send')),
  }),
  'fee-share': ({ percent, times = '' }, { fee }, amount = fee.maximum) => ({
    title: percent ? msg('High fee for this amount') : msg('Higher fee than usual'),
    text: percent
      ? msg(str`The fee can be up to ${text(amount)}: ${percent}% of what you send.`)
      : msg(str`The fee can be up to ${text(amount)}: ${times} times what the network asks now.`),
  }),
  'will-fail': ({ reason, clause }, { fee }) => ({
    title: msg('This transaction will probably fail'),
    text: sentences([
      ...failure(reason, clause),
      ...(fee.maximum.raw && reason !== GENERALIZED ? [msg('You would still pay the fee.')] : []),
    ]),
    tick: ownRisk(),
    ...(reason && reason !== GENERALIZED
      ? { quote: { who: msg('The contract’s or node’s own words'), words: reason } }
      : {}),
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
          str`The site chose the node ${host}. No source we trust knows this network, so it is treated as a live one.`,
        )
      : msg(str`The site chose the node ${host}, but the transaction takes effect on ${networkName}.`),
    tick: risk(msg(str`this takes effect on ${networkName}`)),
  }),
  'nonce-gap': ({ nonce = '' }) => ({
    title: msg('This has to wait'),
    text: msg(str`Its number is ${nonce}. Nothing happens until the numbers before it are used.`),
  }),
  'order-unsigned': () => ({
    title: msg('The merchant did not sign this order'),
    text: msg('Nobody vouches for the address.'),
  }),

  // About calls, tokens and contracts.
  'first-contract': () => ({
    title: msg('First time with this contract'),
    text: msg('You have not used it from this wallet before.'),
  }),
  'unlimited-approval': (_params, _summary, amount) => {
    const symbol = amount?.symbol ?? '';
    return {
      title: msg(str`This contract could take all your ${symbol}`),
      text: msg('The site asks to spend without limit, now and later.'),
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
      ? msg(str`${address} could then control ${contract}, and take all that it holds.`)
      : msg(str`It changes who controls ${contract}, and who can take all that it holds.`),
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
      : msg('The call asks for nothing in return that you could rely on.'),
    tick: risk(msg('I could lose what I pay')),
  }),
  'swap-recipient': ({ address = '' }) => ({
    title: msg('Somebody else receives what you buy'),
    text: msg(str`It goes to ${address}, which is not one of your wallets.`),
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
    text: sentences([
      ...(imitates ? [msg(str`Its name is much like ${imitates}, but it is another, unknown token.`)] : []),
      msg('No source we trust says how many decimals it has: only its smallest units are certain.'),
    ]),
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
          title: msg('This could not be tested'),
          text: msg('The node refused to run it now, so nobody knows whether it fails or what it moves.'),
        }
      : {
          title: msg('Balance changes are not known'),
          text: msg('The node does not say what this call moves.'),
        }),
    tick: risk(msg('nobody knows what this moves')),
  }),
  'trial-differs': () => ({
    title: msg('It can do something other than it shows'),
    text: msg('Two trial runs in different blocks ended differently. What will happen is not known.'),
    tick: risk(msg('I could lose what this wallet holds')),
  }),
  'all-you-hold': (_params, _summary, amount) => {
    const symbol = amount?.symbol ?? '';
    return {
      title: msg(str`This contract could take all your ${symbol}`),
      text: msg(str`You hold ${text(amount)}. A limit of what you need today is safer.`),
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
    text: msg(str`It involves ${count} tokens. Not all of them were compared with what you hold.`),
    tick: risk(msg('I could lose all of them')),
  }),

  // About coins of Bitcoin and Litecoin.
  'unconfirmed-coins': ({ amount = '', symbol = '' }) => ({
    title: msg('Some coins are still on their way'),
    text: msg(
      str`${isolated(`${grouped(amount)} ${symbol}`)} cannot be spent before the network has confirmed it.`,
    ),
  }),
  'small-coins': ({ amount = '', symbol = '' }) => ({
    title: msg('Some coins are too small to send now'),
    text: msg(
      str`${isolated(`${grouped(amount)} ${symbol}`)} is in coins that would cost more in fees than they are worth.`,
    ),
  }),
  'many-coins': ({ coins = '', atOnce = '' }, _, amount) => ({
    title: msg('Too many small coins for one payment'),
    text: sentences([
      msg(str`Your ${coins} coins are enough together, but one payment can use at most ${atOnce} of them.`),
      ...(amount?.raw ? [msg(str`You can send up to ${text(amount)} now.`)] : []),
      msg('To send more, combine coins first, under “Manage wallets”.'),
    ]),
  }),
  'shared-form': ({ usual = '' }) => ({
    title: msg('Check which chain this address is for'),
    text: msg(str`Another chain writes its addresses in the same form. On this one it is usually ${usual}.`),
  }),
};

/** Names the clause in a danger's title, if there are several. */
export function warningText(
  { code, level, params = {}, amount }: Warning,
  summary: Summary,
  crossChainWords?: CrossChainWords,
): WarningText {
  const words = { ...WORDS, ...crossChainWords! }[code](params, summary, amount);
  const { clause } = params;
  if (!clause || level !== 'danger') return words;
  const title = clause.includes(',')
    ? msg(str`Clauses ${clause}: ${words.title}`)
    : msg(str`Clause ${clause}: ${words.title}`);
  return { ...words, title };
}

/** Dangers that need a tick, other dangers, cautions; each in their original order. */
export function worstFirst(warnings: readonly Warning[]): Warning[] {
  const weight = ({ level, tick }: Warning): number => (level === 'danger' ? (tick ? 2 : 1) : 0);
  return [...warnings].sort((a, b) => weight(b) - weight(a));
}
