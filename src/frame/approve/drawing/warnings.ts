/** The text of each warning, and what the user has to tick before a dangerous one can be approved. */
import type { Amount } from '../../../chains/chain.ts';
import type { Summary, Warning, WarningCode } from '../../../chains/approval/summary.ts';
import { isolated } from '../../../ui/text.ts';
import { msg, str } from '../../../base/localize.ts';
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

const WORDS = {
  'first-recipient': () => ({
    title: msg('First time sending to this address'),
    text: msg('Compare it with the address you were given.'),
  }),
  'reported-address': () => ({
    title: msg('Reported address'),
    text: msg('This address was reported for fraud. Do not send anything to it.'),
    tick: risk(msg('I could lose what I send')),
  }),
  'resembles-known': (params) => ({
    title: msg('Looks like an address you know, but is not'),
    text: likeness(params),
    tick: risk(msg('I compared the whole address')),
  }),
  'fee-ceiling': (_, { fee }, amount = fee.maximum) => ({
    title: msg('Unusually high fee'),
    text: msg(str`Up to ${isolated(amountText(amount))} can be spent on the fee alone.`),
    tick: risk(msg('I accept this fee')),
  }),
  'replaces-pending': ({ nonce = '' }) => ({
    title: msg('This replaces a waiting transaction'),
    text: nonce
      ? msg(str`The one with number ${nonce} that you approved before will not happen.`)
      : msg('It takes its place by a higher fee (RBF). Only one of the two can get into a block.'),
  }),
  'not-backed-up': ({ unsaved }) => ({
    title: msg('This wallet is not backed up'),
    text:
      unsaved === 'key'
        ? msg('The 12 words do not hold this imported wallet. Export its key, which “Manage wallets” offers.')
        : msg('If this browser’s data is deleted, it is gone. Write down the 12 words in Settings.'),
  }),
} satisfies Partial<Record<WarningCode, Words>>;

/** Their texts are in `rare-words.ts`. */
export const RARE = [
  'burn-address',
  'fee-share',
  'will-fail',
  'nonce-gap',
  'order-unsigned',
  'all-you-hold',
  'spender-is-account',
  'too-many-tokens',
  'custom-node',
  'custom-node-live',
] as const satisfies readonly WarningCode[];
export type RareWarning = (typeof RARE)[number];
/** Bitcoin and Litecoin only. Their texts are in `coin-words.ts`. */
const OF_COINS = [
  'unconfirmed-coins',
  'small-coins',
  'many-coins',
  'shared-form',
] as const satisfies readonly WarningCode[];
export type CoinWarning = (typeof OF_COINS)[number];
/** Their texts are in `known-recipient.ts`; the second names the known address. */
export type NameWarning = 'name-moved' | 'resembles-known' | 'differs-from-known';
/** Their texts are in `call-drawing.ts`. */
export type CallWarning = Exclude<WarningCode, keyof typeof WORDS | NameWarning | RareWarning | CoinWarning>;

const words: Partial<Record<WarningCode, Words>> = { ...WORDS };

export function addWords(
  more:
    | Record<CallWarning, Words>
    | Record<RareWarning, Words>
    | Record<CoinWarning, Words>
    | Record<NameWarning, Words>,
): void {
  Object.assign(words, more);
}

/** The module with the warning's text, if it is not loaded yet. */
export function missingWords({ code }: Warning): 'call' | 'rare' | 'coin' | undefined {
  if (code in words) return undefined;
  if ((RARE as readonly WarningCode[]).includes(code)) return 'rare';
  return (OF_COINS as readonly WarningCode[]).includes(code) ? 'coin' : 'call';
}

/** Names the clause in a danger's title, if there are several. */
export function warningText({ code, level, params = {}, amount }: Warning, summary: Summary): WarningText {
  const found = words[code]!(params, summary, amount);
  const { clause } = params;
  if (!clause || level !== 'danger') return found;
  const title = clause.includes(',')
    ? msg(str`Clauses ${clause}: ${found.title}`)
    : msg(str`Clause ${clause}: ${found.title}`);
  return { ...found, title };
}

/** Dangers that need a tick, other dangers, cautions; each in their original order. */
export function worstFirst(warnings: readonly Warning[]): Warning[] {
  const weight = ({ level, tick }: Warning): number => (level === 'danger' ? (tick ? 2 : 1) : 0);
  return [...warnings].sort((a, b) => weight(b) - weight(a));
}
