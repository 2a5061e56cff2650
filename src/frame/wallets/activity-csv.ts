/** The activity as a table for spreadsheets and tax programs. */
import { formatAmount } from '../../base/amount.ts';
import type { Amount } from '../../chains/coin.ts';
import type { PastWorth } from '../../wallets/types.ts';
import { csvOf } from '../ui/csv.ts';
import {
  type Entry,
  movedOf,
  type Names,
  networkNameOf,
  progressIn,
  stateOf,
  swapOf,
  worthOfEntry,
} from './activity-entries.ts';
import { amountOf } from './cross-chain-words.ts';

/** Names of columns and words in them are in English, whatever the wallet's language, for programs that read the file. */
type Row = Partial<Record<(typeof COLUMNS)[number], string | undefined>>;

const COLUMNS = [
  'date',
  'wallet',
  'wallet_address',
  'chain',
  'network',
  'type',
  'status',
  'sent_amount',
  'sent_token',
  'sent_token_address',
  'received_amount',
  'received_token',
  'received_token_address',
  'fee_amount',
  'fee_token',
  'value',
  'fee_value',
  'currency',
  'from',
  'to',
  'name',
  'site',
  'transaction',
  'note',
  'return_reason',
] as const;

/** Dates are ISO 8601 in UTC, amounts have every digit, and values are those of the time, where they were known then. */
export function activityCsv(entries: readonly Entry[], names: Names): string {
  const rows = entries.map((entry) => {
    const row = rowOf(entry, names);
    return COLUMNS.map((column) => row[column] ?? '');
  });
  return csvOf([COLUMNS, ...rows]);
}

function rowOf(entry: Entry, names: Names): Row {
  const { wallet, note } = entry;
  const worth = worthOfEntry(entry);
  return {
    date: new Date(entry.at).toISOString(),
    wallet: wallet?.alias,
    wallet_address: wallet?.address,
    chain: wallet?.secretType,
    network: networkNameOf(entry),
    status: stateOf(entry) === 'final' ? 'done' : stateOf(entry),
    ...(worth && valueOf('value', worth)),
    ...movementOf(entry, names),
    note,
  };
}

function movementOf(entry: Entry, names: Names): Row {
  switch (entry.type) {
    case 'signed':
      return { type: `signature: ${entry.signature.kind}`, site: entry.signature.origin };
    case 'elsewhere':
      return { type: 'sent elsewhere', from: entry.wallet?.address, transaction: entry.id };
    case 'received': {
      const { from, hash, amount, seenSince } = entry.received;
      return {
        ...amountIn('received', amount),
        type: seenSince === undefined ? 'received' : 'received, as seen in the balance',
        from,
        to: entry.wallet?.address,
        name: from && names.get(from.toLowerCase()),
        transaction: hash,
      };
    }
    case 'sent': {
      const { record } = entry;
      const { kind, from, to, fee } = record.summary;
      const swap = entry.cancels ? undefined : swapOf(entry);
      const moved = movedOf(entry);
      const failed = record.state === 'failed';
      // What a swap brought is known of tokens only: what was promised at least would not be exact.
      const got = swap && (record.got === undefined ? undefined : { ...swap.output, raw: record.got });
      const { refunds: [refund] = [], reason } = progressIn(entry) ?? {};
      return {
        ...(!failed && swap && amountIn('sent', swap.input)),
        ...(!failed && got && amountIn('received', got)),
        ...(!failed && !got && refund && amountIn('received', amountOf(refund))),
        ...(!failed && moved && amountIn('sent', moved.amount)),
        ...(record.fee !== undefined && {
          fee_amount: formatAmount(record.fee, fee.maximum.decimals ?? 0),
          fee_token: fee.maximum.symbol,
          ...(record.feeWorth &&
            valueOf('fee_value', paidShare(record.feeWorth, record.fee, fee.maximum.raw))),
        }),
        type: entry.cancels ? 'cancellation' : swap ? 'swap' : kind,
        from,
        to: to ?? undefined,
        name: to === null ? undefined : names.get(to.toLowerCase()),
        site: record.origin,
        transaction: record.hash,
        return_reason: reason,
      };
    }
  }
}

/** What is stored is the value of the highest fee. */
function paidShare({ value, currency }: PastWorth, paid: bigint, maximum: bigint): PastWorth {
  return { value: maximum ? (value * Number(paid)) / Number(maximum) : 0, currency };
}

function valueOf(column: 'value' | 'fee_value', { value, currency }: PastWorth): Row {
  return { [column]: decimalOf(value), currency };
}

/** Without an exponent. */
function decimalOf(value: number): string {
  return value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 8 });
}

/** In smallest units, which the token's name says, where nobody knows how many decimals it has. */
function amountIn(side: 'sent' | 'received', { raw, decimals, symbol, token }: Amount): Row {
  return {
    [`${side}_amount`]: decimals === null ? String(raw) : formatAmount(raw, decimals),
    [`${side}_token`]: decimals === null ? `smallest units of ${token ?? symbol}` : symbol,
    [`${side}_token_address`]: token,
  };
}
