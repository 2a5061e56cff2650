/** What of the activity is shown: a search, and filters by direction, token, site and time. */
import { language, msg } from '../../base/localize.ts';
import type { Amount } from '../../chains/coin.ts';
import { amountText } from '../ui/amount.ts';
import {
  counterpartOf,
  type Entry,
  movedOf,
  type Names,
  networkNameOf,
  siteOf,
  swapOf,
  wordOf,
} from './activity-entries.ts';

export const DIRECTIONS = ['in', 'out', 'swap', 'other'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** Empty fields let everything through. */
export interface Filter {
  text: string;
  direction: Direction | '';
  /** As `tokensIn` names it. */
  token: string;
  /** An origin. */
  site: string;
  /** Days that are not over, such as `30 days`, or a year. */
  time: string;
}

export const NO_FILTER: Filter = { text: '', direction: '', token: '', site: '', time: '' };

const DAY = 86_400_000;

export function directionOf(entry: Entry): Direction {
  if (entry.type === 'received') return 'in';
  if (entry.type === 'elsewhere') return 'out';
  if (entry.type === 'sent' && !entry.cancels && swapOf(entry)) return 'swap';
  return movedOf(entry) ? 'out' : 'other';
}

export function directionName(direction: Direction): string {
  switch (direction) {
    case 'in':
      return msg('Received');
    case 'out':
      return msg('Sent');
    case 'swap':
      return msg('Swapped');
    case 'other':
      return msg('Other');
  }
}

/** What an entry is about, with both sides of a swap. */
function amountsIn(entry: Entry): readonly Amount[] {
  if (entry.type === 'received') return [entry.received.amount];
  if (entry.type !== 'sent') return [];
  const swap = swapOf(entry);
  return swap ? [swap.input, swap.output] : [entry.record.summary.amount];
}

/** The symbols of known tokens: an unknown one may call itself anything. */
export function tokensIn(entries: readonly Entry[]): string[] {
  const symbols = entries.flatMap((entry) =>
    amountsIn(entry).flatMap(({ symbol, decimals }) => (decimals === null ? [] : [symbol])),
  );
  return [...new Set(symbols)].sort((a, b) => a.localeCompare(b, language));
}

function originOf(entry: Entry): string | undefined {
  if (entry.type === 'sent') return entry.record.origin;
  return entry.type === 'signed' ? entry.signature.origin : undefined;
}

/** The origins of sites that asked for something. */
export function sitesIn(entries: readonly Entry[]): string[] {
  return [...new Set(entries.flatMap((entry) => originOf(entry) ?? []))].sort();
}

/** The years in which something happened, latest first. */
export function yearsIn(entries: readonly Entry[]): string[] {
  return [...new Set(entries.map(({ at }) => String(new Date(at).getFullYear())))].sort().reverse();
}

/** @example const shown = filtered(entries, { ...NO_FILTER, direction: 'in' }, names, now); */
export function filtered(
  entries: readonly Entry[],
  { text, direction, token, site, time }: Filter,
  names: Names,
  now: number,
): readonly Entry[] {
  const words = text.toLocaleLowerCase(language).split(/\s+/).filter(Boolean);
  const days = Number(/^(\d+) days$/.exec(time)?.[1] ?? 0);
  return entries.filter((entry) => {
    if (direction && directionOf(entry) !== direction) return false;
    if (token && !amountsIn(entry).some(({ symbol, decimals }) => decimals !== null && symbol === token))
      return false;
    if (site && originOf(entry) !== site) return false;
    if (days && entry.at < now - days * DAY) return false;
    if (time && !days && String(new Date(entry.at).getFullYear()) !== time) return false;
    if (!words.length) return true;
    const content = textIn(entry, names).toLocaleLowerCase(language);
    return words.every((word) => content.includes(word));
  });
}

/** Everything that a search finds an entry by. */
function textIn(entry: Entry, names: Names): string {
  const other = counterpartOf(entry, names);
  const origin = originOf(entry);
  const parts: unknown[] = [
    wordOf(entry),
    other?.text,
    other?.full,
    networkNameOf(entry),
    entry.wallet?.alias,
    entry.note,
    origin === undefined ? '' : siteOf(origin),
    amountsIn(entry).map((amount) => (amount.decimals === null ? '' : amountText(amount))),
  ];
  if (entry.type === 'sent') {
    const { to, contract } = entry.record.summary;
    parts.push(entry.record.hash, to, contract);
  }
  if (entry.type === 'received') parts.push(entry.received.hash, entry.received.from);
  if (entry.type === 'elsewhere') parts.push(entry.id);
  return parts.flat().filter(Boolean).join(' ');
}
