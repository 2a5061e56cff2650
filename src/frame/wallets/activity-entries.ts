/** A wallet's activity, merged from all its sources, and its wording. */
import { html, type TemplateResult } from 'lit';
import type { Amount } from '../../chains/coin.ts';
import type { Network } from '../../chains/network.ts';
import type { SwapTerms } from '../../chains/approval/summary.ts';
import { inertText } from '../../base/text.ts';
import { worthText } from '../../ui/worth.ts';
import { shortText } from '../../ui/address.ts';
import { rowFigure } from '../../ui/amount-text.ts';
import { msg, str } from '../../base/localize.ts';
import { amountText } from '../ui/amount.ts';
import type { SentTransaction } from '../../api/transaction.ts';
import { isLate, progressOf, stageWord, type SwapProgress } from './cross-chain-words.ts';
import type { Wallet } from '../../api/wallet.ts';
import type { ActivityRecord, PastWorth, ReceivedRecord, SignatureRecord } from '../../wallets/types.ts';

interface Common {
  id: string;
  /** Whose it is; absent in a list of one wallet. */
  wallet?: Wallet | undefined;
  /** The user's own; empty for none, undefined where none can be kept. */
  note?: string | undefined;
  /** Where it happened, of the networks in `networks.json`; undefined for a signature, for a node of a site's own, and where it is gone. */
  network?: Network | undefined;
  /** Epoch milliseconds; the current time for incoming transactions still unconfirmed. */
  at: number;
}

export type Entry = Common &
  (
    | {
        type: 'sent';
        record: ActivityRecord;
        /** It only cancels another transaction. */
        cancels: boolean;
      }
    | { type: 'received'; received: ReceivedRecord }
    | { type: 'signed'; signature: SignatureRecord }
    /** Sent by another of the user's devices, or by the application: the service reports no details. */
    | { type: 'elsewhere'; sent: SentTransaction }
  );

/** Unique in a list of several wallets on several networks. */
export const keyOf = ({ id, wallet, network }: Entry): string =>
  `${wallet?.id ?? ''} ${network?.id ?? ''} ${id}`;

export type SentEntry = Extract<Entry, { type: 'sent' }>;

/** The network with this id, or the wallet's default one without an id; undefined if `networks.json` has none. */
export type NetworkById = (id: string | undefined) => Network | undefined;

/** Latest first. */
export function entriesOf(
  records: readonly ActivityRecord[],
  received: readonly ReceivedRecord[],
  signatures: readonly SignatureRecord[],
  now: number,
  served: readonly SentTransaction[] = [],
  networkById: NetworkById = () => undefined,
): Entry[] {
  const cancelling = new Set(
    records.flatMap(({ replacedBy, replacedTo }) =>
      replacedTo === 'cancel' && replacedBy ? [replacedBy] : [],
    ),
  );
  const own = new Set(records.map(({ hash }) => hash.toLowerCase()));
  const elsewhere = served.filter(({ transactionHash }) => !own.has(transactionHash.toLowerCase()));
  for (const { transactionHash } of elsewhere) own.add(transactionHash.toLowerCase());
  const all: Entry[] = [
    ...records.map(
      (record): Entry => ({
        type: 'sent',
        id: record.hash,
        at: record.at,
        network: networkById(record.network),
        record,
        cancels: cancelling.has(record.hash),
      }),
    ),
    ...withoutDoubles(received)
      // A swap's output, or change, belongs to the transaction sent.
      .filter(({ hash = '' }) => !own.has(hash.toLowerCase()))
      .map(
        (one): Entry => ({
          type: 'received',
          id: one.id,
          at: one.at ?? now,
          network: networkById(one.network),
          received: one,
        }),
      ),
    ...signatures.map(
      (signature): Entry => ({
        type: 'signed',
        id: signature.id,
        at: signature.at,
        signature,
      }),
    ),
    ...elsewhere.map(
      (sent): Entry => ({
        type: 'elsewhere',
        id: sent.transactionHash,
        at: Math.min(Date.parse(sent.createdAt) || 0, now),
        network: networkById(sent.network),
        sent,
      }),
    ),
  ];
  return all.sort((a, b) => b.at - a.at);
}

/** On some networks the coin is a token, too, with a log of its own: then the log tells of the payment. */
function withoutDoubles(received: readonly ReceivedRecord[]): readonly ReceivedRecord[] {
  const tokens = received.filter(({ amount }) => amount.token !== undefined && amount.decimals !== null);
  return received.filter((coins) => {
    const { amount, hash, seenSince, at = 0, network } = coins;
    if (amount.token !== undefined) return true;
    const same = tokens.filter(
      (token) => token.network === network && token.amount.symbol === amount.symbol && token.at !== undefined,
    );
    if (seenSince === undefined)
      return !same.some((token) => token.hash === hash && token.amount.raw === amount.raw);
    const between = same.filter((token) => token.at! > seenSince && token.at! <= at);
    return between.reduce((sum, token) => sum + token.amount.raw, 0n) < amount.raw;
  });
}

/** The name of the network where it happened; its id, if networks.json has lost it. Undefined for a signature. */
export function networkNameOf(entry: Entry): string | undefined {
  if (entry.network) return entry.network.name;
  switch (entry.type) {
    case 'sent':
      return entry.record.summary.networkName;
    case 'received':
      return entry.received.network;
    case 'elsewhere':
      return entry.sent.network;
    case 'signed':
      return undefined;
  }
}

/** Those on one network; all for an empty id. */
export function entriesOn(entries: readonly Entry[], networkId: string): readonly Entry[] {
  return networkId ? entries.filter(({ network }) => network?.id === networkId) : entries;
}

/** Only the balance tells of it, so its time is when that was read. */
export const isOnlySeen = (entry: Entry): boolean =>
  entry.type === 'received' && entry.received.seenSince !== undefined;

/** Names known to the user, by lower-case address. */
export type Names = ReadonlyMap<string, string>;

export const nameOf = (address: string, names: Names): string =>
  names.get(address.toLowerCase()) ?? shortText(address);

/** `returned`: a swap between chains of which all, or a part, came back. */
export type State = 'waiting' | 'failed' | 'replaced' | 'cancelled' | 'returned' | 'final';

/** Of a swap between chains; undefined for anything else. */
export function progressIn(entry: Entry): SwapProgress | undefined {
  if (entry.type === 'elsewhere') return entry.sent.swap;
  return entry.type === 'sent' ? progressOf(entry.record) : undefined;
}

/** Of a swap whose coins were sent. */
function stateOfSwap(swap: SwapProgress | undefined): State {
  if (!swap || swap.stage === 'paid') return 'final';
  return swap.stage === 'refunded' || swap.stage === 'part-refunded' ? 'returned' : 'waiting';
}

export function stateOf(entry: Entry): State {
  if (entry.type === 'signed') return 'final';
  if (entry.type === 'received') return entry.received.at === undefined ? 'waiting' : 'final';
  if (entry.type === 'elsewhere') return stateElsewhere(entry.sent);
  const { state, replacedBy, replacedTo } = entry.record;
  if (state === 'confirmed') return stateOfSwap(progressOf(entry.record));
  if (!replacedBy) return state === 'failed' ? 'failed' : 'waiting';
  // Until one of them is in a block, either may still win.
  return replacedTo === 'cancel' && state === 'failed' ? 'cancelled' : 'replaced';
}

function stateElsewhere({ status, reason, swap }: SentTransaction): State {
  if (reason === 'replaced') return 'replaced';
  if (status === 'confirmed') return stateOfSwap(swap);
  return status === 'pending' ? 'waiting' : 'failed';
}

export function swapOf({ record }: SentEntry): SwapTerms | undefined {
  const { swap, parts } = record.summary;
  return swap ?? parts?.find((part) => part.swap)?.swap;
}

/** `0.5 ETH → 996.01 DUSD`. */
export function pairText(
  swap: SwapTerms,
  got: bigint | undefined,
  write: (amount: Amount) => string,
): string {
  const output = write(got === undefined ? swap.output : { ...swap.output, raw: got });
  const isExact = got !== undefined || swap.orderType === 'BUY';
  return isExact
    ? msg(str`${write(swap.input)} → ${output}`)
    : msg(str`${write(swap.input)} → at least ${output}`);
}

/** The event in a word or two. */
export function wordOf(entry: Entry): string {
  const waits = stateOf(entry) === 'waiting';
  if (entry.type === 'signed') return signatureWord(entry.signature);
  if (entry.type === 'received') return waits ? msg('Receiving') : msg('Received');
  if (entry.type === 'elsewhere' && !entry.sent.swap) return msg('Sent from elsewhere');
  if (stateOf(entry) === 'returned') return msg('Came back');
  if (entry.type === 'elsewhere') return waits ? msg('Swapping') : msg('Swapped');
  const { kind, amount, unlimited, to, from, call } = entry.record.summary;
  if (entry.cancels) return waits ? msg('Cancelling') : msg('Cancellation');
  if (swapOf(entry)) return waits ? msg('Swapping') : msg('Swapped');
  switch (kind) {
    case 'approval':
      return amount.raw || unlimited ? msg('Spending limit') : msg('Spending limit removed');
    case 'creation':
      return msg('New contract');
    case 'call':
      return inertText(call?.name ?? '', 40) || msg('Contract call');
    case 'transfer':
      if (to?.toLowerCase() === from.toLowerCase()) return waits ? msg('Moving') : msg('Moved');
      return waits ? msg('Sending') : msg('Sent');
  }
}

/** The same with what was moved, or what the limit applies to. */
export function titleWith(entry: Entry, what: TemplateResult): unknown {
  const waits = stateOf(entry) === 'waiting';
  if (entry.type === 'received') return waits ? msg(html`Receiving ${what}`) : msg(html`Received ${what}`);
  if (entry.type !== 'sent') return wordOf(entry);
  const { kind, amount, unlimited } = entry.record.summary;
  if (kind === 'transfer') return waits ? msg(html`Sending ${what}`) : msg(html`Sent ${what}`);
  if (kind !== 'approval') return msg(html`${wordOf(entry)} with ${what}`);
  return amount.raw || unlimited
    ? msg(html`Spending limit of ${what}`)
    : msg(html`Spending limit of ${what} removed`);
}

function signatureWord({ kind }: SignatureRecord): string {
  switch (kind) {
    case 'sign-in':
      return msg('Signed in');
    case 'certificate':
      return msg('Signed a certificate');
    case 'transaction':
      return msg('Signed a transaction');
    case 'typed':
      return msg('Signed data');
    default:
      return msg('Signed a message');
  }
}

/** The counterparty: `to Ada`, `from 0x2546…Ec30`, `Northway`. `full`: its whole address. Undefined if there is none. */
export function counterpartOf(entry: Entry, names: Names): { text: string; full?: string } | undefined {
  if (entry.type === 'signed') return { text: siteOf(entry.signature.origin) };
  if (entry.type === 'received') {
    const { from } = entry.received;
    return from === undefined ? undefined : { text: msg(str`from ${nameOf(from, names)}`), full: from };
  }
  if (entry.type === 'elsewhere') return { text: shortText(entry.id), full: entry.id };
  const { kind, to, from, exchange, parts } = entry.record.summary;
  if (entry.cancels || to?.toLowerCase() === from.toLowerCase()) return undefined;
  if (parts) {
    const by = parts.find((part) => part.exchange)?.exchange;
    return { text: by ?? msg(str`${parts.length} clauses`) };
  }
  if (to === null) return undefined;
  const name = exchange ?? nameOf(to, names);
  return { text: kind === 'transfer' ? msg(str`to ${name}`) : name, full: to };
}

export function siteOf(origin: string): string {
  return origin === location.origin ? msg('You') : origin.replace(/^https?:\/\//, '');
}

export interface Moved {
  sign: '−' | '+';
  amount: Amount;
}

/** The amount sent or received, with its sign; undefined if nothing moved. */
export function movedOf(entry: Entry): Moved | undefined {
  if (entry.type === 'received') return { sign: '+', amount: entry.received.amount };
  if (entry.type !== 'sent' || entry.cancels || swapOf(entry)) return undefined;
  const { kind, amount, to, from } = entry.record.summary;
  if (kind === 'approval' || !amount.raw || to?.toLowerCase() === from.toLowerCase()) return undefined;
  return { sign: '−', amount };
}

/** `0.25 ETH`, in a row. */
export function rowWords(amount: Amount): string {
  return amount.decimals === null ? amountText(amount) : `${rowFigure(amount)} ${amount.symbol}`;
}

/** The limit of an allowance: `500 USDC`. */
export function limitText({ record }: SentEntry): string | undefined {
  const { kind, amount, unlimited } = record.summary;
  if (kind !== 'approval') return undefined;
  if (unlimited) return msg(str`Unlimited ${amount.symbol}`);
  return amount.raw ? rowWords(amount) : amount.symbol;
}

/** The value at the time: `$612.50`. */
export function pastWorthText(worth: PastWorth): string {
  return worthText(worth, 'down');
}

export function worthOfEntry(entry: Entry): PastWorth | undefined {
  if (entry.type === 'sent') return entry.record.worth;
  return entry.type === 'received' ? entry.received.worth : undefined;
}

/** What a failure cost. */
export function failureCost({ fee, expired }: ActivityRecord): string {
  if (expired) return msg('expired, nothing spent');
  return fee === undefined ? msg('nothing spent') : msg('fee spent');
}

/** `Waiting 4 min`, or how far a swap between chains is. */
export function waitsText(entry: Entry, now: number): string {
  const swap = progressIn(entry);
  if (swap && isLate(swap, entry.at, now)) return msg('Takes longer');
  return (swap && stageWord(swap)) ?? waitingText(entry.at, now);
}

function waitingText(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return msg('Waiting');
  if (minutes < 60) return msg(str`Waiting ${minutes} min`);
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? msg(str`Waiting ${hours} h`) : msg(str`Waiting ${Math.floor(hours / 24)} d`);
}
